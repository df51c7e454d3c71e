package totals

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Lanes that a program without Update had once, seen by those who looked meanwhile, are not remembered for ever.
func TestLanesOfUnfinishedFramesLeaveTheTally(t *testing.T) {
	f := gather.Frame{TicksPerSecond: 1000, End: 100, Zones: make([]gather.ZoneInfo, 2)}
	sums := Tally{Stores: Stores{Tree: new(history.Tree), Lanes: new(history.Lanes), Zones: f.Zones}}
	for i := range report.LaneID(3 * mostLanes) {
		f.Lanes = []gather.LaneFrame{{ID: i + 1, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 100, Count: 1}}}}
		sums.with(&f, func() {
			merged, _ := sums.trees(1000, f.Zones, report.DumpOptions{})
			if len(merged) != 2 || merged[1].Count != 1 || merged[1].Self != 100 {
				t.Fatalf("look %d: got %+v; want one entry of 100 ms", i, merged)
			}
		})
		sums.Log(new(history.Frame), &f, false)
	}
	if len(sums.order) > 2*mostLanes {
		t.Errorf("got %d lanes; want some thousand at most", len(sums.order))
	}
}
