package process

import (
	"slices"

	"example.com/iprof/gather"
)

// AddSink adds a sink that gets each frame when it ends, paused or not. The goroutine that calls Update or WriteFrame
// calls the sink and waits for it. The sink must not call the session. A sink that returns an error gets no more
// frames. The function remove takes the sink away, and waits for a frame that it is getting. A nil sink is ignored. Any
// goroutine may call both.
func (s *Session) AddSink(k gather.Sink) (remove func()) {
	if k == nil {
		return func() {}
	}
	s.lock()
	defer s.mu.Unlock()
	s.sinks = append(s.sinks, k)
	return func() {
		s.lock()
		defer s.mu.Unlock()
		s.dropSink(k)
	}
}

func (s *Session) dropSink(k gather.Sink) {
	s.sinks = slices.DeleteFunc(s.sinks, func(other gather.Sink) bool { return other == k })
}

// handOut gives a finished frame to the sinks.
func (s *Session) handOut(f *gather.Frame) {
	for i := len(s.sinks) - 1; i >= 0; i-- {
		if k := s.sinks[i]; k.WriteFrame(f) != nil {
			s.dropSink(k)
		}
	}
}
