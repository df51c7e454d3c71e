package exporter

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

// Selection chooses frames and lanes of a capture. What is set holds together.
type Selection struct {
	First, Last  uint64
	Some         bool                       // only First to Last
	Over, Within bool                       // only frames over budget, or within it
	Slowest      int                        // only so many frames with the most busy time, if it is not 0
	Budget       time.Duration              // in place of the capture's, if it is not 0
	Lane         string                     // only lanes whose names contain it
	Only         gather.LaneID              // only this lane, if it is not 0
	Damaged      func(*capture.DamageError) // is called with each damage, if it is not nil
	Frames       uint64                     // how many Write has chosen
	Account      *budget.Account            // of what reading and writing may cost; nil allows everything
	Folded       uint64                     // calls that Write has counted with the zones around them
	Overlaps     uint64                     // states that Write has cut: see export.Frames

	chosen  map[uint64]bool     // the slowest
	skipped func(*gather.Frame) // is called with the others, if it is not nil
}

// isAll reports whether all frames and lanes are chosen.
func (p *Selection) isAll() bool {
	return !p.Some && !p.Over && !p.Within && p.Slowest == 0 && p.Lane == "" && p.Only == 0
}

// SetFrames reads the number of a frame, or two as in 100-200.
func (p *Selection) SetFrames(s string) (err error) {
	a, b, isRange := strings.Cut(s, "-")
	if !isRange {
		b = a
	}
	if p.First, err = strconv.ParseUint(a, 10, 64); err == nil {
		p.Last, err = strconv.ParseUint(b, 10, 64)
	}
	if p.Some = true; err != nil || p.First > p.Last {
		return errors.New("want a number of a frame, or two as in 100-200")
	}
	return nil
}

// Each calls to with each chosen frame. It goes on after damages. It is an error if no frame is chosen.
func (p *Selection) Each(r *capture.Reader, to func(*gather.Frame) error) error {
	var f gather.Frame
	j := newJudge(p.Budget)
	for p.Frames = 0; ; {
		err := r.Next(&f)
		var damage *capture.DamageError
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
func (p *Selection) takes(j *judge, r *capture.Reader, f *gather.Frame) (bool, error) {
	if p.Some && (f.Index < p.First || f.Index > p.Last) || p.Slowest > 0 && !p.chosen[f.Index] {
		return false, nil
	}
	if !p.Over && !p.Within {
		return true, nil
	}
	err := j.frame(r, f)
	return !(p.Over && !j.over || p.Within && j.over), err
}

// lanes takes the other lanes away. It swaps them to the end, so that the reader can use their memory again.
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
