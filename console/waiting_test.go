package console

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// waitingSession has a frame of two zones that work and two that wait.
func waitingSession(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := &gather.Frame{End: 100, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"},
		{Name: "receive", Idle: true}, {Name: "vsync", Idle: true}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 100, Nodes: []gather.Node{{Parent: -1, Self: 1},
			{ID: 1, Zone: 1, Count: 1, Self: 9}, {ID: 2, Zone: 2, Count: 1, Self: 60},
			{ID: 3, Zone: 3, Count: 1, Self: 30}}}}}
	must.Do(t, s.WriteFrame(f))
	return s
}

// The terminal page has one row for the zones that wait. Enter opens it.
func TestPageFoldsWhatWaits(t *testing.T) {
	if !gather.Enabled {
		t.Skip("the page says that nothing is measured")
	}
	s := waitingSession(t)
	p := testPage(s)
	shown := func() string { return read(p.lines(80, 20)) }
	if got := shown(); !strings.Contains(got, "= waiting  (2 zones, folded)") || strings.Contains(got, "vsync") {
		t.Errorf("got\n%s\nwant one row for receive and vsync", got)
	}
	press(p, "\x1b[B\x1b[B\x1b[B\x1b[B")
	if got := shown(); !strings.Contains(got, "> = waiting") {
		t.Errorf("at the last row: got\n%s\nwant the cursor on it", got)
	}
	press(p, "\x1b[A")
	if got := shown(); strings.Contains(got, "> = waiting") {
		t.Errorf("one row up: got\n%s\nwant the cursor above it", got)
	}
	press(p, "\x1b[B")
	shown()
	press(p, "\r")
	if got := shown(); !strings.Contains(got, "vsync") || strings.Contains(got, "folded") {
		t.Errorf("Enter: got\n%s\nwant the rows", got)
	}
	var b bytes.Buffer
	if err := Command(s, &b, "waiting off"); err != nil || !strings.Contains(b.String(), "waiting off") {
		t.Errorf("waiting off: got %q, %v", b.String(), err)
	}
	if got := shown(); strings.Contains(got, "vsync") {
		t.Errorf("waiting off: got\n%s\nwant them folded again", got)
	}
}
