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
)

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
