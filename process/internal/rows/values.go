package rows

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Load fills s.Values and s.ByZone for a view, and returns the frame of the view or nil.
func (s *Builder) Load(v *report.View) *history.Frame {
	s.Digest()
	if v.Through() && s.Past.Next > 0 {
		return s.LoadLens(v)
	}
	p := s.Shown(v)
	if p == nil && s.Past.Next == 0 && s.Unfinished != nil {
		p = s.Unfinished()
	}
	if p == nil {
		s.Empty()
		return nil
	}
	if p.Lost {
		s.Empty()
		return p
	}
	lane := s.LanePlace(v.Lane)
	s.Sum(p, lane) // also for averages: it sets which paths are open
	if s.Smooth(v) {
		s.Average(v, lane)
	}
	s.Derive(v, lane, s.span(v, p))
	return p
}

// span returns the time of the updating lane in the viewed frame or average, in ms.
func (s *Builder) span(v *report.View, p *history.Frame) float64 {
	if s.Smooth(v) {
		return s.Live.Whole[v.Average].Span
	}
	return p.SpanMS
}
