package process

import (
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// FrameOf fills dst with one lane's records of a finished frame. The lane is an ID, 0 for all lanes merged, or OwnLane.
// Age 0 is the newest frame, 1 the one before it. FrameOf reports whether the frame still has its records and the lane
// was in it; if not, dst is empty. It reuses dst's memory. Any goroutine may call it.
func (s *Session) FrameOf(dst *report.PastFrame, lane report.LaneID, age int) bool {
	if lane == timeline.OwnLane {
		if lane = measure.OwnLane(); lane == 0 {
			*dst = report.PastFrame{Nodes: dst.Nodes[:0]}
			return false
		}
	}
	s.lock()
	defer s.mu.Unlock()
	*dst = report.PastFrame{Nodes: dst.Nodes[:0]}
	p := s.store.Past.Age(age)
	if p == nil || p.Lost {
		return false
	}
	v := report.View{Lane: lane, Age: age, Average: report.AverageInstant}
	s.views.main.rows.Load(&v)
	if len(s.store.Tree.Paths) == 0 || lane != 0 && !p.Has(s.store.LanePlace(lane)) {
		return false
	}
	dst.FrameSummary = p.FrameSummary
	dst.HasReport = true
	dst.Nodes = s.views.main.rows.AppendBranch(dst.Nodes, 0)
	dst.Lane = report.LaneInfo{ID: lane, Name: s.store.LaneName(lane)}
	for i := range dst.Nodes {
		if n := &dst.Nodes[i]; !n.Idle && n.Path != 0 {
			dst.Lane.Self += n.Self
		}
	}
	return true
}

// AppendFrames appends summaries of the newest frames, at most frames of them, oldest first. Any goroutine may call it.
func (s *Session) AppendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendFrames(dst, frames)
}

// AppendSeries appends the self time of each zone in the newest frames, at most frames of them. The zone with the
// largest mean comes first. It reuses the memory of Series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendSeries(dst []report.Series, frames int) []report.Series {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendAllSeries(dst, frames)
}
