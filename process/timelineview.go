package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/timeline"
)

// AppendTimeline appends every scope in the frame of an age. The lane is an ID, 0 for all lanes of the frame in the
// order of AppendTimelineLanes, or OwnLane. On each level of a lane, scopes are in order of time and do not overlap.
// AppendTimeline reads the rings of events (see gather.SetEvents), or the copies that are kept of slow frames, and in a
// paused session a copy from the time of the pause. AppendTimelineLanes returns how much they still hold. It takes time
// in proportion to the events of the frame, and does not allocate in steady state. Any goroutine may call it.
func (s *Session) AppendTimeline(dst []timeline.Scope, lane LaneID, age int) []timeline.Scope {
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
func (s *Session) AppendTimelineFrame(dst []timeline.Scope, lane LaneID, index uint64) []timeline.Scope {
	s.lock()
	defer s.mu.Unlock()
	r := s.reader()
	return r.AppendScopes(dst, lane, r.FrameAt(index), 0, 0)
}

// AppendTimelineFrameLanes is AppendTimelineLanes for the frame of an index: see AppendTimelineFrame.
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

// snapshotTimeline brings the timeline up to date.
func (s *builder) snapshotTimeline(dst *Snapshot, o SnapshotOptions) {
	first, last := s.timelineShown(&s.view)
	dst.Timeline.Update(s.reader(), &s.states, first, last, s.view.Lane, o.TimelineFrom, o.TimelineTo)
}

// timelineShown returns the first and the last of the frames that a view shows. They are nil if there are none.
func (s *store) timelineShown(v *View) (first, last *history.Frame) {
	if l := v.LensInForce(); l.Kind == LensRange {
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
