package process

// SetProgram names the program that the session's frames come from: for a session that is fed by WriteFrame with those
// of a capture, or of a program elsewhere. Package capture does so. The zero value stands for the running program. Any
// goroutine may call it.
func (s *Session) SetProgram(p Program) {
	s.change()
	defer s.mu.Unlock()
	s.program = p
}
