package viewer_test

import (
	"fmt"
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

func TestPackagesSumUpTheirRows(t *testing.T) {
	d := newDemo()
	d.view.Mode = report.ReportHierarchicalTime
	p := panelOf(d, viewer.PanelFull)
	setColumns(p, report.ColumnSelf, report.ColumnHier, report.ColumnCount)
	p.Run("group")
	laidOut(p, 1280, 720)
	lines := strings.Split(strings.TrimSpace(p.TableText()), "\n")
	if len(lines) != 1+len(d.zones)+3 {
		t.Fatalf("lines: got %d; want the headings, %d zones and 3 packages", len(lines), len(d.zones))
	}
	want := map[string]string{"example.com/voxel/render": "8.69", "example.com/voxel/simulation": "4.97"}
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		if hier, ok := want[fields[0]]; ok {
			if fields[2] != hier || fields[1] != hier {
				t.Errorf("%s: got %q; want self and hierarchical time %s: it calls nothing outside", fields[0],
					fields, hier)
			}
			delete(want, fields[0])
		}
	}
	if len(want) > 0 {
		t.Errorf("packages: got none of %v in\n%s", want, strings.Join(lines, "\n"))
	}
	d.view.Mode = report.ReportCallTree
	laidOut(p, 1280, 720)
	if strings.Contains(p.TableText(), "voxel/") {
		t.Error("in the tree: got packages; want its own order")
	}
}

func TestCallersOnlyHidesCallees(t *testing.T) {
	d := newDemo()
	d.view.Mode = report.ReportCallGraph
	p := panelOf(d, viewer.PanelFull)
	laidOut(p, 1280, 720)
	all := p.TableText()
	p.Run("callers")
	laidOut(p, 1280, 720)
	if few := p.TableText(); !strings.Contains(all, "broadphase") || strings.Contains(few, "broadphase") ||
		!strings.Contains(few, "simulate") {
		t.Errorf("callers only: got\n%s; want no callees of\n%s", few, all)
	}
}

func TestOpenCardCountsTheCallsOfItsZoneAlone(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	p.Run("card")
	for _, row := range []int{2, 5} {
		d.view.Cursor = row
		laidOut(p, 1280, 720)
		viewer.CountCalls(p)
		var r report.Report
		d.AppendReport(&r)
		if zone := r.Records[row].Zone; len(d.counted) != 1 || !d.counted[zone] {
			t.Errorf("row %d: got calls counted of %v; want of zone %d alone", row, d.counted, zone)
		}
	}
	if p.Run("card"); len(d.counted) != 0 {
		t.Errorf("closed: got calls counted of %v; want of none", d.counted)
	}
}

func TestCopyRowAndSite(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	d.view.Cursor = 1
	laidOut(p, 1280, 720)
	var got string
	p.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { got = text } })
	if p.Run("copy-row"); strings.Count(got, "\n") != 2 || !strings.Contains(got, "lighting\t") {
		t.Errorf("row: got %q; want the headings and the row of lighting", got)
	}
	if p.Run("copy-site"); got != "/game/engine/physics.go:14" {
		t.Errorf("site: got %q; want that of zone 2", got)
	}
}
