package process

import (
	"time"

	"example.com/iprof/gather"
)

// Dump returns everything since start or Reset as plain data, open zones and the unfinished frame included, paused time not.
// Nothing measured changes by it.
func (s *Session) Dump(o DumpOptions) *Dump {
	s.lock()
	defer s.mu.Unlock()
	return fillDump((*dumped)(s), o, time.Now())
}

// AppendTotals appends the merged tree of everything since start or Reset, as AppendTree does for one frame.
func (s *Session) AppendTotals(dst []TreeNode) []TreeNode {
	s.lock()
	defer s.mu.Unlock()
	t := (*dumped)(s).dumpTotals()
	return append(dst, t.Merged...)
}

// dumped is a locked Session as a source of Dumps.
type dumped Session

func (d *dumped) dumpTotals() (t dumpTotals) {
	s := (*Session)(d)
	perSecond := s.unfinishedTicks()
	t = dumpTotals{TicksPerSecond: perSecond, Frames: s.past.next, Budget: s.budget}
	s.totals.with(&s.peek, func() {
		t.Zones = s.zones
		t.Merged, t.Lanes = s.totals.trees(perSecond, s.zones)
		t.RunTime = time.Duration(float64(s.totals.ticks) / perSecond * 1e9)
	})
	t.ScopeCost = s.cost / perSecond * 1e9
	i := s.info(&s.view, s.past.age(s.view.Age))
	t.Warnings = append(t.Warnings, s.appendWarnings(nil, &i)...)
	return t
}

// unfinishedTicks fills s.peek with the frame in progress (nothing, in a session that is not the program's or is paused) and
// returns the clock's rate.
func (s *Session) unfinishedTicks() float64 {
	s.peek.Lanes, s.peek.Begin, s.peek.End = s.peek.Lanes[:0], 0, 0
	if s == &standard && !s.paused {
		gather.Peek(&s.peek)
		if valid(&s.peek) {
			s.zones = s.peek.Zones
			s.cost = float64(s.peek.ScopeCost) / 1024
			s.misuse, s.dropped, s.notes = s.peek.Misuse, s.peek.Dropped, s.peek.Misuse.Notes
		} else {
			s.peek.Lanes = s.peek.Lanes[:0]
		}
	}
	if p := s.past.age(0); p != nil && !(s.peek.TicksPerSecond > 0) {
		return 1000 / p.perTick
	}
	return max(s.peek.TicksPerSecond, 1)
}

func (d *dumped) dumpHistory(frames int) []FrameSummary {
	return (*Session)(d).appendFrames(nil, frames)
}

func (d *dumped) dumpSeries(frames, zones int) []Series {
	all := (*Session)(d).appendAllSeries(nil, frames)
	return all[:min(zones, len(all))]
}

func (d *dumped) dumpTree(age int) []TreeNode {
	s := (*Session)(d)
	v := View{Age: age, Average: Instant}
	if p := s.load(&v); p == nil || p.records == nil || len(s.tree.paths) == 0 {
		return nil
	}
	return s.appendBranch(nil)
}
