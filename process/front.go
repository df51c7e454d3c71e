package process

import (
	"slices"
	"sync"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/rows"
)

// front is the part of a session that Update needs. Update holds its lock while it collects, and so do the few methods
// that change the data that Update reads, all for a moment. So Update never waits for a reader of the session. A frame
// that ends during a read waits in frames. The reader takes the frame in when it unlocks the session: see mutex.
//
// The order of the two locks: first the session's. Update only tries to lock the session's.
type front struct {
	mu        sync.Mutex
	set       *measure.Set // of Frames, nil for the first
	outside   bool         // of the set's frames: see leave
	label     string
	lastLabel string
	gap       frameGap
	heart     heartbeat
	progress  inProgress
	updated   bool   // Update has ended a frame
	ended     uint64 // number of frames
	paused    bool
	settings  frameSettings // for the frames that end
	frames    awaited
	joined    atomic.Uint64 // Updates that ended no frame, because too many waited
}

// mutex is the lock of a session. Unlock takes in the frames that have ended meanwhile.
type mutex struct {
	sync.Mutex
	session *Session
	ended   atomic.Bool // a frame has ended since takeWaiting last looked
}

// Unlock unlocks the session. Update itself, or the next Unlock, takes in a frame that ends afterwards.
func (m *mutex) Unlock() {
	s := m.session
	m.Mutex.Unlock()
	for s != nil && m.ended.Load() && m.TryLock() {
		m.takeWaiting()
		m.Mutex.Unlock()
	}
}

// takeWaiting takes in the frames that have ended. The session is locked.
func (m *mutex) takeWaiting() {
	if m.ended.Load() { // else the waiting frames are not complete yet
		m.ended.Store(false)
		m.session.frames.settleAwaited(false)
	}
}

// tryTake takes in the frames that have ended, unless another goroutine uses the session now.
func (m *mutex) tryTake(s *Session) {
	if m.TryLock() {
		prepare(s)
		m.takeWaiting()
		m.Unlock()
	}
}

// The limits of the waiting frames. Without foreign lanes, such as a GPU's, a frame is complete when it ends, and waits
// only while a reader uses the session. With foreign lanes, the session shows each frame complete but a few frames
// late.
const (
	mostAwaited  = 8       // frames that wait for the times of foreign lanes
	waitingNodes = 1 << 20 // in all frames that wait for a reader
)

// awaited holds the finished frames that the session does not have yet, oldest first.
type awaited struct {
	list  []*waitingFrame
	spare []*waitingFrame // memory of frames that were taken in; the last is reused first, because it is in the cache
	nodes int             // of all in list
}

type waitingFrame struct {
	gather.Frame
	paused    bool // the session was paused when the frame ended
	cut       bool // Pause, Resume, Reset or UndoReset ended the frame
	number    uint64
	unjudged  bool // the program has not called Update yet
	recording bool
	nodes     int
}

// isFull reports whether too many frames wait.
func (a *awaited) isFull() bool { return len(a.list) >= rows.MaxWaiting || a.nodes >= waitingNodes }

// next returns the memory for a frame.
func (a *awaited) next() (f *waitingFrame) {
	if n := len(a.spare); n > 0 {
		f = a.spare[n-1]
		a.spare[n-1], a.spare = nil, a.spare[:n-1]
		return f
	}
	return new(waitingFrame)
}

// push adds a frame that has ended.
func (a *awaited) push(f *waitingFrame) {
	f.nodes = 0
	if len(a.list) > 0 { // a single frame always has room
		for i := range f.Lanes {
			f.nodes += len(f.Lanes[i].Nodes)
		}
	}
	a.nodes += f.nodes
	a.list = append(a.list, f)
}

// pop forgets the oldest frame. A frame that was cut may have grown to the nodes of all goroutines, so its memory is
// not kept.
func (a *awaited) pop() {
	f := a.list[0]
	a.list = slices.Delete(a.list, 0, 1)
	a.nodes -= f.nodes
	if len(a.spare) < mostAwaited && !f.cut {
		a.spare = append(a.spare, f)
	}
}

// push adds the frame that has just ended. cut tells whether a change of the session ended it.
func (s *front) push(w *waitingFrame, recording, cut bool) {
	s.ended++
	s.updated = s.updated || !cut
	w.Label = s.label
	w.paused = s.paused
	w.recording = recording
	w.cut = cut
	w.unjudged = !s.updated
	w.number, w.EventDriven, w.Budgets = s.ended, s.settings.eventDriven, s.settings.budgets
	s.progress.begin(&w.Frame)
	s.frames.push(w)
}

// use sets the settings of the frames that end from now on.
func (s *front) use(now frameSettings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings = now
}

// endedSoFar returns the number of frames that have ended.
func (s *front) endedSoFar() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// oldest returns the oldest waiting frame, and the number of waiting frames.
func (s *front) oldest() (f *waitingFrame, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n = len(s.frames.list); n > 0 {
		f = s.frames.list[0]
	}
	return f, n
}

// settleAwaited takes in the complete frames, and also the oldest frames if too many wait. With now it takes in all.
// The session is locked.
func (in *intake) settleAwaited(now bool) {
	for {
		f, n := in.front.oldest()
		if n == 0 || !in.front.isComplete(&f.Frame, now || n > mostAwaited) {
			return
		}
		in.settle(f)
	}
}

// settle takes in the oldest waiting frame, which is complete.
func (in *intake) settle(f *waitingFrame) {
	in.store.Recording = f.recording
	on := in.store.Events.On
	in.setEventDriven(f.EventDriven) // as it was when the frame ended
	defer in.setEventDriven(on)
	in.sinks.handOut(&f.Frame, f)
	switch { // valid, because package gather made it
	case f.paused:
	case f.cut:
		in.takeCut(&f.Frame)
	default:
		in.store.Gen++
		in.take(&f.Frame)
		if in.store.Paused { // it ended before the pause: the views stay
			in.views.each((*View).stay)
		}
	}
	in.front.mu.Lock()
	in.front.frames.pop()
	in.front.mu.Unlock()
}

// end ends the frame in progress, because the session changes: collect is the Collect for the change, and paused is the
// state after it. The frame waits like a frame of Update. The session is locked.
func (in *intake) end(collect func(f *gather.Frame), paused bool) *waitingFrame {
	f := &in.front
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.outside {
		f.set.Begin()
	}
	w := f.frames.next()
	collect(&w.Frame)
	f.push(w, gather.Recording(), true)
	f.paused = paused
	return w
}
