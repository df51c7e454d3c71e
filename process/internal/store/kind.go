package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Frames for a display are rarely longer than briefMS. A longer one is busy or blocked for less than quickMS: it waits,
// for an event or because its window is hidden.
const briefMS, quickMS = 100, 500

// Measured.pace counts all frames, those shorter than briefMS, and those with less judged time than quickMS.
const paceAll, paceBrief, paceQuick = 0, 1, 2

// TakeKind notes what a new frame says about the kind of the program, finds the kind, and judges the frame by it.
func (s *Store) TakeKind(p *history.Frame) {
	s.pace[paceAll]++
	if p.LengthMS < briefMS {
		s.pace[paceBrief]++
	}
	if p.JudgedMS() < quickMS {
		s.pace[paceQuick]++
	}
	s.FindKind()
	p.Over = s.Over(p.JudgedMS())
}

// FindKind finds the kind: what the file says, else what the frames show. A budget other than the default shows that
// frames matter. So does a rhythm for a display, in a program without routes also by busy time. Frames are judged anew
// if that changes their budget.
func (s *Store) FindKind() {
	before, routes := s.Budget, s.routes < 0
	if s.routes > len(s.Zones) {
		s.routes = 0
	}
	for ; !routes && s.routes < len(s.Zones); s.routes++ {
		routes = report.IsRoute(s.Zones[s.routes].Name)
	}
	if routes {
		s.routes = -1
	}
	ticks := s.Wanted >= report.NoBudget // the program has not asked for frames
	switch {
	case s.Said != report.KindGame:
		s.Kind = s.Said
	case routes && (ticks || s.Events.On || 2*s.pace[paceBrief] < s.pace[paceAll]):
		s.Kind = report.KindServer
	case ticks || s.Wanted == DefaultBudget && !s.Events.On && 2*s.pace[paceQuick] < s.pace[paceAll]:
		s.Kind = report.KindCommand
	default:
		s.Kind = report.KindGame
	}
	if s.Budget = s.Wanted; s.Wanted == DefaultBudget && !s.Kind.HasFrames() {
		s.Budget = report.NoBudget // the default applies only where frames matter
	}
	if s.Budget != before {
		s.Judge()
	}
}

// AllLanes reports whether the history shows the work of all lanes, not only of the lane that ends the frames: where
// frames are only pieces of the time, and none is late.
func (s *Store) AllLanes() bool { return !s.Kind.HasFrames() && s.Budget >= report.NoBudget }

// ForgetKind forgets which zones are routes, for another program.
func (s *Store) ForgetKind() { s.routes = 0 }
