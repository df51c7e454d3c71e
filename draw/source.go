package draw

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// source is what a panel asks of a session.
type source interface {
	View() process.View
	Info() process.FrameInfo
	Zone(id int32) gather.ZoneInfo
	timelineSource
	AppendReport(dst *process.Report)
	AppendTopSeries(dst []process.Series, frames, most int, also int32) []process.Series
	AppendValueSeries(dst []process.ValueSeries, frames int) []process.ValueSeries
	AppendFrames(dst []process.FrameSummary, frames int) []process.FrameSummary
	AppendTree(dst []process.TreeNode, v process.View) []process.TreeNode
	AppendPathHistory(dst []float32, path int32, frames int) []float32
	AppendZoneHistory(dst []float32, zone int32, frames int) []float32
	AppendLanes(dst []process.LaneInfo) []process.LaneInfo
	AppendReportOf(dst *process.Report, v process.View)
	AppendSlowest(dst []process.FrameSummary) []process.FrameSummary
	AppendTotals(dst []process.TreeNode) []process.TreeNode
	SetPerCall(zone int32, on bool)
	AppendCalls(dst []process.CallBucket, zone int32) []process.CallBucket
	Generation() uint64
}

// historyFrames is how many frames the history strip shows.
const historyFrames = 300

// shown is what one Draw shows. Its memory is used again by the next.
type shown struct {
	source source
	view   process.View
	info   process.FrameInfo
	report process.Report
	frames []process.FrameSummary
	series []process.Series
	tree   []process.TreeNode
	totals []process.TreeNode
	line   []float32 // one sparkline
	hover  Hit       // what lies under the mouse
	late   bool      // the mouse came to lie over something else: another Draw shows it everywhere
}

// gather asks for what a whole screen needs.
func (d *shown) gather(s source) {
	d.gatherLine(s)
	d.view = s.View()
	s.AppendReport(&d.report)
	d.info = d.report.Frame
	d.series = s.AppendTopSeries(d.series[:0], historyFrames, stacked, d.zoneUnderMouse())
	d.tree = s.AppendTree(d.tree[:0], d.view)
}

// gatherLine asks for what the HUD needs.
func (d *shown) gatherLine(s source) {
	d.source = s
	d.info = s.Info()
	d.frames = s.AppendFrames(d.frames[:0], historyFrames)
}

// zoneUnderMouse is the zone to highlight wherever it is drawn, or -1.
func (d *shown) zoneUnderMouse() int32 {
	switch d.hover.Kind {
	case HitRecord, HitCaret, HitZone, HitIcicle, HitLegend, HitTimeline:
		return d.hover.Zone
	}
	return -1
}
