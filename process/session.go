package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Session holds the history of a program's frames, the view of it, and the controls of the view. The zero value is
// ready. Any goroutine may call any method. Methods hold the session's lock. Zones and Update never wait for it: a
// frame that ends while a method runs is taken in when that returns.
type Session struct {
	mu    mutex
	ready bool
	Tracers
	intake
	program report.Program
	spawns  func() []report.Spawn
}

// intake takes frames in: of the running program, of WriteFrame, and what interrupts them.
type intake struct {
	builder
	front    front // what Update needs
	sinks    []*sink
	settings settings
	hot      hotFeed
}

// builder makes reports of what a store has, for the view that is shown.
type builder struct {
	store
	view        report.View
	pointed     bool // the user chose a record, or the view has been set
	marked      mark // that record; not set while only its index is known
	chosen      bool // the user chose the record, after the cursor last went to the zone of a cause
	zoneBudgets zoneBudgets
	folded      map[int32]bool // paths of the call tree that the user folded or unfolded
	rows        rows           // scratch of reports
	arranger    report.Arranger
	compared    report.Comparison
	grouped     []report.TreeNode // scratch of groupings
	last        report.Report     // scratch of Select and the like
	followed    report.Verdict    // scratch of follow
	waits       waitRows          // of the columns of states
	idleOutside bool              // of the report that is made: see setIdleOutside
	joined      uint64            // Updates that ended no frame: see front

	// unfinished returns the running program's first frame as it is so far, for programs that never call Update. It is
	// nil in other sessions, and returns nil without a frame.
	unfinished func() *history.Frame
}

// store has what was measured, and the settings by which it is judged. What it computes has no rows and no words.
type store struct {
	ours bool   // the program's own session
	gen  uint64 // changes with everything that is shown
	measured
	aside     aside // what the last Reset forgot
	tree      history.Tree
	zones     []gather.ZoneInfo
	events    eventDriven
	lanes     history.Lanes
	values    []history.Value     // scratch: by path
	byZone    []history.ZoneValue // scratch: by zone
	charged   history.ChargeList  // scratch: of values, byZone and rows
	touched   history.Touched     // scratch: of Digest
	feed      callFeed
	paused    bool
	fed       bool               // by WriteFrame
	late      history.LateStates // for the sinks
	budget    time.Duration
	pinned    int32 // length of the pinned path, while a view with one is loaded
	misuse    gather.Misuse
	dropped   gather.Dropped
	limit     float64 // see gather.Frame
	cost      float64 // of one scope, ticks
	clock     clock   // of the latest frame
	recording bool
	peek      gather.Frame
	first     history.Frame // the unfinished first frame
	timeline  timeline.Reader
	wakers    []history.Waker // memory of waitedInStates
	matched   []int32         // by path: how many zones of the pinned path are on its stack
	lengths   history.Lengths
}

var standard Session

// defaultBudget is one frame at 60 frames a second.
const defaultBudget = time.Second / 60

// NewSession returns an empty session. It is the same as new(Session).
func NewSession() *Session { return new(Session) }

// Default returns the program's own session, which package iprof uses.
func Default() *Session { return &standard }

// lock locks the session and makes it ready. Unlock it with s.mu.Unlock.
func (s *Session) lock() {
	s.mu.Lock()
	prepare(s)
	s.mu.takeWaiting()
	s.joined = s.front.joined.Load()
}

// prepare makes the session ready. It is locked.
func prepare(s *Session) {
	if !s.ready {
		s.ready, s.ours, s.mu.session = true, s == &standard, s
		s.budget = defaultBudget
		s.recording = true
		s.unfinished = s.beginning
		s.resize(history.DefaultFrames, history.DefaultFrames)
	}
}

// change locks the session for a change of its view.
func (s *Session) change() {
	s.lock()
	s.gen++
}

// Pause freezes the session: frames that end are thrown away until Resume.
func (s *Session) Pause() {
	s.change()
	defer s.mu.Unlock()
	s.pause(true)
}

// Resume ends Pause.
func (s *Session) Resume() {
	s.change()
	defer s.mu.Unlock()
	s.pause(false)
}

// pause takes effect at once. Measurements before it are in the totals, those until Resume are not.
func (s *intake) pause(paused bool) {
	if s.running() && paused != s.paused {
		s.front.mu.Lock()
		gather.CollectPaused(&s.peek, paused)
		s.front.paused = paused
		s.front.mu.Unlock()
		if paused && valid(&s.peek) {
			s.learn(&s.peek)
			s.sums().Add(&s.peek)
			s.numbers.Total(&s.peek)
		}
	}
	if paused != s.paused {
		s.reader().KeepEvents(paused)
	}
	s.paused = paused
}

// TogglePause pauses a session that runs, and resumes a paused one.
func (s *Session) TogglePause() {
	s.change()
	defer s.mu.Unlock()
	s.pause(!s.paused)
}

// Paused reports whether the session is paused.
func (s *Session) Paused() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.paused
}

// SetFrameBudget sets the time that a frame may take. The default, also for d <= 0, is 1 s/60. Frames of the history
// are judged anew.
func (s *Session) SetFrameBudget(d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if d <= 0 {
		d = defaultBudget
	}
	s.budget = d
	s.judge()
}

// judge judges all frames by the budget in force.
func (s *store) judge() {
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		p := s.past.At(seq)
		p.Over = s.over(p.BusyMS)
	}
	for i := range s.slow.Frames {
		p := &s.slow.Frames[i]
		p.Over = s.over(p.BusyMS)
	}
	for i := range s.slow.Ranked {
		f := &s.slow.Ranked[i]
		f.Over = s.over(float64(f.Busy))
	}
}

// over reports whether a busy time, in ms, is over budget.
func (s *store) over(busy float64) bool { return busy > report.OverFactor*s.budget.Seconds()*1000 }

// FrameBudget returns the frame budget in force.
func (s *Session) FrameBudget() time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.budget
}

// SetHistory sets the number of frames to keep: graphFrames with the times of each zone, and the newest fullFrames with
// everything, for whole reports. Both are 300 by default, and clamped to 2..100,000. fullFrames is at most graphFrames.
//
// A frame takes about half a kilobyte, and for each zone that it enters 8 bytes and 4 for each path. A full frame takes
// 16 bytes more for each active node of each lane. Memory is taken as frames come in. The times take at most 64 MB;
// beyond that, fewer frames are kept, and reports say so. The full frames take at most 64 MB, too; beyond that, the
// oldest lose their reports first.
func (s *Session) SetHistory(graphFrames, fullFrames int) {
	s.change()
	defer s.mu.Unlock()
	s.resize(graphFrames, fullFrames)
}

// Zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *Session) Zone(id report.ZoneID) gather.ZoneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.zone(id)
}

// zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *store) zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(s.zones) {
		return gather.ZoneInfo{}
	}
	return s.zones[id]
}

// Generation returns a number that changes with everything that is shown.
func (s *Session) Generation() uint64 {
	s.lock()
	defer s.mu.Unlock()
	return s.gen
}
