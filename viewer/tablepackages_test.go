package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

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
