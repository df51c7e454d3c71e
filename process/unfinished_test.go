package process

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// The list of lanes forgets those that were only in unfinished frames.
func TestLanesOfUnfinishedFramesAreForgotten(t *testing.T) {
	s := NewSession()
	f := gather.Frame{TicksPerSecond: 1000, End: 100, Zones: make([]gather.ZoneInfo, 2)}
	s.lock()
	defer s.mu.Unlock()
	s.frames.learn(&f)
	for i := range report.LaneID(3 * history.FewLanes) {
		f.Lanes = []gather.LaneFrame{{ID: i + 1, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 100, Count: 1}}}}
		s.store.First = s.store.First.Empty()
		s.store.PruneLanes()
		s.store.Log(&s.store.First, &f, false)
	}
	if len(s.store.Lanes.List) > 2*history.FewLanes {
		t.Errorf("got %d lanes; want some thousand at most", len(s.store.Lanes.List))
	}
}
