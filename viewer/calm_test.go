package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Live rows keep their places for a time. While they are not in the order of the sign, the word calm stands beside it.
func TestRowsThatAreHeldSaySo(t *testing.T) {
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	calm := func() bool { return slices.Contains(wordsOf(p, 1280, 720), "calm") }
	index := platform.Ticks(0)
	frames := func(n int, alpha, beta platform.Ticks) {
		for range n {
			begin := index * 16
			must.Do(t, s.WriteFrame(&gather.Frame{Index: uint64(index), Begin: begin, End: begin + 16,
				TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "alpha"}, {Name: "beta"}},
				Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 16,
					Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 16 - alpha - beta}, {ID: 2, Zone: 1, Count: 1,
						Self: alpha}, {ID: 3, Zone: 2, Count: 1, Self: beta}}}}}))
			index++
		}
	}
	for range 30 {
		frames(10, 8, 4)
		calm()
	}
	if calm() {
		t.Fatal("got the word calm; want none, as the rows are sorted")
	}
	for n := 0; !calm(); n++ { // the order is made anew every two seconds
		if frames(1, 4, 8); n > 2 {
			t.Fatal("got rows out of order without the word calm")
		}
	}
	for range 60 {
		frames(10, 4, 8)
		calm()
	}
	if calm() {
		t.Error("got the word calm; want none, as the rows are sorted again")
	}
}
