package store

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Reader returns the reader of scopes, with the present frames.
func (s *Store) Reader() *timeline.Reader {
	s.Slow.NoBudget = s.Budget != s.Wanted
	s.Timeline.Stores = timeline.Stores{Past: &s.Past, Slowest: &s.Slow, Tree: &s.Tree, Lanes: &s.Lanes,
		Fed: s.Fed, Zones: s.Zones,
		Budget: s.Budget.Seconds() * 1000}
	return &s.Timeline
}

// TimelineShown returns the first and the last frame that a view shows, or nil.
func (s *Store) TimelineShown(v *report.View) (first, last *history.Frame) {
	if l := v.LensInForce(); l.Kind == report.LensRange {
		for seq := s.Past.First(); seq < s.Past.Next; seq++ {
			if p := s.Past.At(seq); l.Takes(&p.FrameSummary) && p.To > p.From {
				if first == nil || !history.Adjoin(last, p) {
					first = p
				}
				last = p
			}
		}
	}
	if first == nil {
		first = s.Shown(v)
		last = first
	}
	if first == nil || first.To <= first.From {
		return nil, nil
	}
	return first, last
}

// TakeStates keeps the states of a frame.
func (s *Store) TakeStates(f *gather.Frame) {
	if len(f.States) == 0 {
		return
	}
	late, gone := s.States.Take(f, &s.Late)
	if gone > 0 { // perhaps in earlier frames
		from := s.Past.Next - min(s.Past.Next, 2)
		for from > s.Past.First() && s.Past.At(from).From > gone {
			from--
		}
		s.causes.LookAgain(from)
	}
	if late {
		s.Restate()
	}
}

// Restate invalidates results from states, after states were added to frames of the history.
func (s *Store) Restate() {
	s.Timeline.Void()
	s.causes.ForgetLast()
}
