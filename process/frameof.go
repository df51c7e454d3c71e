package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/timeline"
)

// FrameOf fills dst with the part of a lane in a finished frame. The lane is an ID, 0 for all lanes merged, or OwnLane.
// Age 0 is the newest frame, 1 the one before it. FrameOf reports whether the frame has its records and the lane was in
// it; if not, dst is empty. It reuses dst's memory. Any goroutine may call it.
func (s *Session) FrameOf(dst *PastFrame, lane LaneID, age int) bool {
	if lane == timeline.OwnLane {
		if lane = gather.OwnLane(); lane == 0 {
			*dst = PastFrame{Nodes: dst.Nodes[:0]}
			return false
		}
	}
	s.lock()
	defer s.mu.Unlock()
	*dst = PastFrame{Nodes: dst.Nodes[:0]}
	p := s.past.Age(age)
	if p == nil || p.Lost {
		return false
	}
	v := View{Lane: lane, Age: age, Average: AverageInstant}
	s.load(&v)
	if len(s.tree.Paths) == 0 || lane != 0 && !p.Has(s.lanePlace(lane)) {
		return false
	}
	dst.FrameSummary = p.FrameSummary
	dst.HasReport = true
	dst.Nodes = s.appendBranch(dst.Nodes, 0)
	dst.Lane = LaneInfo{ID: lane, Name: s.laneName(lane)}
	for i := range dst.Nodes {
		if n := &dst.Nodes[i]; !n.Idle && n.Path != 0 {
			dst.Lane.Self += n.Self
		}
	}
	return true
}
