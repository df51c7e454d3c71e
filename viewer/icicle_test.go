package viewer_test

import (
	"math"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// bar returns the ends of a zone's bar on the screen, once the scales have settled.
func bar(t *testing.T, d *demo, p *viewer.Panel, zone string) (x0, x1 float32) {
	t.Helper()
	paint(t, p, 1280, 720, 1)
	want := report.ZoneID(d.find(zone))
	x0, x1 = -1, -1
	for y := float32(320); y < 420; y += 5 {
		for x := float32(0); x < 1280; x++ {
			if h := p.HitAt(x, y); h.Kind == hit.Icicle && h.Zone == want {
				if x0 < 0 {
					x0 = x
				}
				x1 = x
			}
		}
		if x0 >= 0 {
			return x0, x1
		}
	}
	return x0, x1
}

func TestIcicleFitsAZone(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	x0, x1 := bar(t, d, p, "ai_think")
	viewer.FitIcicle(p, int32(d.find("ai_think")))
	if a, b := bar(t, d, p, "ai_think"); a > 30 || b < 1245 {
		t.Errorf("fitted: got it from %v to %v; want the whole width", a, b)
	}
	if a, _ := bar(t, d, p, "lighting"); a >= 0 {
		t.Errorf("lighting: got it at %v; want it out of sight", a)
	}
	viewer.FitIcicle(p, int32(d.find("ai_think")))
	if a, b := bar(t, d, p, "ai_think"); a != x0 || b != x1 {
		t.Errorf("fitted again: got it from %v to %v; want %v to %v as at first", a, b, x0, x1)
	}
}

func TestIcicleZoomKeepsThePlaceUnderTheMouse(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	x0, x1 := bar(t, d, p, "ai_think")
	viewer.Zoom(p, x0, 3)
	a, b := bar(t, d, p, "ai_think")
	if math.Abs(float64(a-x0)) > 1.5 || b < x1 {
		t.Errorf("zoomed at %v: got it from %v to %v; want its left edge there, and it wider than %v", x0, a, b, x1)
	}
	viewer.Pan(p, -100, 0)
	if c, _ := bar(t, d, p, "ai_think"); math.Abs(float64(c-(a-100))) > 1.5 {
		t.Errorf("panned: got its left edge at %v; want %v", c, a-100)
	}
	viewer.Zoom(p, 500, -100)
	viewer.Pan(p, 1000, 1000)
	if a, b := bar(t, d, p, "ai_think"); a != x0 || b != x1 {
		t.Errorf("zoomed far out: got it from %v to %v; want %v to %v, as at first", a, b, x0, x1)
	}
	viewer.Zoom(p, float32(math.NaN()), 1000)
	viewer.Pan(p, float32(math.Inf(1)), float32(math.NaN()))
	bar(t, d, p, "ai_think")
}

// TestIcicleHasRoomForAllGoroutines draws a game whose workers run beside the frame: the sum of their times is greater
// than its length.
func TestIcicleHasRoomForAllGoroutines(t *testing.T) {
	s, p := replayed(t)
	paint(t, p, 1280, 720, 1)
	var r report.Report
	s.View().SetReportMode(report.ReportHierarchicalTime)
	s.View().AppendReport(&r)
	width := func(name string) (pixels float32, ms float64) {
		for _, rec := range r.Records {
			if rec.Name != name {
				continue
			}
			x0 := float32(-1)
			for x := float32(0); x < 1280; x++ {
				if h := p.HitAt(x, 360); h.Kind == hit.Icicle && h.Zone == rec.Zone {
					if x0 < 0 {
						x0 = x
					}
					pixels = x - x0 + 1
				}
			}
			return pixels, rec.Values[report.ColumnHier]
		}
		t.Fatalf("no zone %s in the report", name)
		return 0, 0
	}
	wide, long := width("render_world")
	for _, name := range []string{"simulate", "load chunk", "streaming"} {
		t.Run(name, func(t *testing.T) {
			if pixels, ms := width(name); math.Abs(float64(pixels/wide)-ms/long) > 0.02 {
				t.Errorf("%s: got %v of render_world's %v pixels; want %.3f of them, as of its time", name, pixels,
					wide, ms/long)
			}
		})
	}
}
