package viewer_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// locked has frames in which goroutines wait for locks, in an execution trace.
func locked(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	for i := range platform.Ticks(30) {
		at := i * 16
		f := &gather.Frame{Index: uint64(i), Begin: at, End: at + 16, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}}}
		for id, name := range []string{"main", "loader", "conn.serve server.go:9 #1", "conn.serve server.go:9 #2"} {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(id + 1), Name: name, Updater: id == 0,
				Begin: at, End: at + 16,
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 4}, {ID: 2, Zone: 1, Count: 1, Self: 12}}})
		}
		switch i {
		case 11:
			f.States = []gather.LaneState{
				{Lane: 1, Kind: gather.StateWaiting, Begin: at + 2, End: at + 14, Reason: "lock world", Waker: 2,
					At: "world.go:88"},
				{Lane: 1, Begin: at + 14, End: at + 16}}
		case 20:
			for lane := range gather.LaneID(2) {
				f.States = append(f.States, gather.LaneState{Lane: 3 + lane, Kind: gather.StateWaiting, Begin: at + 2,
					End: at + 7, Reason: "mutex", Place: "cache\x1b.go:5", By: "main.(*cache).fill", At: "cache.go:31"})
			}
		}
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// Alt+K lists the locks: who waited for whom. A row leads to the longest wait. Without a lock the list says what to
// record.
func TestListOfLocks(t *testing.T) {
	p := viewer.PanelFor(locked(t))
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("locks")
	settled(t, p, 1280, 700, 1)
	golden.Picture(t, "locks.png", paint(t, p, 1280, 700, 1))
	q, want := p.State(), "lock world,12 ms,1,12 ms,main,loader at world.go:88"
	if got := strings.Join(q.ListRow, ","); q.List != "locks" || q.Listed != 2 || got != want {
		t.Fatalf("got %d rows of %q, the first %q; want %q", q.Listed, q.List, got, want)
	}
	p.Run("down")
	want = `mutex at cache\x1b.go:5,10 ms,2,5 ms,2: conn.serve server.go:9,main.(*cache).fill at cache.go:31`
	if got := strings.Join(p.State().ListRow, ","); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	p.Run("select")
	if i := p.View().Info(); i.Index != 20 {
		t.Errorf("its row: got frame %d; want frame 20", i.Index)
	}
	p.Run("locks")
	var out bytes.Buffer
	c, _ := p.Command("locks")
	if wrong, _ := c.Run(p.Session(), &out, "world"); wrong != nil || strings.Count(out.String(), "\n") != 1 ||
		!strings.Contains(out.String(), "released by loader at world.go:88") {
		t.Errorf("typed: got %v, %q; want the line of lock world", wrong, out.String())
	}
	none := viewer.PanelFor(slowRequest(t))
	none.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	none.Run("locks")
	settled(t, none, 1280, 700, 1)
	if all := strings.Join(wordsOf(none, 1280, 700), "\n"); !strings.Contains(all, "an execution trace names locks") {
		t.Errorf("without a lock: got %q; want what to record", all)
	}
}
