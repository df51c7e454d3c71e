//go:build !iprof_off

package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// heightOf returns the height at which a word stands on the screen, from a place on; -1 without it.
func heightOf(p *viewer.Panel, width, height, from float32, text string) float32 {
	at := slices.IndexFunc(laidOut(p, width, height).AppendWords(nil),
		func(w draw.Words) bool { return w.Text == text && w.Baseline > from })
	if at < 0 {
		return -1
	}
	return laidOut(p, width, height).AppendWords(nil)[at].Baseline
}

// A zone that is kept is the first row whatever it takes. Ctrl+Z takes that back.
func TestAZoneIsKeptAtTheTop(t *testing.T) {
	s := newSteps(t, 300, "update", "integrate", "broadphase")
	p := s.panel()
	s.frame(9, 5, 1)
	settled(t, p, 1280, 720, 1)
	first := func() string {
		settled(t, p, 1280, 720, 1)
		if heightOf(p, 1280, 720, 440, "broadphase") < heightOf(p, 1280, 720, 440, "update") {
			return "broadphase"
		}
		return "update"
	}
	before := first()
	s.View().SetCursorZone(3)
	p.Run("keep-zone")
	if got := first(); got != "broadphase" || before == got {
		t.Errorf("first row: got %q, before %q; want broadphase now", got, before)
	}
	s.View().SetReportMode(report.ReportHierarchicalTime)
	if got := first(); got != "broadphase" {
		t.Errorf("sorted by another column: got %q first; want broadphase", got)
	}
	if got := p.Options().KeptZones; !slices.Equal(got, []string{"broadphase"}) {
		t.Errorf("kept: got %q; want broadphase", got)
	}
	s.View().SetReportMode(report.ReportSelfTime)
	p.Run("keep-zone")
	if got := first(); got != before {
		t.Errorf("no longer kept: got %q first; want %q", got, before)
	}
	p.Run("back")
	if got := first(); got != "broadphase" {
		t.Errorf("back: got %q first; want broadphase kept again", got)
	}
}

// A goroutine that is kept is above all others in the timeline, and Ctrl+Z takes that back.
func TestAGoroutineIsKeptAtTheTop(t *testing.T) {
	s := blocked(t)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused, o.Timeline = viewer.PanelFull, true, viewer.TimelineLarge })
	hurried(p)
	above := func() bool {
		settled(t, p, 1000, 500, 1)
		return heightOf(p, 1000, 500, 200, "loader") < heightOf(p, 1000, 500, 200, "main")
	}
	if above() {
		t.Fatal("the loader is above main before it is kept")
	}
	y := heightOf(p, 1000, 500, 200, "loader")
	viewer.RunAt(p, "lane-menu", 30, y-4)
	h := p.State().Choice
	viewer.Press(p, h)
	if h.Name != "keep-lane" || !p.Run(h.Name) {
		t.Fatalf("menu of the goroutine: got %+v; want the choice to keep it", h)
	}
	if !above() || !slices.Equal(p.Options().KeptLanes, []string{"loader"}) {
		t.Errorf("kept %q: got the loader below main", p.Options().KeptLanes)
	}
	if p.Run("back"); above() {
		t.Error("back: got the loader above main; want it where it was")
	}
}
