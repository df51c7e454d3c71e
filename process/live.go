package process

import "example.com/iprof/gather"

// The profiler measures its own work with zones, too.
var (
	updateZone  = gather.Zone{Name: "iprof update"}
	betweenZone = gather.Zone{Name: "(between frames)", Idle: true}
)

// Update ends a frame and begins the next. It collects from package gather what all lanes have measured since the last
// call. The new frame begins with Update's first instruction, so the cost of Update belongs to the new frame. Any
// goroutine may call it.
func (s *Session) Update() {
	if !gather.Enabled { // all frames are those of a replay
		return
	}
	s.lock()
	defer s.mu.Unlock()
	s.gap.close()
	s.cut()
}

// frameGap is the time from EndFrame to BeginFrame, in the zone "(between frames)".
type frameGap struct {
	scope gather.Scope
	lane  LaneID // of the goroutine that began it
}

// open begins the gap, unless it is there.
func (g *frameGap) open() {
	if g.scope == (gather.Scope{}) {
		g.scope, g.lane = betweenZone.Begin(), gather.OwnLane()
	}
}

// close ends the gap, if there is one. The program may have gone over to Update, or to another goroutine.
func (g *frameGap) close() {
	switch {
	case g.scope == gather.Scope{}:
		return
	case gather.OwnLane() == g.lane:
		g.scope.End()
	default:
		gather.EndElsewhere(g.scope)
	}
	g.scope = gather.Scope{}
}

// cut ends the frame now.
func (s *Session) cut() {
	f := s.awaited.at(s.awaited.length)
	gather.Collect(&f.Frame)
	s.progress.begin(&f.Frame)
	defer updateZone.Begin().End()
	s.recording = gather.Recording()
	s.heart.frame(s, &f.Frame)
	f.Label, f.paused = s.label, s.paused
	s.awaited.length++
	s.settleAwaited(false)
}

// BeginFrame ends the gap between frames and gives a label to the frame that EndFrame will end. The label is copied:
// see gather.CopyName. Both calls belong on the same goroutine. Its time between EndFrame and BeginFrame belongs to the
// idle zone "(between frames)".
func (s *Session) BeginFrame(label string) {
	if !gather.Enabled { // all frames are those of a replay
		return
	}
	s.lock()
	defer s.mu.Unlock()
	s.gap.close()
	if label != s.lastLabel {
		s.lastLabel = gather.CopyName(label)
	}
	s.label = s.lastLabel
}

// EndFrame ends the frame that BeginFrame began, and begins a gap between frames.
func (s *Session) EndFrame() {
	if !gather.Enabled { // all frames are those of a replay
		return
	}
	s.lock()
	defer s.mu.Unlock()
	s.cut()
	s.label = ""
	s.gap.open()
}

// running reports whether the session is the program's own and WriteFrame has not fed it. Only then it uses what
// package gather holds now.
func (s *store) running() bool { return s.ours && !s.fed }
