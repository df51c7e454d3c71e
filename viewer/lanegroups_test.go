package viewer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The lane picker shows goroutines that one go statement started as one line with their number and time, which opens.
func TestGoroutinesOfOneStatementAreOneLine(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{End: 1e4, CPU: 17 * time.Millisecond, TicksPerSecond: 1e6,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}}}
	for i := range 13 {
		l := gather.LaneFrame{ID: gather.LaneID(i + 1), Name: fmt.Sprintf("main.serve server.go:42 #%d", i), End: 1e4}
		if i == 0 {
			l.Name, l.Updater, l.CPU = "main", true, 2500*time.Microsecond // locked to its thread
		}
		l.Nodes = []gather.Node{{ID: gather.NodeID(2 * i), Parent: -1, Self: 9000},
			{ID: gather.NodeID(2*i + 1), Zone: 1, Self: 1000, Count: 1}}
		f.Lanes = append(f.Lanes, l)
	}
	must.Do(t, s.WriteFrame(f))
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("pick-lane")
	lines := func() (lanes []viewer.Hit, group viewer.Hit) {
		settled(t, p, 1120, 600, 1)
		for h := range scan(p, 1120, 600) {
			switch {
			case h.Kind == hit.Lane && h.Name != "":
				group = h
			case h.Kind == hit.Lane && h.Lane != 0:
				lanes = append(lanes, h)
			}
		}
		return lanes, group
	}
	lanes, group := lines()
	if len(lanes) != 1 || lanes[0].Lane != 1 || group.Name != "main.serve server.go:42" {
		t.Fatalf("got the lanes %v and the group %q; want one lane, and one group of the others", lanes, group.Name)
	}
	words := ""
	for _, w := range settled(t, p, 1120, 600, 1).AppendWords(nil) {
		words += w.Text + "|"
	}
	for _, want := range []string{"12 goroutines", "12.00", "CPU 2.50 ms"} {
		if !strings.Contains(words, want) {
			t.Errorf("got %q; want %q in it", words, want)
		}
	}
	pictured(t, "lanegroups", p)
	viewer.Press(p, group)
	if lanes, _ = lines(); len(lanes) != 13 {
		t.Errorf("opened: got %d lanes; want 13", len(lanes))
	}
	viewer.Press(p, group)
	if lanes, _ = lines(); len(lanes) != 1 {
		t.Errorf("folded again: got %d lanes; want 1", len(lanes))
	}
}
