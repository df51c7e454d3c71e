package viewer_test

import (
	"slices"
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
	return slowRequestOf(t, gather.ZoneInfo{Name: "db.Query"})
}

func slowRequestOf(t *testing.T, of gather.ZoneInfo) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.SetEventDriven(true)
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /orders"}, {Name: "handler"}, of}
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

// A sleep in a request is told as a fact: its part is drawn as a wait, whose colour blames nothing.
func TestASleepInASlowCallIsAWait(t *testing.T) {
	for _, c := range slowRequestOf(t, gather.ZoneInfo{Name: "sleep", Idle: true}).Dump(report.DumpPage).SlowCalls {
		if part := c.Part(); part == nil || !part.Idle {
			t.Errorf("got %+v; want the sleep, chosen by the program", c.Parts)
		}
	}
	for _, c := range slowRequest(t).Dump(report.DumpPage).SlowCalls {
		if c.Part().Idle {
			t.Errorf("got %+v; want a query, which is work", c.Parts)
		}
	}
}

// A click on the line of a slow call shows the frame in which it ended, and stays there. The call is drawn to scale
// above its usual time, with the callee that took most of it, and the timeline is fitted to it. Another click returns.
func TestAClickDrawsASlowCall(t *testing.T) {
	s := slowRequest(t)
	at, begins, ends := platform.Ticks(37*1000), []gather.Event(nil), []gather.Event(nil)
	s.SetSources(func(c *process.Sources) {
		for level, stretch := range [][2]platform.Ticks{{100, 160}, {101, 160}, {102, 159}} {
			begins = append(begins, gather.Event{Time: at + stretch[0], Zone: gather.ZoneID(level + 1),
				Level: int32(level)})
			ends = append(ends, gather.Event{Time: at + stretch[1], Zone: gather.ZoneID(level + 1),
				Level: int32(level), End: true})
		}
		slices.Reverse(ends)
		c.Events = laneEvents{1: append(begins, ends...)}
	})
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 800, 1)
	p.Run("slow-call")
	settled(t, p, 1280, 800, 1)
	golden.Picture(t, "slow-call.png", paint(t, p, 1280, 800, 1))
	q := p.State()
	if i := s.View().Info(); i.Index != 37 || !s.Paused() || !q.Answer {
		t.Errorf("got frame %d, paused %v, drawn %v; want frame 37, paused, drawn", i.Index, s.Paused(), q.Answer)
	}
	drawn, _ := viewer.Answer(p)
	now, ghost, part := drawn.Now, drawn.Ghost, drawn.Cause
	if r := now.Width() / ghost.Width(); r < 29 || r > 31 {
		t.Errorf("got bars of %v and %v pixels; want 60 ms above 2", now.Width(), ghost.Width())
	}
	if r := part.Width() / now.Width(); r < 59./60-0.01 || r > 59./60+0.01 {
		t.Errorf("got a part of %v of %v pixels; want 59 of 60 ms", part.Width(), now.Width())
	}
	if q.TimelineFrom > 0.1 || q.TimelineFrom < 0.05 || q.TimelineTo < 0.16 || q.TimelineTo > 0.21 {
		t.Errorf("got %v to %v of the frame in the timeline; want the call, 0.1 to 0.16, with some time around",
			q.TimelineFrom, q.TimelineTo)
	}
	all := strings.Join(wordsOf(p, 1280, 800), "\n")
	for _, want := range []string{"why GET /orders was slow, to scale", "this call", "db.Query",
		"GET /orders: 60.0 ms, usually 2.0; of it db.Query 57.0 in 30 calls"} {
		if !strings.Contains(all, want) {
			t.Errorf("got %q; want %q", all, want)
		}
	}
	p.Run("slow-call")
	if s.Paused() || p.State().Answer {
		t.Errorf("again: got paused %v, drawn %v; want the place before", s.Paused(), p.State().Answer)
	}
	p.Run("slow-call")
	p.Run("why")
	settled(t, p, 1280, 800, 1)
	if all := strings.Join(wordsOf(p, 1280, 800), "\n"); strings.Contains(all, "why GET /orders") {
		t.Error("the verdict: got the call; want the frame")
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
