package process

import (
	"testing"

	"example.com/iprof/gather"
)

// Lanes that a program without Update had once, seen by those who looked meanwhile, are not remembered for ever.
func TestLanesOfUnfinishedFramesAreForgotten(t *testing.T) {
	s := NewSession()
	f := gather.Frame{TicksPerSecond: 1000, End: 100, Zones: make([]gather.ZoneInfo, 2)}
	s.lock()
	defer s.mu.Unlock()
	s.learn(&f)
	for i := range LaneID(3 * max(tallyLanes, fewLanes)) {
		f.Lanes = []gather.LaneFrame{{ID: i + 1, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 100, Count: 1}}}}
		s.sums().with(&f, func() {
			merged, _ := s.totals.trees(1000, f.Zones, DumpOptions{})
			if len(merged) != 2 || merged[1].Count != 1 || merged[1].Self != 100 {
				t.Fatalf("look %d: got %+v; want one entry of 100 ms", i, merged)
			}
		})
		s.first = s.first.empty()
		s.lanes.prune(s)
		s.log(&s.first, &f, false)
	}
	if len(s.totals.order) > 2*tallyLanes || len(s.lanes.list) > 2*fewLanes {
		t.Errorf("got %d and %d lanes; want some thousand at most", len(s.totals.order), len(s.lanes.list))
	}
}
