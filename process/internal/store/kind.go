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

// LearnKind finds the kind of the program, from now on with each frame, and judges all frames by it. Programs that only
// measure and print do not need the kind and do not link it.
func (s *Store) LearnKind() {
	s.KnowsKind = (*Store).findKind
	s.findKind()
	s.Judge()
}

// TakeKind notes what a new frame says about the kind of the program.
func (s *Store) TakeKind(p *history.Frame) {
	s.pace[paceAll]++
	if p.LengthMS < briefMS {
		s.pace[paceBrief]++
	}
	if p.JudgedMS() < quickMS {
		s.pace[paceQuick]++
	}
	if s.KnowsKind != nil {
		s.KnowsKind(s)
		p.Over = s.Over(p.JudgedMS())
	}
}

// findKind finds the kind: what the file says, else what the frames show. A budget other than the default shows that
// frames matter. So does a rhythm for a display, in a program without routes also by busy time. Frames are judged anew
// if that changes their budget.
func (s *Store) findKind() {
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

// ForgetKind forgets which zones are routes, for another program.
func (s *Store) ForgetKind() { s.routes = 0 }
