package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/verdict"
	"example.com/iprof/process/report"
)

// lateCauses finds the causes of late frames for the overview. It has a finder of its own, because a finder caches its
// last verdict.
type lateCauses struct {
	finder  verdict.Finder
	verdict report.Verdict
}

// The number of causes that are searched for one picture. It is small while frames come in, because the program itself
// may be drawing.
const (
	causesLive = 1
	causesElse = 64
)

// FillOverview fills in the overview of all frames, and searches for some of the pending causes.
func (s *Store) FillOverview(dst *report.Overview) {
	o := &s.Overview
	most := causesElse
	if s.Running() && !s.Paused {
		most = causesLive
	}
	f, at := o.Waiting(mostWaiting)
	for ; f != nil && most > 0; most-- {
		s.explainLate(f)
		f, at = o.Waiting(at)
	}
	first := s.Past.First()
	if s.Whole != nil && s.Whole.Source != nil {
		first = 0
	}
	o.Fill(dst, first, &s.Slow)
}

// mostWaiting is beyond the last late frame.
const mostWaiting = 1 << 30

// explainLate finds the group of a late frame.
func (s *Store) explainLate(f *report.LateFrame) {
	var p *history.Frame
	if f.Frame >= s.Past.First() && f.Frame < s.Past.Next {
		p = s.Past.At(f.Frame)
	}
	if p == nil || p.Lost || p.Index != f.Index {
		p = s.Slow.Find(f.Index)
	}
	s.Overview.Explain(f, s.groupOf(p))
}

// ExplainsLate enables the search for the causes of late frames before they lose their records. Programs without a
// viewer do not need the search and do not link it.
func (s *Store) ExplainsLate() { s.groupLate = (*Store).groupOf }

// groupOf returns the group of a late frame, which may be nil.
func (s *Store) groupOf(p *history.Frame) int16 {
	if s.lates == nil {
		s.lates = new(lateCauses)
	}
	l := s.lates
	l.verdict.Clear()
	l.finder.Stores = s.stores()
	if !l.finder.Explain(&l.verdict, p) {
		return report.LateUnknown
	}
	if l.verdict.FromStart() {
		return s.Overview.Group(report.CauseNone, -1, "start of the program")
	}
	kind, zone, name := l.verdict.Blames()
	return s.Overview.Group(kind, zone, name)
}

// explainLeaving finds the cause of a frame that is about to lose its records.
func (s *Store) explainLeaving(seq uint64) {
	if s.groupLate == nil || s.Overview.Pending == 0 || seq < s.Past.First() || seq >= s.Past.Next {
		return
	}
	p := s.Past.At(seq)
	if p.Lost || !p.Over {
		return
	}
	if f := s.Overview.Leaving(p); f != nil {
		s.Overview.Explain(f, s.groupLate(s, p))
	}
}
