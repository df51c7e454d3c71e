package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/totals"
)

// Reset drops all measurements: history, averages and totals. The names of zones and lanes stay, and the view except
// for its age. UndoReset brings them back for a minute, unless there were more distinct stacks than fit.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	if s.data.interrupt(); s.data.Tree.Folded > 0 {
		s.data.forgetProgram() // a new tree has room for other stacks
		return
	}
	s.data.begin()
}

// UndoReset brings back the frames before the last Reset, and puts those since then aside. A second call exchanges them
// again. It reports whether there was anything to bring back: Reset keeps it for a minute of frames, and until another
// Reset, and not where the frames are another program's by then. Any goroutine may call it.
func (s *Session) UndoReset() bool {
	s.change()
	defer s.mu.Unlock()
	if !s.data.Aside.Kept {
		return false
	}
	s.data.interrupt()
	if !s.data.Aside.Kept { // the frames are another program's since
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

// interrupt ends the unfinished frame. What it has measured counts in the totals.
func (s *intake) interrupt() {
	if !s.Running() {
		return
	}
	s.front.mu.Lock()
	s.front.frames.forget()
	gather.CollectReset(&s.Peek)
	s.front.progress.begin(&s.Peek)
	s.front.mu.Unlock()
	if !s.Paused && totals.Valid(&s.Peek) {
		s.learn(&s.Peek)
		s.Sums().Add(&s.Peek)
		s.Numbers.Total(&s.Peek)
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
}

// forget drops all measurements for good: those of other frames would mean nothing beside them.
func (s *intake) forget() {
	s.Late = history.LateStates{}
	s.begin()
	s.DropAside()
}

// swapMeasured exchanges the measurements and those that were put aside. The settings that are among them stay.
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
	s.Totals.SwapSeats(&a.Totals) // their memory serves again
	s.Timeline.Copies, a.Events = a.Events, s.Timeline.Copies
	s.Timeline.Void()
	s.View.Age, a.Age = a.Age, s.View.Age
	s.View.Kept, a.ShownKept = a.ShownKept, s.View.Kept
	s.Lengths = history.Lengths{}
	a.Births, a.Until = births, s.Past.Clock+store.UndoSeconds
	a.Kept = a.Past.Next > 0
}

// Adopt takes over the frames, names, totals and limits that another session has, and forgets its own. The view of s
// stays: the chosen record and what is folded are found again by their zones; a pinned baseline is forgotten. The other
// session is empty afterwards and must not be used any more. It is for a capture whose newest frames are shown while
// the rest is read into another session. Adopting itself does nothing. Any goroutine may call it.
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

// takeMeasures takes what is counted and timed.
func (s *intake) takeMeasures(o *intake) {
	epoch, version := s.Totals.Epoch+o.Totals.Epoch+1, s.Totals.Version+o.Totals.Version+1
	timeline := s.Timeline.Epoch + o.Timeline.Epoch + 1
	s.DropAside()
	store.Take(&s.Measured, &o.Measured)
	s.Lengths = history.Lengths{}
	s.Feed.Source = o.Feed.Source
	s.giveHot(o.hot.given)
	store.Take(&s.Events, &o.Events)
	store.Take(&s.Timeline, &o.Timeline)
	s.Totals.Epoch, s.Totals.Version, s.Timeline.Epoch = epoch, version, timeline
}

// takeNames takes zones, lanes and paths, and what has their numbers.
func (s *intake) takeNames(o *intake) {
	store.Take(&s.Tree, &o.Tree)
	store.Take(&s.Zones, &o.Zones)
	store.Take(&s.Lanes, &o.Lanes)
	store.Take(&s.Values, &o.Values)
	store.Take(&s.ByZone, &o.ByZone)
	store.Take(&s.Charged, &o.Charged)
	s.Misuse, s.Dropped, s.Limit, s.Cost = o.Misuse, o.Dropped, o.Limit, o.Cost
	s.BeFed()
	s.Budget = o.Budget
}
