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
		f.Lanes = []gather.LaneFrame{{ID: i + 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 50},
			{ID: 1, Zone: 1, Self: 100, Count: 1}}}}
		var r Reading
		r.AddLane(&f, &f.Lanes[0], false)
		r.AddFrame(&f)
		merged := r.Sums(&sums, &f, report.DumpOptions{}).Merged
		if len(merged) != 2 || merged[0].Self != 50 || merged[0].Hier != 100 ||
			merged[1].Count != 1 || merged[1].Self != 100 {
			t.Fatalf("look %d: got %+v; want 50 ms in no zone and one entry of 100", i, merged)
		}
		sums.Log(new(history.Frame), &f, false)
	}
	if len(sums.order) > 2*mostLanes {
		t.Errorf("got %d lanes; want some thousand at most", len(sums.order))
	}
}

// The records of a frame of many lanes take their memory at once, and no more than they need.
func TestRecordsOfManyLanesTakeTheirMemoryAtOnce(t *testing.T) {
	f := gather.Frame{TicksPerSecond: 1000, End: 100, Zones: make([]gather.ZoneInfo, 2)}
	for i := range 1000 {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(i + 1), Updater: i == 0,
			Nodes: []gather.Node{{ID: gather.NodeID(2 * i), Parent: -1},
				{ID: gather.NodeID(2*i + 1), Zone: 1, Self: 100, Count: 1}}})
	}
	sums := Tally{Stores: Stores{Tree: new(history.Tree), Lanes: new(history.Lanes), Zones: f.Zones}}
	sums.Log(new(history.Frame), &f, true) // which makes lanes and paths
	var p *history.Frame
	allocations := testing.AllocsPerRun(10, func() {
		p = new(history.Frame)
		sums.Log(p, &f, true)
	})
	if allocations > 3 {
		t.Errorf("got %v allocations; want the frame, its lanes and its records", allocations)
	}
	if len(p.Lanes) != 1000 || cap(p.Lanes) > 1250 || len(p.Records) != 2000 || cap(p.Records) > 2500 {
		t.Errorf("got %d lanes in room for %d, %d records in room for %d; want 1000 and 2000", len(p.Lanes),
			cap(p.Lanes), len(p.Records), cap(p.Records))
	}
}
