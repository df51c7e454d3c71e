package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// Session holds the history of a program's frames, and its views. The zero value is ready. Any goroutine may call any
// method. Methods hold the session's lock. Zones and Update never wait for it: a frame that ends while a method runs is
// taken in when the method returns.
type Session struct {
	mu      mutex
	ready   bool
	store   store.Store // the history, and the settings by which frames are judged
	frames  intake      // takes in the frames of the running program and of WriteFrame, and handles Pause and Reset
	sums    sums        // of everything since the start
	sinks   sinks
	views   views
	sources Sources // except for those that the store has
}

var standard Session

// NewSession returns an empty session. It is the same as new(Session).
func NewSession() *Session { return new(Session) }

// Default returns the program's own session, which package iprof uses.
func Default() *Session { return &standard }

// lock locks the session and makes it ready. Unlock it with s.mu.Unlock.
func (s *Session) lock() {
	s.mu.Lock()
	prepare(s)
	s.mu.takeWaiting()
	s.store.Joined = s.frames.front.joined.Load()
}

// prepare makes the session ready. It is locked.
func prepare(s *Session) {
	if s.ready {
		return
	}
	s.ready, s.store.Ours, s.mu.session = true, isOurs(s), s
	s.frames.store, s.frames.sinks, s.frames.views = &s.store, &s.sinks, &s.views
	s.sums.store, s.sums.frames = &s.store, &s.frames
	s.sinks.store, s.sinks.sources = &s.store, &s.sources
	if s.views.main.session == nil {
		s.views.main.attach(s)
	}
	s.store.Budget, s.store.Wanted = store.DefaultBudget, store.DefaultBudget
	s.store.Recording = true
	s.store.Unfinished = s.sums.beginning
	s.store.Resize(history.DefaultFrames, history.DefaultFrames)
}

// change locks the session for a change of what is shown.
func (s *Session) change() {
	s.lock()
	s.store.Gen++
}

// Pause freezes the session: frames that end are thrown away until Resume, but sinks get them. Pause and Resume end the
// frame in progress: it counts in the totals, and sinks get it, but it is not in the history.
func (s *Session) Pause() {
	s.change()
	defer s.mu.Unlock()
	s.frames.pause(true)
}

// Resume ends Pause.
func (s *Session) Resume() {
	s.change()
	defer s.mu.Unlock()
	s.frames.pause(false)
}

// pause takes effect at once. Measurements before the pause are in the totals; measurements during the pause are not.
// The sinks get both.
func (in *intake) pause(paused bool) {
	if paused == in.store.Paused {
		return
	}
	if in.store.Running() {
		in.end(func(f *gather.Frame) {
			if in.front.set != nil {
				in.front.set.Collect(f)
			} else {
				measure.CollectPaused(f, paused)
			}
		}, paused)
		in.settleAwaited(false)
	}
	in.store.Reader().KeepEvents(paused)
	in.store.Paused = paused
}

// Paused reports whether the session is paused.
func (s *Session) Paused() bool {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Paused
}

// SetFrameBudget sets the time that a frame may be busy or blocked: see report.FrameSummary.Judged. The default, also
// for d <= 0, is 1 s/60. Frames of the history are judged anew.
func (s *Session) SetFrameBudget(d time.Duration) {
	s.change()
	defer s.mu.Unlock()
	if d <= 0 {
		d = store.DefaultBudget
	}
	s.store.Wanted = d
	s.frames.front.heart.off.Store(d >= report.NoBudget)
	s.store.FindKind()
}

// FrameBudget returns the frame budget in force: report.NoBudget or more without one. The default is in force only
// where frames have a rate: see report.Kind.
func (s *Session) FrameBudget() time.Duration {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Budget
}

// SetHistory sets the number of frames to keep. graphFrames keep the times of each zone; the newest fullFrames keep all
// records, for whole reports. Both are 300 by default, and clamped to 2..100,000. fullFrames is at most graphFrames.
//
// A frame takes about half a kilobyte, plus 8 bytes for each entered zone and 4 for each path. A full frame takes 16
// bytes more for each active node of each lane. Memory is taken as frames come in. The times take at most 64 MB; beyond
// that, fewer frames are kept, and reports say so. The full frames take at most another 64 MB; beyond that, the oldest
// lose their reports first.
func (s *Session) SetHistory(graphFrames, fullFrames int) {
	s.change()
	defer s.mu.Unlock()
	s.store.Resize(graphFrames, fullFrames)
}

// Zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *Session) Zone(id report.ZoneID) gather.ZoneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Zone(id)
}
