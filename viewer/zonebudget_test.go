package viewer_test

import (
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// redInk counts the corners in the colour of what is over budget.
func redInk(p *viewer.Panel) (n int) {
	red := draw.PaletteOf(p.Options().Theme).Red
	for _, v := range laidOut(p, 1280, 720).V {
		if v.R == red.R && v.G == red.G && v.B == red.B && v.A == red.A {
			n++
		}
	}
	return n
}

func TestMenuSetsTheBudgetOfAZone(t *testing.T) {
	s, p := replayed(t)
	s.Pause()
	s.View().SetReportMode(report.ReportHierarchicalTime)
	p.Run("down")
	var r report.Report
	s.View().AppendReport(&r)
	zone := r.CursorRecord().Zone
	laidOut(p, 1280, 720)
	before := redInk(p)
	for _, want := range []time.Duration{1, 2, 4, 8, 0} {
		if p.Run("zone-budget"); s.Budget(zone) != want*time.Millisecond {
			t.Errorf("got a budget of %v; want %d ms", s.Budget(zone), want)
		}
	}
	laidOut(p, 1280, 720)
	if got := redInk(p); got != before {
		t.Errorf("without a budget: got %d red corners; want %d as before", got, before)
	}
	s.SetBudget(zone, time.Microsecond)
	if got := redInk(p); got <= before {
		t.Errorf("over its budget: got %d red corners; want more than %d", got, before)
	}
}
