package viewer

import "example.com/iprof/process"

// toggleTrace starts the program's execution trace, or stops it. What it costs is in the footer.
func toggleTrace(s *process.Session, p *Panel) {
	if s == nil {
		return // the panel of something that is no session
	}
	state, _ := s.Tracing()
	if err := s.SetTracing(!state.On); err != nil {
		p.Note(err.Error())
		return
	}
	state, _ = s.Tracing()
	p.Note(state.String())
}
