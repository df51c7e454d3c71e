package process

import (
	"sync"
	"time"

	"example.com/iprof/gather"
)

// Session holds the history of a program's frames, the view of it, and the controls of the view. The zero value is
// ready. Any goroutine may call any method. Each method holds the session's lock; zones never wait for that lock.
type Session struct {
	mu    sync.Mutex
	ready bool
	gen   uint64 // changes with everything that is shown

	tree     tree
	seats    seats
	zones    []gather.ZoneInfo
	events   eventDriven
	lanes    lanes
	past     history
	values   []value     // scratch: by path
	byZone   []zoneValue // scratch: by zone
	charged  charged     // scratch: of values, byZone and rows
	kinds    chargeKinds
	numbers  frameValues
	live     smoother // all lanes merged
	digested uint64   // next frame for live and the traces
	single   smoother // the lane last viewed alone
	lane     laneHistory

	idleOutside bool // of the report that is made: see setIdleOutside
	totals      tally
	own         ownTraces
	stats       stats     // since start or Reset
	windows     windows   // of the history, sorted
	marks       userMarks // of the history
	states      laneStates
	calls       callStats // of single calls
	feed        callFeed
	progress    inProgress
	lens        lensed // the frames of the last lens
	slow        kept   // the slowest frames
	bounds      bounds // of the history
	rate        rate
	hold        lengthHold

	view        View
	paused      bool
	heart       heartbeat
	pointed     bool // the user chose a record, or the view has been set
	marked      mark // that record; not set while only its index is known
	fed         bool // by WriteFrame
	program     Program
	sinks       []*sink
	budget      time.Duration
	zoneBudgets zoneBudgets
	folded      map[int32]bool // paths of the call tree that the user folded or unfolded
	rows        rows           // scratch of reports
	arranger    Arranger
	compared    Comparison
	grouped     []TreeNode // scratch of groupings
	pinned      int32      // length of the pinned path, while a view with one is loaded
	last        Report     // scratch of Select and the like

	misuse    gather.Misuse
	dropped   gather.Dropped
	limit     float64 // see gather.Frame
	cost      float64 // of one scope, ticks
	recording bool

	awaited   awaited // the frames of Update
	peek      gather.Frame
	first     pastFrame // the unfinished first frame
	label     string
	lastLabel string
	gap       gather.Scope // "(between frames)", from EndFrame to BeginFrame
	gapLane   LaneID       // of the goroutine that began it

	timeline timeline
	hot      HotSource
	trial    trial // of slow frames
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
	if !s.ready {
		s.ready = true
		s.budget = defaultBudget
		s.recording = true
		s.resize(defaultFrames, defaultFrames)
	}
}

// change locks the session for a change of its view.
func (s *Session) change() {
	s.lock()
	s.gen++
}

// Pause freezes the session: frames that end are thrown away until Resume.
func (s *Session) Pause() { s.setPaused(true) }

// Resume ends Pause.
func (s *Session) Resume() { s.setPaused(false) }

func (s *Session) setPaused(paused bool) {
	s.change()
	defer s.mu.Unlock()
	s.pause(paused)
}

// pause takes effect at once. Measurements before it are in the totals, those until Resume are not.
func (s *Session) pause(paused bool) {
	if s.running() && paused != s.paused {
		gather.CollectPaused(&s.peek, paused)
		if paused && valid(&s.peek) {
			s.learn(&s.peek)
			s.totals.add(s, &s.peek)
			s.numbers.total(&s.peek)
		}
	}
	if paused != s.paused {
		s.keepEvents(paused)
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
	for seq := s.past.first(); seq < s.past.next; seq++ {
		p := s.past.at(seq)
		p.Over = s.over(p.busy)
	}
	for i := range s.slow.frames {
		p := &s.slow.frames[i]
		p.Over = s.over(p.busy)
	}
}

// over reports whether a busy time, in ms, is over budget.
func (s *Session) over(busy float64) bool { return busy > overFactor*s.budget.Seconds()*1000 }

// FrameBudget returns the frame budget in force.
func (s *Session) FrameBudget() time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.budget
}

// SetHistory sets the number of frames to keep: graphFrames with the times of each zone, and the newest fullFrames with
// everything, for whole reports. Both are 300 by default, and clamped to 2..100,000. fullFrames is at most graphFrames.
//
// A frame takes 8 bytes per zone and 4 bytes per path. A full frame takes 16 bytes more for each active node of each
// lane. Memory is taken as frames come in. The times take at most 64 MB; beyond that, fewer frames are kept. The full
// frames take at most 64 MB, too; beyond that, the oldest lose their reports first.
func (s *Session) SetHistory(graphFrames, fullFrames int) {
	s.change()
	defer s.mu.Unlock()
	s.resize(graphFrames, fullFrames)
}

// Reset drops all measurements: history, averages and totals. The names of zones and lanes stay, and the view except
// for its age.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	if s.running() {
		s.awaited.length = 0
		gather.CollectReset(&s.peek)
		s.progress.begin(&s.peek)
	}
	s.forget()
}

func (s *Session) forget() {
	s.past.clear()
	s.live, s.single, s.digested = smoother{}, smoother{}, 0
	s.totals.reset()
	s.seats.forget()
	s.stats, s.windows, s.lens, s.marks = stats{}, windows{}, lensed{}, userMarks{count: s.marks.count}
	s.rows.lengthsOf = 0
	s.calls.restart(s)
	s.slow.frames, s.slow.bytes, s.bounds.lost = nil, 0, 0
	s.timeline.slow.forget()
	s.timeline.epoch++
	s.rate, s.hold = rate{}, lengthHold{}
	s.own, s.lane = ownTraces{}, laneHistory{}
	s.trial = trial{}
	s.view.Age, s.view.Kept = 0, 0
	s.kinds, s.numbers, s.states = chargeKinds{}, frameValues{}, laneStates{changes: s.states.changes + 1}
	for i := range s.tree.paths {
		s.tree.paths[i].birth = 0
	}
}

// Zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *Session) Zone(id ZoneID) gather.ZoneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.zone(id)
}

func (s *Session) zone(id ZoneID) gather.ZoneInfo {
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
