package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestChangesAreSigned(t *testing.T) {
	for _, c := range []struct {
		was, is, deviation float64
		zone               report.ZoneID
		ms, percent        string
	}{
		{2, 3, 0.1, 1, "+1.00", "+50.0"},
		{4, 3, 0.1, 1, "-1.00", "-25.0"},
		{2, 2.3, 0.3, 1, "~+0.30", "~+15.0"}, // within the deviation
		{2, 1.8, 0.3, 1, "~-0.20", "~-10.0"},
		{2, 2.004, 0, 1, "~+0.00", "~+0.2"},
		{0, 3, 0, 1, "+3.00", "-"},
		{2, 3, 0, 2, "new", "new"},
	} {
		t.Run(fmt.Sprint(c.was), func(t *testing.T) {
			r := report.Record{Zone: c.zone, Path: -1, Mask: report.AllColumns}
			r.Values[report.ColumnHier], r.Values[report.ColumnDeviation] = c.is, c.deviation
			if ms, percent := viewer.Change(c.was, &r); ms != c.ms || percent != c.percent {
				t.Errorf("from %v to %v, deviation %v: got %s, %s; want %s, %s", c.was, c.is, c.deviation, ms,
					percent, c.ms, c.percent)
			}
		})
	}
}

func TestCompareComesAndGoes(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	if p.Run("compare"); p.State().Comparing {
		t.Error("without a baseline: got comparing; want nothing")
	}
	delta := viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnDelta), Zone: -1, Path: -1}
	has := func() bool {
		laidOut(p, 1280, 720)
		_, ok := scan(p, 1280, 720)[delta]
		return ok
	}
	if p.Run("baseline"); !p.State().Comparing || !has() {
		t.Error("pinned: got no column of differences; want it")
	}
	d.view.Age = 93
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnDelta)})
	if rows := rowsOf(d, p); rows[0] != "simulate" || rows[1] != "physics_solve" {
		t.Errorf("by difference: got %v; want simulate, physics_solve first", rows[:2])
	}
	if p.Run("compare"); has() || p.State().Comparing {
		t.Error("off again: got a column of differences; want none")
	}
	if rows := rowsOf(d, p); rows[0] != "render_world" {
		t.Errorf("off again: got %v; want the report's order", rows[:2])
	}
	empty := newDemo()
	empty.frames = 0
	p = panelOf(empty, viewer.PanelFull)
	if p.Run("baseline"); p.State().Comparing {
		t.Error("no frames: got comparing; want nothing to compare with")
	}
}
