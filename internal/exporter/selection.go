package exporter

import (
	"errors"
	"io"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process/report"
)

// Selection chooses frames and lanes of a capture.
type Selection struct {
	Lens     report.Lens                       // the frames; the zero Lens is all
	ByFrame  bool                              // sums of each frame instead of all, in a format that has both
	Budget   time.Duration                     // replaces the capture's if not 0
	Lane     string                            // only lanes with this in their names
	Only     gather.LaneID                     // only this lane, if not 0
	Stacks   func(*gather.Frame) *gather.Frame // changes the stacks of each frame, if not nil
	Damaged  func(*framefile.DamageError)      // is called with each damage, if not nil
	Frames   uint64                            // number that Write has chosen
	Account  *budget.Account                   // of reading and writing; nil allows everything
	Folded   uint64                            // calls that Write has counted in their enclosing zones
	Overlaps uint64                            // states that Write has cut: see export.Frames

	words   string              // of SetFrames, if they name a section
	chosen  map[uint64]bool     // the slowest
	skipped func(*gather.Frame) // is called with the frames not chosen, if not nil
}

// isAll reports whether all frames and lanes are chosen.
func (p *Selection) isAll() bool {
	return p.words == "" && (p.Lens.Kind == report.LensOff || p.Lens == report.Lens{Kind: report.LensAll}) &&
		p.Lane == "" && p.Only == 0 && p.Stacks == nil
}

// SetFrames reads a choice of frames: see report.ParseFrames. It sets ByFrame. Write finds the sections that the words
// name, and returns an error if there is no such section.
func (p *Selection) SetFrames(words string) (err error) {
	p.ByFrame, p.words = true, ""
	if strings.Contains(words, "section:") {
		p.words = words
		return nil
	}
	p.Lens, err = report.ParseFrames(words, nil)
	return err
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
		g := p.lanes(&f)
		if p.Stacks != nil {
			g = p.Stacks(g)
		}
		if err := to(g); err != nil {
			return err
		}
	}
}

// takes reports whether a frame is chosen.
func (p *Selection) takes(j *judge, r *framefile.Reader, f *gather.Frame) (bool, error) {
	summary := report.FrameSummary{Index: f.Index}
	if of := p.Lens.OfBudget(); of != report.LensAll || p.Lens.Undisturbed {
		if err := j.frame(r, f); err != nil {
			return false, err
		}
		summary = j.summary()
	}
	return (p.Lens.Kind == report.LensOff || p.Lens.Takes(&summary)) &&
		(p.Lens.Kind != report.LensSlowest || p.chosen == nil || p.chosen[f.Index]), nil
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
