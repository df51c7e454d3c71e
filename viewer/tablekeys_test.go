package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// rowsOf reads the records from top to bottom off the screen.
func rowsOf(d *demo, p *viewer.Panel) (names []string) {
	laidOut(p, 1280, 1400)
	last := -1
	for y := float32(1); y < 1400; y += 2 {
		if h := p.HitAt(500, y); h.Kind == hit.Record && h.Index != last {
			last = h.Index
			names = append(names, d.zones[h.Zone].name)
		}
	}
	return names
}

func TestSortKeepsRowsBelowTheirOwn(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnName)})
	want := "audio present render_world frustum_cull gbuffer lighting post_process " +
		"shadow_cascades simulate ai_think physics_solve skeletal_anim streaming swap (vsync)"
	if got := strings.Join(rowsOf(d, p), " "); got != want {
		t.Errorf("tree by name: got %s; want %s", got, want)
	}
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnName)})
	if got := rowsOf(d, p); got[0] != "swap (vsync)" || got[2] != "simulate" || got[3] != "skeletal_anim" {
		t.Errorf("tree by name, turned round: got %v; want swap, streaming, simulate, skeletal_anim first", got)
	}
	p.Run("as-reported")
	if got := rowsOf(d, p); got[0] != "render_world" || got[1] != "lighting" {
		t.Errorf("as reported: got %v; want render_world, lighting first", got)
	}
}

func TestSortByAnyColumn(t *testing.T) {
	d := newDemo()
	d.view.Mode = report.ReportSelfTime
	p := panelOf(d, viewer.PanelFull)
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(report.ColumnCount)})
	if got := rowsOf(d, p); got[0] != "props" || got[1] != "skeletal_anim" {
		t.Errorf("by count: got %v; want props, skeletal_anim first", got[:3])
	}
	d.view.Mode = report.ReportCallGraph
	if got := rowsOf(d, p); !slices.Equal(got,
		[]string{"simulate", "streaming", "physics_solve", "broadphase", "islands", "ccd"}) {
		t.Errorf("call graph by count: got %v; want parents above the focus above its children", got)
	}
}

func TestFilterIsLive(t *testing.T) {
	d := newDemo()
	d.hostile = map[string]string{"skeletal_anim": "SkeletalAnim"}
	p := panelOf(d, viewer.PanelFull)
	p.Run("find")
	for _, r := range "SKEL" {
		viewer.Type(p, r)
	}
	if got := rowsOf(d, p); !slices.Equal(got, []string{"simulate", "skeletal_anim"}) {
		t.Errorf("filter skel: got %v; want skeletal_anim under simulate", got)
	}
	viewer.Erase(p)
	viewer.Type(p, 'x')
	if got := rowsOf(d, p); len(got) != 0 || p.State().Filter != "skex" || !p.State().Typing {
		t.Errorf("filter: got %v, %q, typing %v; want none, skex, typing", got, p.State().Filter, p.State().Typing)
	}
	if viewer.Step(p, d.view, 1) != -1 {
		t.Errorf("step without rows: got %d; want -1", viewer.Step(p, d.view, 1))
	}
	viewer.CloseFilter(p)
	if p.State().Typing || p.State().Filter == "" {
		t.Error("closed: got typing, or no filter; want the filter kept")
	}
	viewer.SetFilter(p, "")
	if got := rowsOf(d, p); len(got) != 14 {
		t.Errorf("cleared: got %d rows; want 14", len(got))
	}
	viewer.SetFilter(p, strings.Repeat("é", 1000)+"\x00")
	if got := len(p.State().Filter); got > 64 {
		t.Errorf("long filter: got %d bytes; want at most 64", got)
	}
}

func TestStepFollowsTheLines(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnName)})
	for range 4 {
		laidOut(p, 1280, 1400)
		d.view.Cursor = viewer.Step(p, d.view, 1)
	}
	rows := rowsOf(d, p)
	var r report.Report
	d.AppendReport(&r)
	at := slices.Index(rows, r.Records[d.view.Cursor].Name)
	d.view.Cursor = viewer.Step(p, d.view, -2)
	if got := r.Records[d.view.Cursor].Name; got != rows[at-2] {
		t.Errorf("two lines up: got %s; want %s", got, rows[at-2])
	}
	if got := r.Records[viewer.Step(p, d.view, -1000)].Name; got != rows[0] {
		t.Errorf("far up: got %s; want the first, %s", got, rows[0])
	}
}

func TestColumnsAreChosen(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	has := func(c report.Column) bool {
		laidOut(p, 1280, 720)
		_, ok := scan(p, 1280, 720)[viewer.Hit{Kind: hit.Header, Index: int(c), Zone: -1, Path: -1}]
		return ok
	}
	if has(report.ColumnP90) || !has(report.ColumnMean) {
		t.Error("at first: got p90, or no mean; want mean, no p90")
	}
	viewer.Press(p, viewer.Hit{Kind: hit.Column, Index: int(report.ColumnP90)})
	viewer.Press(p, viewer.Hit{Kind: hit.Column, Index: int(report.ColumnMean)})
	if !has(report.ColumnP90) || has(report.ColumnMean) {
		t.Error("toggled: got no p90, or mean; want p90, no mean")
	}
	if p.Run("usual-columns"); !has(report.ColumnMean) {
		t.Error("none: got no mean; want the usual columns")
	}
}

func TestMenusAreHit(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	p.Run("columns")
	laidOut(p, 1280, 720)
	viewer.Scroll(p, 4)
	laidOut(p, 1280, 720)
	if _, ok := scan(p, 1280, 720)[p.State().Choice]; !ok || p.State().Choice.Index != int(report.ColumnCount) {
		t.Errorf("fifth line: got %+v, on the screen %v; want the count's", p.State().Choice, ok)
	}
	p.Run("pick-lane")
	laidOut(p, 1280, 720)
	viewer.Scroll(p, 100)
	if got := p.State().Choice; got.Kind != hit.Lane || got.Lane != 3 {
		t.Errorf("last lane: got %+v; want lane 3", got)
	}
	viewer.Press(p, viewer.Hit{Kind: hit.MenuAway})
	if p.State().MenuOpen || p.State().Choice.Kind != hit.None {
		t.Error("closed: got open; want closed")
	}
}

func TestCaretIsHit(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	laidOut(p, 1280, 720)
	gbuffer := report.ZoneID(d.find("gbuffer"))
	if _, ok := scan(p, 1280, 720)[viewer.Hit{Kind: hit.Caret, Index: 2, Zone: gbuffer,
		Path: int32(gbuffer)}]; !ok {
		t.Error("caret of gbuffer: got nothing; want it hit")
	}
}

// setColumns chooses the columns of the table.
func setColumns(p *viewer.Panel, columns ...report.Column) {
	p.Change(func(o *viewer.Options) { o.Columns = columns })
}
