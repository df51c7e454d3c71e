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
	over    bool
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
	j.judged, j.over = by.Time, report.OverBudget(by.Time, by.Budget)
	return nil
}

// ranked is a frame among the slowest.
type ranked struct {
	judged time.Duration
	index  uint64
}

// rank finds the slowest frames among the frames chosen by the other fields. Among equal frames it takes the newer.
func (p *Selection) rank(r *framefile.Reader) error {
	all, j := *p, newJudge(p.Budget)
	all.Slowest = 0
	all.Lane = ""
	all.Only = 0
	all.Damaged = nil
	all.skipped = nil
	var best []ranked // the slowest first
	err := all.Each(r, func(f *gather.Frame) error {
		if err := j.frame(r, f); err != nil {
			return err
		}
		at, _ := slices.BinarySearchFunc(best, j.judged, func(x ranked, judged time.Duration) int {
			return cmp.Or(cmp.Compare(judged, x.judged), 1) // before equal frames
		})
		if at < p.Slowest {
			best = slices.Insert(best, at, ranked{j.judged, f.Index})
			best = best[:min(len(best), p.Slowest)]
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
