package strip

import (
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Signs lists the signs of the history and the ribbon in the last Draw, for a legend.
type Signs struct {
	Ribbon, Causes, Late, Shown bool // the ribbon; its late frames with and without a known cause; the shown frame

	Columns, Blocked, Waiting, Over, LateWait, Cut bool // of the columns
	Collected, Stopped                             bool // by the garbage collector
	Marks, Baseline, Selected, Listed, Range       bool
	Sections                                       bool // bands of sections
	Comments                                       bool // flags of the user
	Limits, Others                                 bool // lines at frame lengths; the band of other goroutines
}

// Signs returns the signs of the last Draw.
func (s *Strip) Signs(d *scene.Scene) (g Signs) {
	g.Ribbon = s.Ribbon.Plot.Height() > 0
	g.Causes = g.Ribbon && len(d.Overview.Groups) > 0
	g.Late = g.Ribbon && !g.Causes && len(d.Overview.Late) > 0
	if s.Plot.Height() <= 0 || d.Info.Frames == 0 {
		return g
	}
	g.Shown = !d.Info.Gone && !d.Info.Kept && d.Visible(d.Info.Age)
	g.Columns, g.Limits = !s.Lines, !s.Lines && (d.Info.Kind.HasFrames() || d.Info.Budget > 0)
	g.Others, g.Range, g.Cut = s.Others.Plot.Height() > 0, s.ranged, g.Columns && len(s.cuts.all) > 0
	g.Collected = g.Columns && s.collected
	g.Baseline, g.Listed = d.Report.Baseline.Pinned, len(s.Listed) > 0
	g.Selected = s.Ribbon.group > 0
	g.Comments = s.commented
	g.Sections = s.Bands[0].Width()+s.Bands[1].Width() > 0
	for i := range d.Marks {
		g.Marks = g.Marks || d.Visible(d.Marks[i].Age)
	}
	for i := range d.Past.Columns {
		s.signsOf(&g, &d.Past.Columns[i])
	}
	return g
}

// signsOf adds the signs of a column.
func (s *Strip) signsOf(g *Signs, f *report.PastColumn) {
	if !g.Columns || !canvas.Finite(f.Busy) {
		return
	}
	g.Blocked = g.Blocked || f.Blocked > 0 && !s.all
	g.Waiting = g.Waiting || f.Length > f.Judged()*1.01 && !s.all
	g.Over = g.Over || f.Over
	g.LateWait = g.LateWait || f.Pace(s.budget) == report.PaceWaited
	g.Stopped = g.Stopped || g.Collected && f.Collector.Any() && f.Collector.Stopped >= 0.1*f.Length
}
