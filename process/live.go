package process

import "example.com/iprof/gather"

// The profiler's own work is measured like any other.
var (
	updateZone  = gather.Zone{Name: "iprof update"}
	betweenZone = gather.Zone{Name: "(between frames)", Idle: true}
)

// Update ends a frame and begins the next: it takes from package gather what all lanes did since the last call. The frame's
// border is its first instruction, so its own cost belongs to the frame that it opens, time and count alike.
func (s *Session) Update() {
	s.lock()
	defer s.mu.Unlock()
	s.cut()
}

// cut ends the frame now.
func (s *Session) cut() {
	if !gather.Enabled { // there are no frames but those of a replay
		return
	}
	gather.Collect(&s.frame)
	defer updateZone.Begin().End()
	s.recording = gather.Recording()
	s.frame.Label = s.label
	if !s.paused { // no need to check it: package gather made it
		s.gen++
		s.take(&s.frame)
	}
}

// BeginFrame begins a frame that EndFrame ends, with a label for it. Both belong on the same goroutine. What the goroutine
// does from EndFrame to BeginFrame is below the idle zone "(between frames)".
func (s *Session) BeginFrame(label string) {
	s.lock()
	defer s.mu.Unlock()
	s.gap.End()
	s.gap = gather.Scope{}
	s.label = label
}

// EndFrame ends the frame that BeginFrame began.
func (s *Session) EndFrame() {
	s.lock()
	defer s.mu.Unlock()
	s.cut()
	s.label = ""
	if s.gap == (gather.Scope{}) {
		s.gap = betweenZone.Begin()
	}
}
