package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Calls of events are read from the newest frames, and then from older ones, a few frames a reading, because sources
// search many lanes one by one. Each call begins in one frame and ends in the next.
func TestCallsOfEventsOfManyLanes(t *testing.T) {
	const frames = 8
	for lanes, first := range map[int]uint64{10: 10 * (frames - 1), 400: 5 * 400, 800: 800} {
		s := process.NewSession()
		source := &mapSource{map[report.LaneID][]gather.Event{}}
		s.SetSources(func(c *process.Sources) { c.Events = source })
		for i := range int64(frames) {
			f := &gather.Frame{Index: uint64(i), Begin: ticks(i * 1000), End: ticks((i + 1) * 1000),
				TicksPerSecond: 1e6, Zones: crowdZones}
			for lane := range lanes {
				id, node := gather.LaneID(1+lane), gather.NodeID(2*lane+1)
				f.Lanes = append(f.Lanes, gather.LaneFrame{ID: id, Name: "worker", Updater: lane == 0, End: ticks(1000),
					Nodes: []gather.Node{{ID: node - 1, Parent: -1, Self: 900},
						{ID: node, Zone: 1, Count: 1, Self: 100}}})
				source.events[id] = append(source.events[id],
					gather.Event{Zone: 1, Node: node, End: true, Time: ticks(i*1000 + 50)},
					gather.Event{Zone: 1, Node: node, Time: ticks(i*1000 + 950)})
			}
			must.Do(t, s.WriteFrame(f))
		}
		calls := func() (n uint64) {
			for _, b := range s.AppendCalls(nil, 1) {
				n += b.Count
			}
			return n
		}
		if got := calls(); got != first {
			t.Errorf("%d lanes: got %d calls at first; want %d", lanes, got, first)
		}
		for range frames {
			calls()
		}
		if got, want := calls(), uint64(lanes*(frames-1)); got != want {
			t.Errorf("%d lanes: got %d calls in the end; want %d", lanes, got, want)
		}
	}
}
