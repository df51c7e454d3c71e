package exporter

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
)

// Selection chooses frames and lanes of a capture. A frame must match every set field.
type Selection struct {
	First, Last  uint64
	Some         bool                         // only First to Last
	ByFrame      bool                         // sums of each frame instead of all, in a format that has both
	Over, Within bool                         // only frames over budget, or within it
	Slowest      int                          // number of frames with the most busy time; 0 for all
	Budget       time.Duration                // replaces the capture's if not 0
	Lane         string                       // only lanes with this in their names
	Only         gather.LaneID                // only this lane, if not 0
	Damaged      func(*framefile.DamageError) // is called with each damage, if not nil
	Frames       uint64                       // number that Write has chosen
	Account      *budget.Account              // of reading and writing; nil allows everything
	Folded       uint64                       // calls that Write has counted in their enclosing zones
	Overlaps     uint64                       // states that Write has cut: see export.Frames

	chosen  map[uint64]bool     // the slowest
	skipped func(*gather.Frame) // is called with the frames not chosen, if not nil
}

// isAll reports whether all frames and lanes are chosen.
func (p *Selection) isAll() bool {
	return !p.Some && !p.Over && !p.Within && p.Slowest == 0 && p.Lane == "" && p.Only == 0
}

// SetFrames reads the number of a frame, two as in 100-200, or the word all. It sets ByFrame.
func (p *Selection) SetFrames(s string) (err error) {
	if p.ByFrame = true; s == "all" {
		return nil
	}
	a, b, isRange := strings.Cut(s, "-")
	if !isRange {
		b = a
	}
	if p.First, err = strconv.ParseUint(a, 10, 64); err == nil {
		p.Last, err = strconv.ParseUint(b, 10, 64)
	}
	if p.Some = true; err != nil || p.First > p.Last {
		return errors.New("want a number of a frame, two as in 100-200, or all")
	}
	return nil
}

// Each calls to with each chosen frame. It goes on after damages. It returns an error if it chose no frame.
func (p *Selection) Each(r *framefile.Reader, to func(*gather.Frame) error) error {
	var f gather.Frame
	j := newJudge(p.Budget)
	for p.Frames = 0; ; {
		err := r.Next(&f)
		var damage *framefile.DamageError
		switch {
		case errors.Is(err, io.EOF) && p.Frames == 0:
			return errors.New("the capture has no such frame")
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &damage):
			if p.Damaged != nil {
				p.Damaged(damage)
			}
			continue
		case err != nil:
			return err
		}
		if takes, err := p.takes(j, r, &f); err != nil {
			return err
		} else if !takes {
			if p.skipped != nil {
				p.skipped(&f)
			}
			continue
		}
		p.Frames++
		if err := to(p.lanes(&f)); err != nil {
			return err
		}
	}
}

// takes reports whether a frame is chosen.
func (p *Selection) takes(j *judge, r *framefile.Reader, f *gather.Frame) (bool, error) {
	if p.Some && (f.Index < p.First || f.Index > p.Last) || p.Slowest > 0 && !p.chosen[f.Index] {
		return false, nil
	}
	if !p.Over && !p.Within {
		return true, nil
	}
	err := j.frame(r, f)
	return !(p.Over && !j.over || p.Within && j.over), err
}

// lanes removes the lanes that are not chosen. It swaps them to the end, so that the reader can reuse their memory.
func (p *Selection) lanes(f *gather.Frame) *gather.Frame {
	if p.Lane == "" && p.Only == 0 {
		return f
	}
	g, n := *f, 0
	for i := range f.Lanes {
		if l := &f.Lanes[i]; strings.Contains(l.Name, p.Lane) && (p.Only == 0 || p.Only == l.ID) {
			f.Lanes[n], f.Lanes[i] = f.Lanes[i], f.Lanes[n]
			n++
		}
	}
	g.Lanes = f.Lanes[:n]
	return &g
}
