package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Calls that are read from events are those of the frames kept, or of the newest alone if there are very many lanes:
// sources search them one by one.
func TestCallsOfEventsOfManyLanes(t *testing.T) {
	const frames = 3
	for lanes, want := range map[int]uint64{10: 10 * frames, 800: 800} {
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
					gather.Event{Zone: 1, Node: node, Time: ticks(i*1000 + 300)},
					gather.Event{Zone: 1, Node: node, End: true, Time: ticks(i*1000 + 400)})
			}
			must.Do(t, s.WriteFrame(f))
		}
		calls := uint64(0)
		for _, b := range s.AppendCalls(nil, 1) {
			calls += b.Count
		}
		if calls != want {
			t.Errorf("%d lanes: got %d calls; want %d", lanes, calls, want)
		}
	}
}
