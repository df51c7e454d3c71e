package process

import (
	"testing"

	"example.com/iprof/gather"
)

// The list of lanes forgets those that were only in unfinished frames.
func TestLanesOfUnfinishedFramesAreForgotten(t *testing.T) {
	s := NewSession()
	f := gather.Frame{TicksPerSecond: 1000, End: 100, Zones: make([]gather.ZoneInfo, 2)}
	s.lock()
	defer s.mu.Unlock()
	s.learn(&f)
	for i := range LaneID(3 * fewLanes) {
		f.Lanes = []gather.LaneFrame{{ID: i + 1, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 100, Count: 1}}}}
		s.first = s.first.empty()
		s.pruneLanes()
		s.log(&s.first, &f, false)
	}
	if len(s.lanes.list) > 2*fewLanes {
		t.Errorf("got %d lanes; want some thousand at most", len(s.lanes.list))
	}
}
