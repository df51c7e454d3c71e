package process

// RunAgain makes a session that WriteFrame has fed the program's own again, for the tests that come after.
func RunAgain(s *Session) {
	s.Reset()
	s.mu.Lock()
	s.fed = false
	s.mu.Unlock()
}
