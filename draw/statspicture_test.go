package draw_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// replayed is a full panel on a session that has seen a replay.
func replayed(t *testing.T) (*process.Session, *draw.Panel) {
	t.Helper()
	s := process.NewSession()
	frames := replay.New(1, s)
	for range 400 {
		if err := frames.Step(); err != nil {
			t.Fatal(err)
		}
	}
	p := draw.PanelFor(s)
	p.SetMode(draw.Full)
	return s, p
}

// Of a session's own figures: what is extra in slow frames, chosen statistics with dashes where there are none, and a slow
// frame that the history has lost.
func TestStatisticsPictures(t *testing.T) {
	s, p := replayed(t)
	s.SetReportMode(process.Extra)
	inBothScales(t, "extra", p)
	s.SetReportMode(process.HierarchicalTime)
	p.SetColumns(process.ColumnHier, process.ColumnMin, process.ColumnP50, process.ColumnP99, process.ColumnMaxHold,
		process.ColumnP99Self, process.ColumnEverP99, process.ColumnEverMaxSelf, process.ColumnCallP99)
	inBothScales(t, "statistics", p)
	p.SetColumns()
	p.SetSecond(draw.SecondSlowest)
	s.SetHistory(40, 40)
	s.ShowFrame(s.AppendSlowest(nil)[1].Index)
	inBothScales(t, "kept", p)
}

// inBothScales compares what a panel draws with the picture of that name, and at twice the scale and the pixels.
func inBothScales(t *testing.T, name string, p *draw.Panel) {
	t.Helper()
	golden.Picture(t, name+".png", paint(t, p, 1120, 600, 1))
	golden.Picture(t, name+"@2x.png", paint(t, p, 2240, 1200, 2))
}
