package process

import (
	"fmt"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// AppendTimeline appends every scope in the frame of an age. The lane is an ID, 0 for all lanes of the frame in the
// order of AppendTimelineFrameLanes, or OwnLane. On each level of a lane, scopes are in order of time and do not
// overlap. AppendTimeline reads the rings of events (see gather.SetEvents), or the copies that are kept of slow frames,
// and in a paused session a copy from the time of the pause. AppendTimelineFrameLanes returns how much they still hold.
// It takes time in proportion to the events of the frame, and does not allocate in steady state. Any goroutine may call
// it.
func (s *Session) AppendTimeline(dst []timeline.Scope, lane report.LaneID, age int) []timeline.Scope {
	if lane == timeline.OwnLane {
		if lane = gather.OwnLane(); lane == 0 {
			return dst
		}
	}
	s.lock()
	defer s.mu.Unlock()
	return s.reader().AppendScopes(dst, lane, s.past.Age(age), 0, 0)
}

// AppendTimelineFrame is AppendTimeline for the frame of an index (FrameSummary.Index). The frame is in the history, or
// one of the slowest frames, whose events are kept: see AppendSlowest. Without such a frame it appends nothing.
func (s *Session) AppendTimelineFrame(dst []timeline.Scope, lane report.LaneID, index uint64) []timeline.Scope {
	s.lock()
	defer s.mu.Unlock()
	r := s.reader()
	return r.AppendScopes(dst, lane, r.FrameAt(index), 0, 0)
}

// AppendTimelineFrameLanes appends the lanes of the frame of an index, in the frame's order, with the state of their
// events: see AppendTimelineFrame. Any goroutine may call it.
func (s *Session) AppendTimelineFrameLanes(dst []timeline.Lane, index uint64) []timeline.Lane {
	s.lock()
	defer s.mu.Unlock()
	r := s.reader()
	return r.AppendLanes(dst, r.FrameAt(index))
}

// SetEventSource sets the source of events for timelines. With nil, the running program's session reads package gather,
// and a session that WriteFrame feeds has no events. Any goroutine may call it.
func (s *Session) SetEventSource(source timeline.EventSource) {
	s.change()
	defer s.mu.Unlock()
	s.timeline.SetSource(source)
}

// reader returns what reads scopes, with the frames as they are now.
func (s *store) reader() *timeline.Reader {
	s.timeline.Stores = timeline.Stores{Past: &s.past, Slowest: &s.slow, Tree: &s.tree, Lanes: &s.lanes,
		Fed: s.fed, Zones: s.zones,
		Budget: s.budget.Seconds() * 1000}
	return &s.timeline
}

// timelineShown returns the first and the last of the frames that a view shows. They are nil if there are none.
func (s *store) timelineShown(v *report.View) (first, last *history.Frame) {
	if l := v.LensInForce(); l.Kind == report.LensRange {
		for seq := s.past.First(); seq < s.past.Next; seq++ {
			if p := s.past.At(seq); l.Takes(&p.FrameSummary) && p.To > p.From {
				if first == nil || !history.Adjoin(last, p) {
					first = p
				}
				last = p
			}
		}
	}
	if first == nil {
		first = s.shown(v)
		last = first
	}
	if first == nil || first.To <= first.From {
		return nil, nil
	}
	return first, last
}

// AddStates gives the session what an execution trace knows of the time from begin to end. What it had of that time
// goes. The order of the states is of no matter; their memory is copied. MostStates are kept. Sinks, such as captures
// and viewers elsewhere, get the parts that no frame has brought with the next frames, some thousands with each. Any
// goroutine may call it. The module exectrace makes states.
func (s *Session) AddStates(begin, end platform.Ticks, list []gather.LaneState) {
	s.change()
	defer s.mu.Unlock()
	s.late.Bring(&s.states, begin, end, list)
	s.restate()
}

// takeStates keeps the states of a frame.
func (s *store) takeStates(f *gather.Frame) {
	if len(f.States) == 0 {
		return
	}
	late, gone := s.states.Take(f, &s.late)
	if gone > 0 { // of frames before, it may be
		from := s.past.Next - min(s.past.Next, 2)
		for from > s.past.First() && s.past.At(from).From > gone {
			from--
		}
		s.causes.LookAgain(from)
	}
	if late {
		s.restate()
	}
}

// takeLate keeps the states that a frame brings of the frames before it, in a paused session that takes no frame.
func (s *intake) takeLate(f *gather.Frame) {
	p := s.past.Age(0)
	if p == nil || len(f.Zones) < len(s.zones) || s.hasOtherClock(f) {
		return
	}
	if s.states.TakeBefore(f, p.To) {
		s.gen++
		s.restate()
	}
}

// restate makes what was said of the states of frames void, after states were added to frames of the history.
func (s *store) restate() {
	s.timeline.Void()
	s.causes.ForgetLast()
}

// statesWarning is the warning about states that were dropped.
func (s *builder) statesWarning(n uint64) string {
	if r := &s.rows; r.statesOf != n {
		r.statesOf = n
		r.states = fmt.Sprintf("%d waits were dropped: a frame has at most %d", n, gather.MostStates)
	}
	return s.rows.states
}

// AppendStates appends the states that overlap the frame of an age, by their beginnings. Times are on the clock of
// package platform. Any goroutine may call it.
func (s *Session) AppendStates(dst []gather.LaneState, age int) []gather.LaneState {
	s.lock()
	defer s.mu.Unlock()
	if p := s.past.Age(age); p != nil {
		s.states.Each(p.From, p.To, func(q *gather.LaneState) { dst = append(dst, *q) })
	}
	return dst
}

// AppendGoroutines appends the goroutines of the lanes in the history, by lane and number. Any goroutine may call it.
func (s *Session) AppendGoroutines(dst []report.LaneGoroutine) []report.LaneGoroutine {
	s.lock()
	defer s.mu.Unlock()
	first := len(dst)
	type key struct {
		lane      report.LaneID
		goroutine uint64
	}
	known := map[key]int{}
	last := make([]int, len(s.lanes.List)) // by place: 1 + the index in dst of its goroutine, which seldom changes
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		p := s.past.At(seq)
		for i := range p.Lanes {
			k := key{s.lanes.List[p.Lanes[i].Place].ID, p.Lanes[i].Goroutine}
			if k.goroutine == 0 {
				continue
			}
			at := &last[p.Lanes[i].Place]
			if *at == 0 || dst[*at-1].Goroutine != k.goroutine {
				if known[k] == 0 {
					dst = append(dst, report.LaneGoroutine{Lane: k.lane, Goroutine: k.goroutine,
						Begin: p.From, End: p.To})
					known[k] = len(dst)
				}
				*at = known[k]
			}
			dst[*at-1].End = p.To
		}
	}
	slices.SortFunc(dst[first:], func(a, b report.LaneGoroutine) int {
		if a.Lane != b.Lane {
			return int(int64(a.Lane - b.Lane))
		}
		return int(int64(a.Goroutine - b.Goroutine))
	})
	return dst
}
