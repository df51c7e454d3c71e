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
	d := fillDump(&dumped{s, s.past.next}, o, time.Now())
	if !o.NoHistory {
		d.Statistics = s.dumpStatistics()
	}
	return d
}

// AppendTotals appends the merged tree of everything since start or Reset, as AppendTree does for one frame.
func (s *Session) AppendTotals(dst []TreeNode) []TreeNode {
	s.lock()
	defer s.mu.Unlock()
	s.fillUnfinished()
	if len(s.totals.order)+len(s.peek.Lanes) == 0 {
		return dst
	}
	t := s.totals.totals(s, &s.peek)
	return append(dst, t.Merged...)
}

// dumped is a locked Session as a source of Dumps.
type dumped struct {
	*Session
	next uint64 // of its history, when the Dump was begun
}

func (d *dumped) dumpTotals() dumpTotals {
	s := d.Session
	s.fillUnfinished()
	t := s.totals.totals(s, &s.peek)
	t.Frames, t.Budget = s.past.next, s.budget
	i := s.info(&s.view, s.past.age(s.view.Age))
	i.Frames = max(i.Frames, 1) // sums need no frame: that none has ended is no fault here
	t.Warnings = s.appendWarnings(nil, &i)
	return t
}

// fillUnfinished makes s.peek the frame in progress: nothing, in a session that is not the program's or is paused.
func (s *Session) fillUnfinished() {
	if s.running() && !s.paused {
		gather.Peek(&s.peek)
		if valid(&s.peek) {
			s.learn(&s.peek)
			return
		}
	}
	s.peek = gather.Frame{Zones: s.zones, TicksPerSecond: 1e9}
	if p := s.past.age(0); p != nil {
		s.peek.TicksPerSecond = 1000 / p.perTick
	}
}

func (d *dumped) dumpHistory(frames int) []FrameSummary {
	return d.Session.appendFrames(nil, frames)
}

func (d *dumped) dumpSeries(frames, zones int) []Series {
	return d.Session.appendTopSeries(nil, frames, zones, -1)
}

// dumpTree lets others have the session before each tree: there may be hundreds, and a program's Update waits for it. Frames
// that end meanwhile make those of the Dump older; what has fallen out of the history is gone.
func (d *dumped) dumpTree(age int) []TreeNode {
	s := d.Session
	s.mu.Unlock()
	s.mu.Lock()
	if s.past.next < d.next { // Reset
		return nil
	}
	v := View{Age: age + int(s.past.next-d.next), Average: Instant}
	if p := s.load(&v); p == nil || p.lost || len(s.tree.paths) == 0 {
		return nil
	}
	return s.appendBranch(nil)
}
