package viewer_test

import (
	"image/color"
	"slices"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// inks counts the vertices of each colour in a settled picture.
func inks(t *testing.T, p *viewer.Panel) map[color.NRGBA]int {
	t.Helper()
	settled(t, p, 1280, 720, 1)
	var l draw.List
	p.Draw(&l, 1280, 720, 1)
	found := map[color.NRGBA]int{}
	for i := range l.V {
		v := &l.V[i]
		found[color.NRGBA{v.R, v.G, v.B, v.A}]++
	}
	return found
}

// The colour of changing numbers and the marks of collections can be switched off, and on again.
func TestHeatAndCollectionsCanBeSwitchedOff(t *testing.T) {
	collection := draw.PaletteOf(draw.ThemeDark).Collection
	p := panelOf(newDemo(), viewer.PanelFull)
	all := inks(t, p)
	if all[collection] == 0 {
		t.Fatal("got no marks of collections in the demo; want some")
	}
	p.Run("collector")
	if got := inks(t, p)[collection]; got != 0 || !p.Options().HideCollector {
		t.Errorf("collections: got %d vertices of their marks; want none", got)
	}
	p.Run("collector")
	_, p = replayed(t)
	all = inks(t, p)
	p.Run("heat")
	cool := inks(t, p)
	if len(cool) >= len(all) || !p.Options().HideHeat {
		t.Errorf("heat: got %d colours, with heat %d; want fewer", len(cool), len(all))
	}
	p.Run("heat")
	if got := inks(t, p); len(got) != len(all) {
		t.Errorf("heat and collections on again: got %d colours; want %d", len(got), len(all))
	}
}

// A choice of columns for a question is one command, and Ctrl+Z takes it back.
func TestColumnsForAQuestion(t *testing.T) {
	for name, want := range map[string]report.Column{"time": report.ColumnP99, "calls": report.ColumnHierPerCall,
		"memory": report.ColumnHeapBytes, "waiting": report.ColumnWaiting} {
		t.Run(name, func(t *testing.T) {
			p := panelOf(newDemo(), viewer.PanelFull)
			p.Run("columns")
			laidOut(p, 1280, 720)
			button := viewer.Hit{Kind: hit.Command, Name: "columns-" + name, Zone: -1, Path: -1}
			if _, ok := scan(p, 1280, 720)[button]; !ok {
				t.Error("the chooser has no button for it")
			}
			viewer.Press(p, button)
			if p.Run(button.Name); !slices.Contains(p.Options().Columns, want) || p.State().MenuOpen {
				t.Errorf("got columns %v; want %v among them", p.Options().Columns, want)
			}
			laidOut(p, 1280, 720)
			head := viewer.Hit{Kind: hit.Header, Index: int(want), Zone: -1, Path: -1}
			if _, ok := scan(p, 1280, 720)[head]; !ok {
				t.Error("the table has no such heading")
			}
			if p.Run("back"); len(p.Options().Columns) != 0 {
				t.Errorf("back: got %v; want the usual ones", p.Options().Columns)
			}
		})
	}
}

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
