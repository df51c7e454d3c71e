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
	s.data.interrupt()
	s.data.Peek = gather.Frame{} // it has grown to the nodes of all goroutines
	if s.data.Forgotten = ""; s.data.Tree.Folded > 0 {
		s.data.forgetPaths() // a new tree has room for other stacks
		return
	}
	s.data.begin()
}

// UndoReset brings back the frames before the last Reset, and puts the frames since then aside. A second call exchanges
// them again. It reports whether there was anything to bring back. Reset keeps the old frames for a minute of new
// frames, and until another Reset or the first frame of another program. Any goroutine may call it.
func (s *Session) UndoReset() bool {
	s.change()
	defer s.mu.Unlock()
	if !s.data.Aside.Kept {
		return false
	}
	s.data.interrupt()
	if !s.data.Aside.Kept { // the new frames are another program's
		return false
	}
	s.data.swapMeasured()
	s.data.KeepSettings()
	s.data.Judge()
	return true
}

// CanUndoReset reports whether UndoReset would bring back anything. Any goroutine may call it.
func (s *Session) CanUndoReset() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.data.Aside.Kept
}

// interrupt ends the unfinished frame. Its measurements, and those of the frames that wait, count in the totals.
func (s *intake) interrupt() {
	if !s.Running() {
		return
	}
	s.settleAwaited(true)
	last := s.end(measure.CollectReset, s.Paused)
	for f := (*waitingFrame)(nil); f != last; { // frames that end after it belong to the time after the Reset
		f, _ = s.front.oldest()
		measure.Complete(&f.Frame, true)
		s.settle(f)
	}
}

// begin puts the measurements aside, and begins anew.
func (s *intake) begin() {
	s.DropAside()
	s.swapMeasured()
	s.Past = s.Aside.Past
	s.Past.Clear()
	s.KeepSettings()
	s.Calls.Restart(s.ReadCalls(nil))
	s.DropOldAside()
}

// forget drops all measurements for good: they have no meaning beside another program's frames.
func (s *intake) forget() {
	s.Late = history.LateStates{}
	s.begin()
	s.DropAside()
}

// swapMeasured exchanges the measurements with those put aside. The settings among them stay.
func (s *intake) swapMeasured() {
	a := &s.Aside
	s.Sums().EmptySeats()
	births := make([]uint64, len(s.Tree.Paths))
	for i := range births {
		births[i] = s.Tree.Paths[i].Birth
		s.Tree.Paths[i].Birth = a.Past.Next
		if i < len(a.Births) {
			s.Tree.Paths[i].Birth = a.Births[i]
		}
	}
	s.Measured, a.Measured = a.Measured, s.Measured
	s.Totals.SwapSeats(&a.Totals) // they have room for the ids of the program's nodes
	s.Timeline.Copies, a.Events = a.Events, s.Timeline.Copies
	s.Timeline.Void()
	s.View.Age, a.Age = a.Age, s.View.Age
	s.View.Kept, a.ShownKept = a.ShownKept, s.View.Kept
	s.Lengths = history.Lengths{}
	a.Births, a.Until = births, s.Past.Clock+store.UndoSeconds
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
	s.data.TakeRows(&other.data.Builder)
	s.data.takeMeasures(&other.data)
	s.data.takeNames(&other.data)
	other.ready = false
	s.data.Clamp(&s.data.View)
}

// takeMeasures takes counts and times.
func (s *intake) takeMeasures(o *intake) {
	epoch, timeline := s.Totals.Epoch+o.Totals.Epoch+1, s.Timeline.Epoch+o.Timeline.Epoch+1
	s.DropAside()
	store.Take(&s.Measured, &o.Measured)
	s.Lengths = history.Lengths{}
	s.Feed.Source = o.Feed.Source
	s.giveHot(o.hot.given)
	store.Take(&s.Events, &o.Events)
	store.Take(&s.Timeline, &o.Timeline)
	s.Totals.Epoch, s.Timeline.Epoch = epoch, timeline
}

// takeNames takes zones, lanes and paths, and the data that refers to their numbers.
func (s *intake) takeNames(o *intake) {
	store.Take(&s.Tree, &o.Tree)
	store.Take(&s.Zones, &o.Zones)
	store.Take(&s.named, &o.named)
	store.Take(&s.Origin, &o.Origin)
	store.Take(&s.Lanes, &o.Lanes)
	store.Take(&s.Values, &o.Values)
	store.Take(&s.ByZone, &o.ByZone)
	store.Take(&s.Charged, &o.Charged)
	s.Misuse, s.Dropped, s.Limit, s.Cost = o.Misuse, o.Dropped, o.Limit, o.Cost
	s.BeFed()
	s.Budget = o.Budget
}
