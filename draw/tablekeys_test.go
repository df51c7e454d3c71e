package draw_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// rowsOf reads the records from top to bottom off the screen.
func rowsOf(d *demo, p *draw.Panel) (names []string) {
	laidOut(p, 1280, 1400)
	last := -1
	for y := float32(1); y < 1400; y += 2 {
		if h := p.HitAt(500, y); h.Kind == draw.HitRecord && h.Index != last {
			last = h.Index
			names = append(names, d.zones[h.Zone].name)
		}
	}
	return names
}

func TestSortKeepsRowsBelowTheirOwn(t *testing.T) {
	d := newDemo()
	p := panelOf(d, draw.Full)
	p.SortBy(draw.ColumnName)
	want := "audio present render_world frustum_cull gbuffer lighting post_process shadow_cascades simulate ai_think physics_solve skeletal_anim streaming swap (vsync)"
	if got := strings.Join(rowsOf(d, p), " "); got != want {
		t.Errorf("tree by name: got %s; want %s", got, want)
	}
	p.SortBy(draw.ColumnName)
	if got := rowsOf(d, p); got[0] != "swap (vsync)" || got[2] != "simulate" || got[3] != "skeletal_anim" {
		t.Errorf("tree by name, turned round: got %v; want swap, streaming, simulate, skeletal_anim first", got)
	}
	p.SortAsReported()
	if got := rowsOf(d, p); got[0] != "render_world" || got[1] != "lighting" {
		t.Errorf("as reported: got %v; want render_world, lighting first", got)
	}
}

func TestSortByAnyColumn(t *testing.T) {
	d := newDemo()
	d.view.Mode = process.SelfTime
	p := panelOf(d, draw.Full)
	p.SortBy(process.ColumnCount)
	if got := rowsOf(d, p); got[0] != "props" || got[1] != "skeletal_anim" {
		t.Errorf("by count: got %v; want props, skeletal_anim first", got[:3])
	}
	d.view.Mode = process.CallGraph
	if got := rowsOf(d, p); !slices.Equal(got, []string{"simulate", "streaming", "physics_solve", "broadphase", "islands", "ccd"}) {
		t.Errorf("call graph by count: got %v; want parents above the focus above its children", got)
	}
}

func TestFilterIsLive(t *testing.T) {
	d := newDemo()
	d.hostile = map[string]string{"skeletal_anim": "SkeletalAnim"}
	p := panelOf(d, draw.Full)
	p.OpenFilter()
	for _, r := range "SKEL" {
		p.Type(r)
	}
	if got := rowsOf(d, p); !slices.Equal(got, []string{"simulate", "skeletal_anim"}) {
		t.Errorf("filter skel: got %v; want skeletal_anim under simulate", got)
	}
	p.Erase()
	p.Type('x')
	if got := rowsOf(d, p); len(got) != 0 || p.Filter() != "skex" || !p.Typing() {
		t.Errorf("filter: got %v, %q, typing %v; want none, skex, typing", got, p.Filter(), p.Typing())
	}
	if p.Step(d.view, 1) != -1 {
		t.Errorf("step without rows: got %d; want -1", p.Step(d.view, 1))
	}
	p.CloseFilter()
	if p.Typing() || p.Filter() == "" {
		t.Error("closed: got typing, or no filter; want the filter kept")
	}
	p.ClearFilter()
	if got := rowsOf(d, p); len(got) != 14 {
		t.Errorf("cleared: got %d rows; want 14", len(got))
	}
	p.SetFilter(strings.Repeat("é", 1000) + "\x00")
	if got := len(p.Filter()); got > 64 {
		t.Errorf("long filter: got %d bytes; want at most 64", got)
	}
}

func TestStepFollowsTheLines(t *testing.T) {
	d := newDemo()
	p := panelOf(d, draw.Full)
	p.SortBy(draw.ColumnName)
	for range 4 {
		laidOut(p, 1280, 1400)
		d.view.Cursor = p.Step(d.view, 1)
	}
	rows := rowsOf(d, p)
	var r process.Report
	d.AppendReport(&r)
	at := slices.Index(rows, r.Records[d.view.Cursor].Name)
	d.view.Cursor = p.Step(d.view, -2)
	if got := r.Records[d.view.Cursor].Name; got != rows[at-2] {
		t.Errorf("two lines up: got %s; want %s", got, rows[at-2])
	}
	if got := r.Records[p.Step(d.view, -1000)].Name; got != rows[0] {
		t.Errorf("far up: got %s; want the first, %s", got, rows[0])
	}
}

func TestColumnsAreChosen(t *testing.T) {
	p := panelOf(newDemo(), draw.Full)
	has := func(c process.Column) bool {
		laidOut(p, 1280, 720)
		_, ok := scan(p, 1280, 720)[draw.Hit{Kind: draw.HitHeader, Index: int(c), Zone: -1, Path: -1}]
		return ok
	}
	if has(process.ColumnP90) || !p.HasColumn(process.ColumnMean) {
		t.Error("at first: got p90, or no mean; want mean, no p90")
	}
	p.ToggleColumn(process.ColumnP90)
	if p.ToggleColumn(process.ColumnMean); !has(process.ColumnP90) || has(process.ColumnMean) {
		t.Error("toggled: got no p90, or mean; want p90, no mean")
	}
	if p.SetColumns(); !has(process.ColumnMean) {
		t.Error("none: got no mean; want the usual columns")
	}
}

func TestMenusAreHit(t *testing.T) {
	p := panelOf(newDemo(), draw.Full)
	p.OpenColumns()
	laidOut(p, 1280, 720)
	p.MoveMenu(3)
	laidOut(p, 1280, 720)
	if _, ok := scan(p, 1280, 720)[p.MenuHit()]; !ok || p.MenuHit().Index != int(process.ColumnCount) {
		t.Errorf("fourth line: got %+v, on the screen %v; want the count's", p.MenuHit(), ok)
	}
	p.OpenLanes()
	laidOut(p, 1280, 720)
	p.MoveMenu(100)
	if got := p.MenuHit(); got.Kind != draw.HitLane || got.Lane != 3 {
		t.Errorf("last lane: got %+v; want lane 3", got)
	}
	p.CloseMenu()
	if p.MenuOpen() || p.MenuHit().Kind != draw.HitNone {
		t.Error("closed: got open; want closed")
	}
}

func TestCaretIsHit(t *testing.T) {
	d := newDemo()
	p := panelOf(d, draw.Full)
	laidOut(p, 1280, 720)
	gbuffer := int32(d.find("gbuffer"))
	if _, ok := scan(p, 1280, 720)[draw.Hit{Kind: draw.HitCaret, Index: 2, Zone: gbuffer, Path: gbuffer}]; !ok {
		t.Error("caret of gbuffer: got nothing; want it hit")
	}
}
