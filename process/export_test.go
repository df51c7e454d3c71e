package process

import "example.com/iprof/platform"

// RunAgain makes a session that WriteFrame has fed the program's own again, for the tests that come after.
func RunAgain(s *Session) {
	s.Reset()
	s.mu.Lock()
	s.fed = false
	s.mu.Unlock()
}

// LongestFrame returns the frame that a loss between two times is taken for a part of.
func LongestFrame(s *Session, since, now platform.Ticks) (begin, end platform.Ticks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.longestFrame(since, now)
}
