package process

import "example.com/iprof/gather"

// measured is all that Reset forgets.
type measured struct {
	past     history
	numbers  frameValues
	live     smoother // all lanes merged
	digested uint64   // next frame for live and the traces
	single   smoother // the lane last viewed alone
	lane     laneHistory
	totals   tally
	own      ownTraces
	stats    stats
	kinds    chargeKinds
	windows  windows   // of the history, sorted
	marks    userMarks // of the history
	states   laneStates
	waits    waitRows  // of the columns of states
	calls    callStats // of single calls
	lens     lensed    // the frames of the last lens
	slow     kept      // the slowest frames
	bounds   bounds    // of the history
	rate     rate
	hold     lengthHold
	causes   finder // of slow frames
}

// undoSeconds is how long UndoReset can bring back what Reset threw away, in seconds of frames. It bounds how long
// there are two histories in memory.
const undoSeconds = 60

// aside is what the last Reset threw away.
type aside struct {
	measured
	kept      bool     // it can be brought back
	until     float64  // on the clock of the current history
	events    copies   // of slow frames
	births    []uint64 // of paths
	age       int      // of the view
	shownKept uint64   // View.Kept
}

// Reset drops all measurements: history, averages and totals. The names of zones and lanes stay, and the view except
// for its age. UndoReset brings them back for a minute, unless there were more distinct stacks than fit.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	if s.interrupt(); s.tree.folded > 0 {
		s.forgetProgram() // a new tree has room for other stacks
		return
	}
	s.begin()
}

// UndoReset brings back what the last Reset threw away, and puts away what was measured since. A second call exchanges
// them again. It reports whether there was anything to bring back: Reset keeps it for a minute of frames, and until
// another Reset, and not where the frames are another program's by then. Any goroutine may call it.
func (s *Session) UndoReset() bool {
	s.change()
	defer s.mu.Unlock()
	if !s.aside.kept {
		return false
	}
	s.interrupt()
	if !s.aside.kept { // the frames are another program's since
		return false
	}
	s.swapMeasured()
	s.keepSettings()
	s.judge()
	return true
}

// CanUndoReset reports whether UndoReset would bring back anything. Any goroutine may call it.
func (s *Session) CanUndoReset() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.aside.kept
}

// interrupt ends the unfinished frame. What it has measured counts in the totals.
func (s *Session) interrupt() {
	if !s.running() {
		return
	}
	s.awaited.length = 0
	gather.CollectReset(&s.peek)
	s.progress.begin(&s.peek)
	if !s.paused && valid(&s.peek) {
		s.learn(&s.peek)
		s.sums().add(&s.peek)
		s.numbers.total(&s.peek)
	}
}

// begin puts the measurements aside, and begins anew.
func (s *Session) begin() {
	s.dropAside()
	s.swapMeasured()
	s.past = s.aside.past
	s.past.clear()
	s.keepSettings()
	s.calls.restart(s.readCalls(nil))
}

// forget drops all measurements for good: those of other frames would mean nothing beside them.
func (s *Session) forget() {
	s.late = lateStates{}
	s.begin()
	s.dropAside()
}

func (s *Session) dropAside() {
	s.aside.events.forget()
	s.aside = aside{}
}

// swapMeasured exchanges the measurements and those that were put aside. The settings that are among them stay.
func (s *Session) swapMeasured() {
	a := &s.aside
	s.sums().emptySeats()
	births := make([]uint64, len(s.tree.paths))
	for i := range births {
		births[i] = s.tree.paths[i].birth
		s.tree.paths[i].birth = a.past.next
		if i < len(a.births) {
			s.tree.paths[i].birth = a.births[i]
		}
	}
	s.measured, a.measured = a.measured, s.measured
	s.totals.swapSeats(&a.totals) // their memory serves again
	s.timeline.copies, a.events = a.events, s.timeline.copies
	s.timeline.void()
	s.view.Age, a.age = a.age, s.view.Age
	s.view.Kept, a.shownKept = a.shownKept, s.view.Kept
	s.rows.lengthsOf = 0
	a.births, a.until = births, s.past.clock+undoSeconds
	a.kept = a.past.next > 0
}

// keepSettings gives the measurements the settings of those that were put aside just now, and new version numbers.
func (s *Session) keepSettings() {
	o := &s.aside.measured
	s.totals.replace(&o.totals)
	s.marks.count, s.states.changes = max(s.marks.count, o.marks.count), o.states.changes+1
	s.bounds.seconds, s.bounds.bytes = o.bounds.seconds, o.bounds.bytes
	if s.past.want != o.past.want || s.past.wantFull != o.past.wantFull {
		s.resize(o.past.want, o.past.wantFull)
	}
	s.keep(o.slow.most)
}

// dropOldAside drops what was put aside too long ago.
func (s *Session) dropOldAside() {
	if s.aside.kept && s.past.clock > s.aside.until {
		s.dropAside()
	}
}
