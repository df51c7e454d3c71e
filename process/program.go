package process

import "time"

// Program names a program, and where it ran. Reports have it at their head.
type Program struct {
	Name      string    // of its file
	GoVersion string    // as runtime.Version has it
	Machine   string    // "linux/amd64, 8 cores"
	Start     time.Time // of the measurements; zero is the time of the report
}

// SetProgram names the program that the session's frames come from: for a session that is fed by WriteFrame with those
// of a capture, or of a program elsewhere. Package capture does so. The zero value stands for the running program. Any
// goroutine may call it.
func (s *Session) SetProgram(p Program) {
	s.change()
	defer s.mu.Unlock()
	s.program = p
}

// name puts the program into a Dump, in the place of the running one. The running program's arguments are not its own.
func (p *Program) name(d *Dump) {
	if *p == (Program{}) {
		return
	}
	d.Program, d.GoVersion, d.Machine, d.Arguments = p.Name, p.GoVersion, p.Machine, nil
	if !p.Start.IsZero() {
		d.Time = p.Start
	}
}
