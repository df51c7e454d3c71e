package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// slowRequest has frames of a server, the last with a slow request.
func slowRequest(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.SetEventDriven(true)
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /orders"}, {Name: "handler"}, {Name: "db.Query"}}
	for i := range 40 {
		at := platform.Ticks(i) * 1000
		lane := gather.LaneFrame{ID: 1, Name: "http.(*conn).serve server.go:3454 #1", Begin: at, End: at + 1000,
			Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 800}, {ID: 2, Zone: 1, Count: 40, Self: 20},
				{ID: 3, Zone: 2, Parent: 1, Count: 40, Self: 30}, {ID: 4, Zone: 3, Parent: 2, Count: 90, Self: 150}}}
		f := &gather.Frame{Index: uint64(i), Begin: at, End: at + 1000, TicksPerSecond: 1000, Zones: zones,
			EventDriven: true, Lanes: []gather.LaneFrame{lane}}
		if i == 37 {
			f.SlowCalls = []gather.SlowCall{{Zone: 1, Lane: 1, Begin: at + 100, End: at + 160, Usual: 2,
				Parts: []gather.CallPart{{Zone: 2, Count: 1, Time: 59},
					{Zone: 3, Level: 1, Count: 30, Time: 57}}}}
		}
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// A slow request is told of where a verdict would be, and its tip has what it called.
func TestASlowCallHasALine(t *testing.T) {
	s := slowRequest(t)
	p := viewer.PanelOf(s.View())
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1100, 600, 1)
	all := strings.Join(wordsOf(p, 1100, 600), "\n")
	for _, want := range []string{"slow call 2 s ago",
		"GET /orders: 60.0 ms, usually 2.0; of it db.Query 57.0 in 30 calls"} {
		if !strings.Contains(all, want) {
			t.Fatalf("got %q; want %q", all, want)
		}
	}
	for y := float32(30); y < 300; y += 4 {
		p.SetHover(300, y)
		settled(t, p, 1100, 600, 1)
		if _, words := viewer.Tip(p); strings.HasPrefix(words, "on http.") {
			want := "\nhandler 59.0\n   db.Query 57.0 in 30 calls\nA click shows its frame"
			if !strings.HasSuffix(words, want) {
				t.Errorf("got %q; want %q at its end", words, want)
			}
			if h := p.HitAt(300, y); h.Kind != hit.Command || h.Name != "slow-call" {
				t.Errorf("got hit %+v on the line; want the command that shows its frame", h)
			}
			return
		}
	}
	t.Fatal("found no tip of the slow call")
}

// A click on the line of a slow call shows the frame in which it ended, and stays there.
func TestAClickShowsTheFrameOfASlowCall(t *testing.T) {
	s := slowRequest(t)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1100, 600, 1)
	p.Run("slow-call")
	if i := s.View().Info(); i.Index != 37 || !s.Paused() {
		t.Errorf("got frame %d, paused %v; want frame 37, paused", i.Index, s.Paused())
	}
}

// A click on the p99 of a zone's single calls lists its slow calls. The row of one leads to its frame.
func TestAClickOnAP99ListsTheSlowCalls(t *testing.T) {
	s := slowRequest(t)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("columns-calls")
	settled(t, p, 1280, 700, 1)
	x, y, found := float32(0), float32(0), false
	for at := float32(1270); at > 0 && !found; at -= 3 {
		for y = 200; y < 700 && !found; y += 3 {
			if h := p.HitAt(at, y); h.Kind == hit.Header && h.Index == int(report.ColumnCallP99) {
				x, found = at-20, true
			}
		}
	}
	for h := p.HitAt(x, y); found && !(h.Kind == hit.Record && h.Zone == 1); h = p.HitAt(x, y) {
		if y += 3; y > 700 {
			t.Fatal("found no row of the route")
		}
	}
	p.SetHover(x, y)
	settled(t, p, 1280, 700, 1)
	golden.Picture(t, "p99.png", paint(t, p, 1280, 700, 1))
	p.Mouse(viewer.MouseEvent{Action: viewer.MousePress, X: x, Y: y})
	settled(t, p, 1280, 700, 1)
	golden.Picture(t, "slow-calls.png", paint(t, p, 1280, 700, 1))
	q := p.State()
	want := "37 http.(*conn).serve server.go:3454 #1 60 ms 2 ms db.Query 57.0 in 30 calls"
	if got := strings.Join(q.ListRow, " "); q.List != "slow calls of GET /orders" || q.Listed != 1 || got != want {
		t.Fatalf("got %d rows of %q, the first %q; want %q", q.Listed, q.List, got, want)
	}
	var copied string
	p.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { copied = text } })
	p.Run("copy")
	if lines := strings.Split(copied, "\n"); len(lines) != 3 || lines[1] != strings.Join(q.ListRow, "\t") {
		t.Errorf("copied: got %q; want the headings and %q", copied, q.ListRow)
	}
	p.Run("select")
	if i := s.View().Info(); i.Index != 37 || !s.Paused() {
		t.Errorf("its row: got frame %d, paused %v; want frame 37, paused", i.Index, s.Paused())
	}
	p.Run("slow-calls")
	if q := p.State(); q.List != "" {
		t.Errorf("again: got %q; want the table", q.List)
	}
}
