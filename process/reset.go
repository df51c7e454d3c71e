package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/verdict"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/process/totals"
)

// measured is all that Reset forgets.
type measured struct {
	past     history.Ring
	numbers  history.Numbers
	live     history.Smoother // all lanes merged
	digested uint64           // next frame for live and the series
	single   history.Smoother // the lane last viewed alone
	lane     history.LaneHistory
	totals   totals.Tally
	own      history.OwnSeries
	stats    history.Statistics
	kinds    history.ChargeKinds
	windows  history.Windows // of the history, sorted
	marks    history.Marks   // of the history
	states   history.States
	calls    history.Calls     // of single calls
	lens     history.LensMeans // the frames of the last lens
	slow     history.Slowest   // the slowest frames
	bounds   history.Bounds    // of the history
	rate     history.Rate
	hold     history.LengthHold
	causes   verdict.Finder // of slow frames
}

// undoSeconds is how long UndoReset can bring back what Reset threw away, in seconds of frames. It bounds how long
// there are two histories in memory.
const undoSeconds = 60

// aside is what the last Reset threw away.
type aside struct {
	measured
	kept      bool            // it can be brought back
	until     float64         // on the clock of the current history
	events    timeline.Copies // of slow frames
	births    []uint64        // of paths
	age       int             // of the view
	shownKept uint64          // View.Kept
}

// Reset drops all measurements: history, averages and totals. The names of zones and lanes stay, and the view except
// for its age. UndoReset brings them back for a minute, unless there were more distinct stacks than fit.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	if s.interrupt(); s.tree.Folded > 0 {
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
func (s *intake) interrupt() {
	if !s.running() {
		return
	}
	s.front.mu.Lock()
	s.front.frames.forget()
	gather.CollectReset(&s.peek)
	s.front.progress.begin(&s.peek)
	s.front.mu.Unlock()
	if !s.paused && valid(&s.peek) {
		s.learn(&s.peek)
		s.sums().Add(&s.peek)
		s.numbers.Total(&s.peek)
	}
}

// begin puts the measurements aside, and begins anew.
func (s *intake) begin() {
	s.dropAside()
	s.swapMeasured()
	s.past = s.aside.past
	s.past.Clear()
	s.keepSettings()
	s.calls.Restart(s.readCalls(nil))
}

// forget drops all measurements for good: those of other frames would mean nothing beside them.
func (s *intake) forget() {
	s.late = history.LateStates{}
	s.begin()
	s.dropAside()
}

// dropAside forgets what the last Reset threw away.
func (s *store) dropAside() {
	s.aside.events.Forget()
	s.aside = aside{}
}

// swapMeasured exchanges the measurements and those that were put aside. The settings that are among them stay.
func (s *intake) swapMeasured() {
	a := &s.aside
	s.sums().EmptySeats()
	births := make([]uint64, len(s.tree.Paths))
	for i := range births {
		births[i] = s.tree.Paths[i].Birth
		s.tree.Paths[i].Birth = a.past.Next
		if i < len(a.births) {
			s.tree.Paths[i].Birth = a.births[i]
		}
	}
	s.measured, a.measured = a.measured, s.measured
	s.totals.SwapSeats(&a.totals) // their memory serves again
	s.timeline.Copies, a.events = a.events, s.timeline.Copies
	s.timeline.Void()
	s.view.Age, a.age = a.age, s.view.Age
	s.view.Kept, a.shownKept = a.shownKept, s.view.Kept
	s.lengths = history.Lengths{}
	a.births, a.until = births, s.past.Clock+undoSeconds
	a.kept = a.past.Next > 0
}

// keepSettings gives the measurements the settings of those that were put aside just now, and new version numbers.
func (s *store) keepSettings() {
	o := &s.aside.measured
	s.totals.Replace(&o.totals)
	s.marks.Count, s.states.Changes = max(s.marks.Count, o.marks.Count), o.states.Changes+1
	s.bounds.Seconds, s.bounds.Bytes = o.bounds.Seconds, o.bounds.Bytes
	if s.past.Want != o.past.Want || s.past.WantFull != o.past.WantFull {
		s.resize(o.past.Want, o.past.WantFull)
	}
	s.keep(o.slow.Most)
}

// dropOldAside drops what was put aside too long ago.
func (s *store) dropOldAside() {
	if s.aside.kept && s.past.Clock > s.aside.until {
		s.dropAside()
	}
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
	s.takeRows(&other.builder)
	s.takeMeasures(&other.intake)
	s.takeNames(&other.intake)
	other.ready = false
	s.clamp(&s.view)
}

// takeRows takes the memory of rows. What the user chose is found again by its zones in the other's tree.
func (s *builder) takeRows(o *builder) {
	s.marked.path = o.tree.Same(&s.tree, s.marked.path)
	folded := make(map[int32]bool, len(s.folded))
	for path, is := range s.folded {
		if at := o.tree.Same(&s.tree, path); at >= 0 {
			folded[at] = is
		}
	}
	s.folded = folded
	s.forgetRows()
	s.rows, o.rows = o.rows, s.rows
}

// forgetRows forgets what has the numbers of the program's zones and paths.
func (s *builder) forgetRows() {
	s.rows, s.compared, s.arranger = rows{}, report.Comparison{}, report.Arranger{}
}

// takeMeasures takes what is counted and timed.
func (s *intake) takeMeasures(o *intake) {
	epoch, version := s.totals.Epoch+o.totals.Epoch+1, s.totals.Version+o.totals.Version+1
	timeline := s.timeline.Epoch + o.timeline.Epoch + 1
	s.dropAside()
	take(&s.measured, &o.measured)
	s.lengths = history.Lengths{}
	s.feed.source, s.hot.given = o.feed.source, o.hot.given
	take(&s.events, &o.events)
	take(&s.timeline, &o.timeline)
	s.totals.Epoch, s.totals.Version, s.timeline.Epoch = epoch, version, timeline
}

// takeNames takes zones, lanes and paths, and what has their numbers.
func (s *intake) takeNames(o *intake) {
	take(&s.tree, &o.tree)
	take(&s.zones, &o.zones)
	take(&s.lanes, &o.lanes)
	take(&s.values, &o.values)
	take(&s.byZone, &o.byZone)
	take(&s.charged, &o.charged)
	s.misuse, s.dropped, s.limit, s.cost = o.misuse, o.dropped, o.limit, o.cost
	s.fed, s.budget = true, o.budget
}

// take moves a value.
func take[T any](to, from *T) {
	var none T
	*to, *from = *from, none
}
