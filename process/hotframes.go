package process

import "example.com/iprof/platform"

// hotFrame returns the beginning of the frame that the view shows, 0 if it is a mean of several.
func (s *builder) hotFrame() platform.Ticks {
	if s.view.Through() || s.view.Age == 0 && s.view.Kept == 0 && s.view.Average != AverageInstant {
		return 0
	}
	if p := s.shown(&s.view); p != nil {
		return p.From
	}
	return 0
}
