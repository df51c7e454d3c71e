package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestCardShowsTheCursorsZone(t *testing.T) {
	d := newDemo()
	d.view.Cursor = 7 // physics_solve
	p := panelOf(d, viewer.PanelFull)
	calls := 0
	p.Change(func(o *viewer.Options) {
		o.Source = func(zone gather.ZoneInfo) *report.Code {
			calls++
			if want := 12 + d.find("physics_solve"); zone.File != "/game/engine/physics.go" || zone.Line != want {
				t.Errorf("Source called for %+v; want line %d of physics.go", zone, want)
			}
			if calls < 3 {
				return nil
			}
			return &report.Code{Why: "not here"}
		}
	})
	p.Run("source")
	for range 5 {
		laidOut(p, 1280, 720)
	}
	if calls != 3 {
		t.Errorf("Source: got %d calls; want three, because it answered the third", calls)
	}
	p.Run("source")
	laidOut(p, 1280, 720)
	ccd := report.ZoneID(d.find("ccd"))
	if _, ok := scan(p, 1280, 720)[viewer.Hit{Kind: hit.Zone, Zone: ccd, Path: int32(ccd)}]; !ok {
		t.Error("callee on the card: got nothing; want it hit")
	}
}

// The card has the quantiles of a zone's time in the frames of the history.
func TestCardShowsQuantiles(t *testing.T) {
	s := newSteps(t, 300, "update")
	for i := range 101 {
		s.frame(float64(i*37%101) + 0.001)
	}
	s.Pause()
	p := s.panel()
	p.Run("card")
	s.View().MoveCursor(1)
	all := strings.Join(wordsOf(p, 1600, 1000), " ")
	for _, want := range []string{"min 0.00", "p10 10.0", "p25 25.0", "p50 50.0", "p75 75.0", "p90 90.0", "p95 95.0",
		"p99 99.0"} {
		if !strings.Contains(all, want) {
			t.Errorf("got %q; want %s ms", all, want)
		}
	}
}

// cardOf writes a frame and opens the card of its first zone.
func cardOf(t *testing.T, s *process.Session, f *gather.Frame) *viewer.Panel {
	t.Helper()
	must.Do(t, s.WriteFrame(f))
	s.View().SetAverage(report.AverageInstant)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Run("card")
	return p
}

// The card of a recursive zone has its calls at each depth.
func TestTheCardHasCallsByDepth(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1000, End: 60, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 60, Nodes: []gather.Node{{Parent: -1}}}}}
	for depth, calls := range []uint32{7, 23, 5} {
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: gather.NodeID(depth + 1), Zone: 1, Self: 20,
			Parent: int32(depth), Depth: int32(depth), Count: calls})
	}
	p := cardOf(t, s, f)
	var l draw.List
	for range 60 {
		l.Reset()
		p.Draw(&l, 1280, 900, 1)
	}
	var line strings.Builder
	for _, w := range l.AppendWords(nil) {
		line.WriteString(w.Text + " ")
	}
	if !strings.Contains(line.String(), "calls by depth 7 23 5 ") {
		t.Errorf("got no calls by depth in %q", line.String())
	}
}
