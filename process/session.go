package process

import (
	"sync"
	"time"

	"example.com/iprof/gather"
)

// Session is one program's history of frames, the view of it, and the controls that change the view. The zero value is ready.
// All methods may be called from any goroutine; each holds the session's lock while it runs, which no zone ever waits for.
type Session struct {
	mu    sync.Mutex
	ready bool
	gen   uint64 // changes whenever what is shown may have changed

	tree     tree
	seats    seats
	zones    []gather.ZoneInfo
	lanes    lanes
	past     history
	values   []value     // scratch: by path
	byZone   []zoneValue // scratch: by zone
	charged  charged     // scratch: of values, byZone and rows
	kinds    chargeKinds
	numbers  frameValues
	live     smoother // all lanes merged
	digested uint64   // frames that live and the traces have taken in
	single   smoother // the lane last looked at alone
	totals   tally
	own      ownTraces
	stats    stats     // since start or Reset
	windows  windows   // of the history, sorted
	calls    callStats // of single calls
	lens     lensed    // the frames of the lens looked through last
	slow     kept      // the slowest frames
	bounds   bounds    // of the history
	rate     rate
	hold     lengthHold

	view    View
	paused  bool
	pointed bool // the user chose a record, or the view has been set
	marked  mark // which; not set while only its place is known
	fed     bool // by WriteFrame
	budget  time.Duration
	folded  map[int32]bool // paths of the tree report whose fold is not the default
	rows    rows           // scratch of reports
	pinned  int32          // zones of the pinned path, while a view with one is loaded
	last    Report         // scratch of Select and its kin

	misuse    gather.Misuse
	dropped   gather.Dropped
	limit     float64 // see gather.Frame
	cost      float64 // of one scope, ticks
	recording bool

	frame gather.Frame // of Update
	peek  gather.Frame
	first pastFrame // the unfinished first frame
	label string
	gap   gather.Scope // "(between frames)", from EndFrame to BeginFrame

	timeline timeline
}

var standard Session

// defaultBudget is a frame of 60 a second.
const defaultBudget = time.Second / 60

// NewSession returns an empty session, the same as new(Session).
func NewSession() *Session { return new(Session) }

// Default returns the program's own session: the one behind package iprof.
func Default() *Session { return &standard }

// lock locks the session and makes it ready; unlock with s.mu.Unlock.
func (s *Session) lock() {
	s.mu.Lock()
	if !s.ready {
		s.ready = true
		s.budget = defaultBudget
		s.recording = true
		s.past.resize(defaultFrames, defaultFrames)
	}
}

// change locks the session for a change of what is shown.
func (s *Session) change() {
	s.lock()
	s.gen++
}

// Pause freezes what is shown: frames that end are thrown away until Resume.
func (s *Session) Pause() { s.setPaused(true) }

// Resume ends Pause.
func (s *Session) Resume() { s.setPaused(false) }

func (s *Session) setPaused(paused bool) {
	s.change()
	defer s.mu.Unlock()
	s.pause(paused)
}

// pause switches at this moment: what was measured before it is in the totals, what comes until Resume is not.
func (s *Session) pause(paused bool) {
	if s.running() && paused != s.paused {
		gather.Collect(&s.peek)
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

// TogglePause pauses when running and resumes when paused.
func (s *Session) TogglePause() {
	s.change()
	defer s.mu.Unlock()
	s.pause(!s.paused)
}

// Paused reports whether frames are thrown away.
func (s *Session) Paused() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.paused
}

// SetFrameBudget sets how long a frame may take; 1 s/60 at first, and again when d <= 0. The frames of the history are judged by it
// as well.
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

// over reports whether a frame that was busy so long, in ms, is over budget.
func (s *Session) over(busy float64) bool { return busy > overFactor*s.budget.Seconds()*1000 }

// FrameBudget returns what SetFrameBudget set.
func (s *Session) FrameBudget() time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.budget
}

// SetHistory sets how many frames are remembered: graphFrames with each zone's times, and of those the newest fullFrames with
// everything, so that whole reports of them can be shown. Both are 300 at first and clamped to 2..100,000; fullFrames
// is no more than graphFrames. A frame takes 4 bytes for each zone twice and for each path, and with everything 16 bytes for each busy node
// of each lane. All full frames together take no more than 64 MB: the oldest lose their reports first.
func (s *Session) SetHistory(graphFrames, fullFrames int) {
	s.change()
	defer s.mu.Unlock()
	s.resize(graphFrames, fullFrames)
}

// Reset forgets all measurements: history, averages, totals. Names of zones and lanes, and the view but for its age, stay.
func (s *Session) Reset() {
	s.change()
	defer s.mu.Unlock()
	if s.running() {
		gather.Collect(&s.peek)
	}
	s.forget()
}

func (s *Session) forget() {
	s.past.clear()
	s.live, s.single, s.digested = smoother{}, smoother{}, 0
	s.totals.reset()
	s.seats.forget()
	s.stats, s.windows, s.lens = stats{}, windows{}, lensed{}
	s.rows.lengthsOf = 0
	s.calls.restart(s)
	s.slow.frames, s.slow.bytes, s.bounds.lost = nil, 0, 0
	s.rate, s.hold = rate{}, lengthHold{}
	s.own = ownTraces{}
	s.view.Age, s.view.Kept = 0, 0
	s.kinds, s.numbers = chargeKinds{}, frameValues{}
	for i := range s.tree.paths {
		s.tree.paths[i].birth = 0
	}
}

// running reports whether the session is the running program's, and has not been fed with frames from elsewhere: only then what
// package gather holds is a part of it.
func (s *Session) running() bool { return s == &standard && !s.fed }

// Zone describes a zone; the zero ZoneInfo for an id that is not known.
func (s *Session) Zone(id int32) gather.ZoneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.zone(id)
}

func (s *Session) zone(id int32) gather.ZoneInfo {
	if id < 0 || int(id) >= len(s.zones) {
		return gather.ZoneInfo{}
	}
	return s.zones[id]
}

// Generation returns a number that changes whenever what is shown may have changed.
func (s *Session) Generation() uint64 {
	s.lock()
	defer s.mu.Unlock()
	return s.gen
}
