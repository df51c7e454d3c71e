package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/process/totals"
)

// AppendReport fills dst with the report of the session's view. It reuses dst's memory, and does not allocate in steady
// state. Any goroutine may call it. Cost: BenchmarkReport of the root package.
func (s *Session) AppendReport(dst *report.Report) {
	s.lock()
	defer s.mu.Unlock()
	s.data.Build(dst, &s.data.View)
	s.data.View.Cursor = max(dst.Cursor, 0)
}

// AppendReportOf fills dst with the report of a given view. It reuses dst's memory. Values of the view out of range are
// clamped; the session's own view stays. Any goroutine may call it.
func (s *Session) AppendReportOf(dst *report.Report, v report.View) {
	s.lock()
	defer s.mu.Unlock()
	s.data.Clamp(&v)
	s.data.Build(dst, &v)
}

// Info describes the frame that the view shows. Any goroutine may call it.
func (s *Session) Info() report.FrameInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.data.Info(&s.data.View, s.data.FrameOf(&s.data.View))
}

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
	p := s.data.Past.Age(age)
	if p == nil || p.Lost {
		return false
	}
	v := report.View{Lane: lane, Age: age, Average: report.AverageInstant}
	s.data.Load(&v)
	if len(s.data.Tree.Paths) == 0 || lane != 0 && !p.Has(s.data.LanePlace(lane)) {
		return false
	}
	dst.FrameSummary = p.FrameSummary
	dst.HasReport = true
	dst.Nodes = s.data.AppendBranch(dst.Nodes, 0)
	dst.Lane = report.LaneInfo{ID: lane, Name: s.data.LaneName(lane)}
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
	return s.data.AppendFrames(dst, frames)
}

// AppendSeries appends the self time of each zone in the newest frames, at most frames of them. The zone with the
// largest mean comes first. It reuses the memory of Series in dst's capacity. Any goroutine may call it.
func (s *Session) AppendSeries(dst []report.Series, frames int) []report.Series {
	s.lock()
	defer s.mu.Unlock()
	return s.data.AppendAllSeries(dst, frames)
}

// AppendLanes appends the lanes of the viewed frame, or of the frames of the lens, the busiest first. Any goroutine may
// call it.
func (s *Session) AppendLanes(dst []report.LaneInfo) []report.LaneInfo {
	s.lock()
	defer s.mu.Unlock()
	return s.data.AppendShownLanes(dst)
}

// ToggleFold folds or unfolds a record of ReportCallTree. In other modes, for other rows and for records without
// children it does nothing. Any goroutine may call it.
func (s *Session) ToggleFold(row int) {
	s.change()
	defer s.mu.Unlock()
	if s.data.View.Mode != report.ReportCallTree {
		return
	}
	s.data.Toggle(row)
}

// AppendTree appends the merged call tree of the frame that a view shows, or the tree of the view's lane. It is in
// preorder, siblings by hierarchical time. Paths that were not active are left out. The first node is the root. Any
// goroutine may call it.
func (s *Session) AppendTree(dst []report.TreeNode, v report.View) []report.TreeNode {
	s.lock()
	defer s.mu.Unlock()
	s.data.Clamp(&v)
	return s.data.AppendTree(dst, &v)
}

// LaneCost returns the time that measuring took on a lane in a frame, in ms. Slow paths are timed where they happen.
// For other entries it is their number times the cost of a timed, a counted or a muted entry. It is 0 for a frame
// without costs, such as one of another profiler. low and high are an interval for the true time; high is 0 if it is
// not known: see [report.Dump]. Any goroutine may call it.
func LaneCost(f *gather.Frame, l *gather.LaneFrame) (ms, low, high float64) {
	entries := totals.EntriesOf(l)
	cost := totals.LaneCost(f, l, entries)
	low, high = cost.Range(entries > 0)
	return cost.MS(), low, high
}
