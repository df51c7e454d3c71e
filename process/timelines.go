package process

import (
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// AppendTimeline appends every scope in the frame of an age. The lane is an ID, 0 for all lanes of the frame in the
// order of AppendTimelineFrameLanes, or OwnLane. On each level of a lane, scopes are in order of time and do not
// overlap. AppendTimeline reads the ring buffers of events (see gather.SetEvents). For slow frames it reads the kept
// copies, and in a paused session a copy from the moment of the pause. AppendTimelineFrameLanes returns how much of the
// events remains. AppendTimeline takes time in proportion to the events of the frame, and does not allocate in steady
// state. Any goroutine may call it.
func (s *Session) AppendTimeline(dst []timeline.Scope, lane report.LaneID, age int) []timeline.Scope {
	if lane == timeline.OwnLane {
		if lane = measure.OwnLane(); lane == 0 {
			return dst
		}
	}
	s.lock()
	defer s.mu.Unlock()
	return s.store.Reader().Speak().AppendScopes(dst, lane, s.store.Past.Age(age), 0, 0)
}

// AppendTimelineFrame is AppendTimeline for the frame of an index (FrameSummary.Index). The frame is in the history, or
// one of the slowest frames, whose events are kept: see AppendSlowest. Without such a frame it appends nothing.
func (s *Session) AppendTimelineFrame(dst []timeline.Scope, lane report.LaneID, index uint64) []timeline.Scope {
	s.lock()
	defer s.mu.Unlock()
	r := s.store.Reader().Speak()
	return r.AppendScopes(dst, lane, r.FrameAt(index), 0, 0)
}

// AppendTimelineFrameLanes appends the lanes of the frame of an index, in the frame's order, with the state of their
// events: see AppendTimelineFrame. Any goroutine may call it.
func (s *Session) AppendTimelineFrameLanes(dst []timeline.Lane, index uint64) []timeline.Lane {
	s.lock()
	defer s.mu.Unlock()
	r := s.store.Reader()
	return r.AppendLanes(dst, r.FrameAt(index))
}

// AddStates gives the session the states of goroutines from begin to end, as an execution trace has them. They replace
// the session's states of that time. They may be in any order, and are copied. At most MaxStates are kept. States of
// frames that have ended reach the sinks, such as captures and remote viewers, with the next frames, a few thousand in
// each. Any goroutine may call it. The module exectrace makes states.
func (s *Session) AddStates(begin, end platform.Ticks, list []gather.LaneState) {
	s.change()
	defer s.mu.Unlock()
	s.store.Late.Bring(&s.store.States, begin, end, list)
	s.store.Restate()
}

// takeLate keeps a frame's states of earlier frames in a paused session, which does not take the frame itself.
func (in *intake) takeLate(f *gather.Frame) {
	p := in.store.Past.Age(0)
	if p == nil || f.Origin != in.store.Origin {
		return
	}
	if in.store.States.TakeBefore(f, p.To) {
		in.store.Gen++
		in.store.Restate()
	}
}

// AppendStates appends the states that overlap the frame of an age, in the order of their beginnings. Times are on the
// clock of package platform. Any goroutine may call it.
func (s *Session) AppendStates(dst []gather.LaneState, age int) []gather.LaneState {
	s.lock()
	defer s.mu.Unlock()
	if p := s.store.Past.Age(age); p != nil {
		s.store.States.Each(p.From, p.To, func(q *gather.LaneState) { dst = append(dst, *q) })
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
	last := make([]int, len(s.store.Lanes.List)) // by place: 1 + the index in dst of its goroutine; it seldom changes
	for seq := s.store.Past.First(); seq < s.store.Past.Next; seq++ {
		p := s.store.Past.At(seq)
		for i := range p.Lanes {
			k := key{s.store.Lanes.List[p.Lanes[i].Place].ID, p.Lanes[i].Goroutine}
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
	added := dst[first:]
	sort.Slice(added, func(i, k int) bool { // a generic sort would add 5 kB to the viewer in a browser
		a, b := &added[i], &added[k]
		return a.Lane < b.Lane || a.Lane == b.Lane && a.Goroutine < b.Goroutine
	})
	return dst
}
