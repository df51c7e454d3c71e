package world

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A session has the figures of the script, to the tick.
func TestASessionHasTheFiguresOfTheScript(t *testing.T) {
	s := process.NewSession()
	w := New(s).KeepEvents()
	w.Next.Index = 41
	for i := range 2 {
		w.Count("shots", float64(3+i))
		w.Level("health", 0.5)
		w.Mark(1.5, "door opened")
		w.Wait(gather.LaneState{Lane: 2, Kind: gather.StateWaiting, Reason: "lock"}, 1, 4)
		w.Write(
			Lane("main",
				Zone("update", 2.3, Zone("move", 0.7).Times(8), Zone("update", 0.25)), // recursion
				Zone("update", 0.7), // the same stack again
				Zone("present", 4).Idle().At("game.present", "a.go", 7)),
			Lane("loader", Zone("read", 3), &Part{Info: gather.ZoneInfo{Name: "wait"}, Count: 1, Rest: true}))
	}
	for _, v := range s.Dump(report.DumpOptions{}).Values {
		if v.Name == "shots" && v.Value != 4 || v.Name == "health" && v.Value != 0.5 {
			t.Errorf("got %+v", v)
		}
	}
	f := &w.Next
	if f.Index != 42 || f.Begin != 7.95e6 || f.End != 15.9e6 || f.Marks[0].Time != 9.45e6 ||
		f.States[0].Begin != 8.95e6 || f.States[0].End != 11.95e6 {
		t.Errorf("got frame %d from %d to %d, mark %v, state %v", f.Index, f.Begin, f.End, f.Marks, f.States)
	}
	want := map[string]gather.Node{"0 update": {Self: 3e6, Count: 2}, "0 move": {Self: 0.7e6, Count: 8},
		"1 update": {Self: 0.25e6, Count: 1, Depth: 1}, "0 present": {Self: 4e6, Count: 1},
		"0 read": {Self: 3e6, Count: 1}, "0 wait": {Self: 4.95e6, Count: 1}}
	for _, l := range f.Lanes {
		for _, n := range l.Nodes[1:] {
			key := string(rune('0'+n.Depth)) + " " + f.Zones[n.Zone].Name
			if w := want[key]; n.Self != w.Self || n.Count != w.Count {
				t.Errorf("%s: got %d ticks, %d entries; want %d, %d", key, n.Self, n.Count, w.Self, w.Count)
			}
			delete(want, key)
		}
	}
	if len(want) > 0 {
		t.Errorf("got no %v", want)
	}
	if n := len(s.AppendTimeline(nil, 1, 0)); n != 2+8+1+1 {
		t.Errorf("got %d scopes; want an entry for each", n)
	}
}
