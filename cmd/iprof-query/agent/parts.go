package agent

import (
	"cmp"
	"slices"

	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// framesLate is the number of frames behind a part of a file that may have states of its frames.
const framesLate = 16

// each calls do with sessions that have the frames that a lens chooses, and late ones behind them. takes reports
// whether it chooses a frame.
func (c *capture) each(l report.Lens, late uint64, do func(s *process.Session, takes func(index uint64) bool)) error {
	if c.File == nil {
		takes := c.Takes(l)
		do(c.Session, func(index uint64) bool { return takes == nil || takes(0, index) })
		return nil
	}
	for numbers := c.Numbers(l); len(numbers) > 0; {
		from, n := numbers[0], 1
		for n < len(numbers) && numbers[n]-from < tables.NewestFrames {
			n++
		}
		to := min(numbers[n-1]+1+late, c.File.Frames())
		s := process.NewSession()
		s.SetHistoryLimits(process.HistoryLimits{Frames: int(to - from)})
		if _, err := c.File.Load(s, from, to); err != nil {
			return err
		}
		some, frames := map[uint64]bool{}, s.AppendFrames(nil, int(to-from))
		for _, number := range numbers[:n] {
			if at := len(frames) - int(to-number); at >= 0 {
				some[frames[at].Index] = true
			}
		}
		do(s, func(index uint64) bool { return some[index] })
		numbers = numbers[n:]
	}
	return nil
}

// all is the lens of every frame.
var all = report.Lens{Kind: report.LensAll}

// slowly returns the slow calls of all frames, those with the greatest excess, oldest first. seen is the number of all.
func (c *capture) slowly() (list []*report.SlowCall, seen uint64, err error) {
	if c.slowCalled != nil {
		return c.slowCalled, c.slowSeen, nil
	}
	list = []*report.SlowCall{}
	err = c.each(all, 0, func(s *process.Session, _ func(uint64) bool) {
		r := report.Report{WantCalls: true}
		s.View().AppendReport(&r)
		list, seen = append(list, r.SlowCalls...), seen+r.SlowSeen
		if len(list) > report.MaxSlowCalls {
			slices.SortStableFunc(list, func(a, b *report.SlowCall) int { return cmp.Compare(b.Excess(), a.Excess()) })
			list = list[:report.MaxSlowCalls]
		}
	})
	slices.SortStableFunc(list, func(a, b *report.SlowCall) int { return cmp.Compare(a.Frame, b.Frame) })
	if err == nil {
		c.slowCalled, c.slowSeen = list, seen
	}
	return list, seen, err
}

// locks returns the locks for which goroutines waited in the frames that a lens chooses. traced reports whether those
// of package sync are known.
func (c *capture) locks(l report.Lens) (list []report.Lock, traced bool, err error) {
	d := c.Session.Dump(report.DumpOptions{NoHistory: true, Locks: true})
	d.LockWaits = nil
	err = c.each(l, framesLate, func(s *process.Session, takes func(uint64) bool) {
		o := s.Dump(report.DumpOptions{NoHistory: true, Locks: true})
		d.Traced = d.Traced || o.Traced
		for _, w := range o.LockWaits {
			if !w.HasFrame || takes(w.Frame) {
				d.LockWaits = append(d.LockWaits, w)
			}
		}
	})
	v := process.NewView(c.Session)
	v.SetLens(l)
	d.Totals = report.AppendZoneTotals([]report.ZoneTotal{}, v.AppendTree(nil, v.Get()))
	if n := float64(v.Info().LensFrames); !l.Sums() {
		for i := range d.Totals {
			t := &d.Totals[i]
			t.Count, t.Hier = t.Count*n, t.Hier*n
		}
	}
	return d.Locks(), d.Traced, err
}
