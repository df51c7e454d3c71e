package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// AppendReport fills dst with the view's report. It reuses dst's memory, and does not allocate in steady
// state. Any goroutine may call it. Cost: BenchmarkReport of the root package.
func (v *View) AppendReport(dst *report.Report) {
	v.lock()
	defer v.unlock()
	v.rows.Build(dst, &v.rows.View)
	v.rows.View.Cursor = max(dst.Cursor, 0)
}

// AppendReportOf fills dst with the report of other choices. It reuses dst's memory. Choices out of range are clamped;
// the view's own choices stay. Any goroutine may call it.
func (v *View) AppendReportOf(dst *report.Report, of report.View) {
	v.lock()
	defer v.unlock()
	v.rows.Clamp(&of)
	v.rows.Build(dst, &of)
}

// Info describes the frame that the view shows. Any goroutine may call it.
func (v *View) Info() report.FrameInfo {
	v.lock()
	defer v.unlock()
	return v.rows.Info(&v.rows.View, v.rows.FrameOf(&v.rows.View))
}

// AppendLanes appends the lanes of the viewed frame, or of the frames of the lens, the busiest first. Any goroutine may
// call it.
func (v *View) AppendLanes(dst []report.LaneInfo) []report.LaneInfo {
	v.lock()
	defer v.unlock()
	return v.rows.AppendShownLanes(dst)
}

// ToggleFold folds or unfolds a record of ReportCallTree. In other modes, for other rows and for records without
// children it does nothing. Any goroutine may call it.
func (v *View) ToggleFold(row int) {
	v.change()
	defer v.unlock()
	if v.rows.View.Mode != report.ReportCallTree {
		return
	}
	v.rows.Toggle(row)
}

// AppendTree appends the merged call tree of the frame that some choices show, or the tree of their lane. It is in
// preorder, siblings by hierarchical time. Paths that were not active are left out. The first node is the root. Any
// goroutine may call it.
func (v *View) AppendTree(dst []report.TreeNode, of report.View) []report.TreeNode {
	v.lock()
	defer v.unlock()
	v.rows.Clamp(&of)
	return v.rows.AppendTree(dst, &of)
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
