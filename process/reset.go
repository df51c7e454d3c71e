package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
)

// Reset drops all measurements: history, averages and totals. The names of zones and lanes stay, and so does the view
// except for its age. UndoReset can bring the measurements back for a minute, unless there were more distinct stacks
// than fit, or the memory that they take does not fit beside that for measuring: see gather.Limits.
// Sinks first get the frame in progress and the frames that wait: see AddSink.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	s.frames.interrupt()
	s.sums.peek = gather.Frame{} // it has grown to the nodes of all goroutines
	if s.store.Forgotten = ""; s.store.Tree.Folded > 0 {
		s.frames.forgetPaths() // a new tree has room for other stacks
		return
	}
	s.frames.begin()
}

// UndoReset brings back the frames before the last Reset, and puts the frames since then aside. A second call exchanges
// them again. It reports whether there was anything to bring back. Reset keeps the old frames for a minute of new
// frames, and until another Reset or the first frame of another program. Any goroutine may call it.
func (s *Session) UndoReset() bool {
	s.change()
	defer s.mu.Unlock()
	if !s.store.Aside.Kept {
		return false
	}
	s.frames.interrupt()
	if !s.store.Aside.Kept { // the new frames are another program's
		return false
	}
	s.frames.swapMeasured()
	s.store.KeepSettings()
	s.store.Judge()
	return true
}

// CanUndoReset reports whether UndoReset would bring back anything. Any goroutine may call it.
func (s *Session) CanUndoReset() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Aside.Kept
}

// interrupt ends the unfinished frame. Its measurements, and those of the frames that wait, count in the totals.
func (in *intake) interrupt() {
	if !in.store.Running() {
		return
	}
	in.settleAwaited(true)
	collect := measure.CollectReset
	if in.front.set != nil {
		collect = in.front.set.Collect
	}
	last := in.end(collect, in.store.Paused)
	for f := (*waitingFrame)(nil); f != last; { // frames that end after it belong to the time after the Reset
		f, _ = in.front.oldest()
		in.front.isComplete(&f.Frame, true)
		in.settle(f)
	}
}

// begin puts the measurements aside, and begins anew.
func (in *intake) begin() {
	in.store.DropAside()
	in.views.each((*View).dropAside)
	in.swapMeasured()
	in.store.Past = in.store.Aside.Past
	in.store.Past.Clear()
	in.store.KeepSettings()
	in.store.RestartCalls()
	in.store.DropOldAside()
}

// forget drops all measurements for good: they have no meaning beside another program's frames.
func (in *intake) forget() {
	in.store.Late = history.LateStates{}
	in.begin()
	in.store.DropAside()
}

// swapMeasured exchanges the measurements with those put aside. The settings among them stay.
func (in *intake) swapMeasured() {
	a := &in.store.Aside
	in.store.Sums().EmptySeats()
	births := make([]uint64, len(in.store.Tree.Paths))
	for i := range births {
		births[i] = in.store.Tree.Paths[i].Birth
		in.store.Tree.Paths[i].Birth = a.Past.Next
		if i < len(a.Births) {
			in.store.Tree.Paths[i].Birth = a.Births[i]
		}
	}
	in.store.Measured, a.Measured = a.Measured, in.store.Measured
	in.store.Totals.SwapSeats(&a.Totals) // they have room for the ids of the program's nodes
	in.store.Timeline.Copies, a.Events = a.Events, in.store.Timeline.Copies
	in.store.Timeline.Void()
	in.views.each((*View).turn)
	in.store.Lengths = history.Lengths{}
	a.Births, a.Until = births, in.store.Past.Clock+store.UndoSeconds
	a.Kept, a.Bytes = a.Past.Next > 0 || !a.Totals.Empty(), a.Memory()
}

// Adopt replaces the session's frames, names, totals and limits with those of another session. The view of s stays: the
// chosen record and the folded rows are found again by their zones. A pinned baseline is forgotten. The other session
// is empty afterwards and must not be used any more. Use Adopt for a capture whose newest frames are shown while the
// rest is read into another session. Adopting itself does nothing. Any goroutine may call it.
func (s *Session) Adopt(other *Session) {
	if s == other {
		return
	}
	s.change()
	defer s.mu.Unlock()
	other.lock()
	defer other.mu.Unlock()
	s.views.each(func(v *View) { v.rows.Find(&other.store.Tree) })
	s.frames.takeMeasures(&other.frames)
	s.sources.Hot, s.sources.Allocated = other.sources.Hot, other.sources.Allocated
	s.sources.bring(&s.store)
	s.frames.takeNames(&other.frames)
	other.ready = false
	s.views.each(func(v *View) { v.rows.Clamp(&v.rows.View) })
}

// takeMeasures takes counts and times.
func (in *intake) takeMeasures(o *intake) {
	epoch, timeline := in.store.Totals.Epoch+o.store.Totals.Epoch+1, in.store.Timeline.Epoch+o.store.Timeline.Epoch+1
	in.store.DropAside()
	store.Take(&in.store.Measured, &o.store.Measured)
	in.store.Lengths = history.Lengths{}
	in.store.Feed.Source = o.store.Feed.Source
	store.Take(&in.store.Events, &o.store.Events)
	store.Take(&in.store.Timeline, &o.store.Timeline)
	in.store.Totals.Epoch, in.store.Timeline.Epoch = epoch, timeline
}

// takeNames takes zones, lanes and paths, and the data that refers to their numbers.
func (in *intake) takeNames(o *intake) {
	store.Take(&in.store.Tree, &o.store.Tree)
	store.Take(&in.store.Zones, &o.store.Zones)
	store.Take(&in.named, &o.named)
	store.Take(&in.store.Origin, &o.store.Origin)
	store.Take(&in.store.Lanes, &o.store.Lanes)
	store.Take(&in.store.Values, &o.store.Values)
	store.Take(&in.store.ByZone, &o.store.ByZone)
	store.Take(&in.store.Charged, &o.store.Charged)
	in.store.Misuse = o.store.Misuse
	in.store.Dropped = o.store.Dropped
	in.store.Limit = o.store.Limit
	in.store.Cost = o.store.Cost
	in.store.BeFed()
	in.store.Wanted = o.store.Wanted
	in.store.FindKind()
}
