package exporter

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// judge computes the judged time of each frame of a capture, and whether it is over budget, as a viewer does.
type judge struct {
	session *process.Session
	budget  time.Duration // replaces the capture's budget if not 0
	judged  time.Duration
	newest  []report.FrameSummary
}

func newJudge(budget time.Duration) *judge {
	j := &judge{session: process.NewSession(), budget: budget}
	j.session.SetHistoryLimits(process.HistoryLimits{Frames: 1})
	j.session.AddSink(j)
	return j
}

// frame judges the next frame.
func (j *judge) frame(r *framefile.Reader, f *gather.Frame) error {
	if b := cmp.Or(j.budget, r.Budget()); b > 0 && b != j.session.FrameBudget() {
		j.session.SetFrameBudget(b)
	}
	return j.session.WriteFrame(f)
}

// WriteFrame does nothing: sessions call WriteJudged.
func (j *judge) WriteFrame(*gather.Frame) error { return nil }

func (j *judge) WriteJudged(_ *gather.Frame, by *process.Judged) error {
	j.judged = by.Time
	return nil
}

// ranked is a frame among the slowest.
type ranked struct {
	judged time.Duration
	index  uint64
}

// summary returns the judged frame.
func (j *judge) summary() report.FrameSummary {
	if j.newest = j.session.AppendFrames(j.newest[:0], 1); len(j.newest) == 1 {
		return j.newest[0]
	}
	return report.FrameSummary{}
}

// settle finds what needs all frames of a capture: the sections that the words name, and the slowest frames. at reads
// the capture from its start.
func (p *Selection) settle(at func() (*framefile.Reader, error)) error {
	if p.words != "" {
		r, err := at()
		if err == nil {
			err = p.nameSections(r)
		}
		if err != nil {
			return err
		}
	}
	if p.Lens.Kind != report.LensSlowest {
		return nil
	}
	r, err := at()
	if err != nil {
		return err
	}
	return p.rank(r)
}

// silent returns a selection with the same budget that says nothing of damages.
func (p *Selection) silent(lens report.Lens) *Selection {
	return &Selection{Lens: lens, Budget: p.Budget}
}

// nameSections reads the words with the capture's sections.
func (p *Selection) nameSections(r *framefile.Reader) error {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: 1})
	if err := p.silent(report.Lens{}).Each(r, s.WriteFrame); err != nil {
		return err
	}
	lens, err := s.View().ParseFrames(p.words)
	p.Lens = lens
	return err
}

// rank finds the slowest frames of the lens. Among equal frames it takes the newer.
func (p *Selection) rank(r *framefile.Reader) error {
	j := newJudge(p.Budget)
	var best []ranked // the slowest first
	err := p.silent(p.Lens).Each(r, func(f *gather.Frame) error {
		if err := j.frame(r, f); err != nil {
			return err
		}
		at, _ := slices.BinarySearchFunc(best, j.judged, func(x ranked, judged time.Duration) int {
			return cmp.Or(cmp.Compare(judged, x.judged), 1) // before equal frames
		})
		if at < p.Lens.Frames() {
			best = slices.Insert(best, at, ranked{j.judged, f.Index})
			best = best[:min(len(best), p.Lens.Frames())]
		}
		return nil
	})
	p.chosen = map[uint64]bool{}
	for _, x := range best {
		p.chosen[x.index] = true
	}
	return err
}

// again returns in for a second pass. It is in itself if that is a file, else a copy in a file without a name. done
// closes the copy.
func again(in io.Reader) (file io.ReadSeeker, done func(), err error) {
	if s, ok := in.(io.ReadSeeker); ok {
		return s, func() {}, nil
	}
	spool, err := scratch.New()
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = spool.Close() }
	_, err = io.Copy(spool, in)
	if _, e := spool.Seek(0, io.SeekStart); err != nil || e != nil {
		done()
		return nil, nil, errors.Join(err, e)
	}
	return spool, done, nil
}
