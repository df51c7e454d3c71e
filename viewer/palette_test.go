package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The menu of all commands finds columns and zones, too. Without a search it has the commands only.
func TestTheMenuFindsColumnsAndZones(t *testing.T) {
	s := newSteps(t, 300, "update", "integrate", "broadphase")
	p := s.panel()
	s.frame(1, 2, 3)
	settled(t, p, 1280, 720, 1)
	search := func(words string) viewer.Hit {
		p.Run("menu")
		for _, r := range words {
			viewer.Type(p, r)
		}
		return p.State().Choice
	}
	p.Run("menu")
	settled(t, p, 1280, 720, 1)
	for h := range scan(p, 1280, 720) {
		if strings.ContainsRune(h.Name, ':') {
			t.Errorf("without a search got the line %q; want commands only", h.Name)
		}
	}
	p.Run("menu")
	if h := search("broadph"); h.Name != "find:broadphase" || !p.Run(h.Name) || p.State().Filter != "broadphase" {
		t.Errorf("zone: got %q and the filter %q; want broadphase", h.Name, p.State().Filter)
	}
	s.zones[1].Function = "example.org/game/engine.step"
	s.frame(1, 2, 3)
	settled(t, p, 1280, 720, 1)
	if h := search("package engine"); h.Name != "find:pkg:engine" && h.Name != "find:pkg:example.org/game/engine" {
		t.Errorf("package: got %q; want engine", h.Name)
	}
	p.Run("menu")
	h := search("column p99.9")
	if !strings.HasPrefix(h.Name, "column:") || !p.Run(h.Name) {
		t.Fatalf("column: got %q; want a column", h.Name)
	}
	got := p.Options().Columns
	if !slices.Contains(got, report.ColumnP999) && !slices.Contains(got, report.ColumnP999Self) {
		t.Errorf("got the columns %v; want that of p99.9", got)
	}
	if p.Run("back"); len(p.Options().Columns) != 0 {
		t.Errorf("back: got the columns %v; want the usual ones, as before", p.Options().Columns)
	}
}
