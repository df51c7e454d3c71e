package viewer_test

import (
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// replayed returns a full panel of a session with a replay.
func replayed(t *testing.T) (*process.Session, *viewer.Panel) {
	t.Helper()
	s := process.NewSession()
	frames := replay.New(1, s)
	for range 400 {
		must.Do(t, frames.Step())
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	return s, p
}

// The figures of a session: the extra time of slow frames, chosen statistics with dashes where there are none, and a
// slow frame that the history has lost.
func TestStatisticsPictures(t *testing.T) {
	s, p := replayed(t)
	s.View().SetReportMode(report.ReportExtra)
	pictured(t, "extra", p)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	setColumns(p, report.ColumnHier, report.ColumnMin, report.ColumnP50, report.ColumnP99, report.ColumnMaxHold,
		report.ColumnP99Self, report.ColumnEverP99, report.ColumnEverMaxSelf, report.ColumnCallP99)
	golden.Picture(t, "statistics@2x.png", paint(t, p, 2240, 1200, 2))
	p.Run("usual-columns")
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
	s.SetHistory(40, 40)
	s.View().ShowFrame(s.AppendSlowest(nil)[1].Index)
	pictured(t, "kept", p)
}

// pictured compares a panel with the golden picture of a name.
func pictured(t *testing.T, name string, p *viewer.Panel) {
	t.Helper()
	golden.Picture(t, name+".png", paint(t, p, 1120, 600, 1))
}
