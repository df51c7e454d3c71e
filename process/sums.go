package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// sums reads the sums since the start: the totals of the store, the frames that wait, and the frame in progress.
type sums struct {
	store  *store.Store
	frames *intake
	peek   gather.Frame // scratch: the frame in progress
}

// LaneTotals has the times of zones on each lane since start or Reset: see Session.LaneTotals.
type (
	LaneTotals = totals.LaneTotals
	LaneZones  = totals.LaneZones
)

// Whole has the sums of a file's frames, for a session whose history has only some of them: see HistoryLimits.
type Whole = totals.Whole

// TotalsSource reads frames of a file that are not in the history, and TotalsChoice sums some of them: see Whole.
type (
	TotalsSource = totals.Source
	TotalsChoice = totals.Choice
)

// AppendTotals appends the merged tree of all measurements since start or Reset, in the form of AppendTree. Any
// goroutine may call it.
func (s *Session) AppendTotals(dst []report.TreeNode) []report.TreeNode {
	s.lock()
	defer s.mu.Unlock()
	return s.sums.append(dst)
}

// LaneTotals fills dst. Any goroutine may call it.
func (s *Session) LaneTotals(dst *totals.LaneTotals) {
	s.lock()
	defer s.mu.Unlock()
	r, f, _ := s.sums.read()
	r.Lanes(s.store.Sums(), f, dst)
}

// append appends the merged tree of all measurements.
func (t *sums) append(dst []report.TreeNode) []report.TreeNode {
	if !t.isLive() && t.store.Sums().Empty() && len(t.waiting()) == 0 {
		return dst // a panel asks for it each time that it is drawn
	}
	r, f, _ := t.read()
	return append(dst, r.Sums(t.store.Sums(), f, report.DumpOptions{NoLanes: true}).Merged...)
}

// isLive reports whether a frame of the session is in progress.
func (t *sums) isLive() bool {
	return t.store.Running() && !t.store.Paused && !t.frames.front.isOutside()
}

// read reads the frames that the totals do not have: the frame in progress, lane by lane, and those that wait. It
// returns the zones and the clock in f, and the number of finished frames. It fills t.peek, but for the lanes.
func (t *sums) read() (r *totals.Reading, f *gather.Frame, frames uint64) {
	r, f, frames = new(totals.Reading), &gather.Frame{TicksPerSecond: 1e9}, t.store.Past.Next
	if t.isLive() {
		t.peekEach(func(l *gather.LaneFrame) { r.AddLane(&t.peek, l, false) })
		t.frames.learn(&t.peek)
		r.AddFrame(&t.peek)
		f.TicksPerSecond, frames = t.peek.TicksPerSecond, t.store.Past.Next
	} else if rate := t.store.Clock.PerSecond; rate > 0 {
		f.TicksPerSecond = rate
	}
	for _, w := range t.waiting() {
		for i := range w.Lanes {
			r.AddLane(&w.Frame, &w.Lanes[i], true)
		}
		if t.store.Paused {
			t.frames.learn(&w.Frame)
		}
		r.AddFrame(&w.Frame)
		if f.TicksPerSecond = w.TicksPerSecond; !w.cut {
			frames++
		}
	}
	f.Zones = t.store.Zones
	return r, f, frames
}

// waiting returns the frames that the totals do not have yet. In a live session they ended before the frame in t.peek
// began.
func (t *sums) waiting() (list []*waitingFrame) {
	t.frames.front.mu.Lock()
	defer t.frames.front.mu.Unlock()
	for _, w := range t.frames.front.frames.list {
		if !w.paused && w.Origin == t.store.Origin && (t.store.Paused || w.Index < t.peek.Index) {
			list = append(list, w)
		}
	}
	return list
}

// unfinished returns the frames that a Dump includes but the totals do not: those that wait, and at last the frame in
// progress, in t.peek, if there is one.
func (t *sums) unfinished() (list []*gather.Frame) {
	for _, w := range t.waiting() {
		list = append(list, &w.Frame)
	}
	if t.isLive() {
		list = append(list, &t.peek)
	}
	return list
}

// beginning returns the running program's first frame, which has not ended, for programs that never call Update. It is
// nil in other sessions, and without a valid frame.
func (t *sums) beginning() *history.Frame {
	if !t.store.Running() {
		return nil
	}
	t.peekAll()
	if !totals.Valid(&t.peek) {
		return nil
	}
	t.frames.learn(&t.peek)
	p := &t.store.First
	*p = p.Empty()
	t.store.PruneLanes()
	p.Begin(&t.peek)
	t.store.Settle(p, t.store.Log(p, &t.peek, false))
	t.store.Past.Clock = 0
	return p
}

// peekAll reads the frame in progress of the session's set into t.peek.
func (t *sums) peekAll() {
	if set := t.frames.front.set; set != nil {
		set.Peek(&t.peek)
		return
	}
	measure.Peek(&t.peek)
}

// peekEach is peekAll for frames with very many nodes: see gets the lanes.
func (t *sums) peekEach(see func(l *gather.LaneFrame)) {
	if set := t.frames.front.set; set != nil {
		set.PeekEach(&t.peek, see)
		return
	}
	measure.PeekEach(&t.peek, see)
}
