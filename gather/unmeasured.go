//go:build !iprof_off

package gather

import "example.com/iprof/gather/internal/numbers"

// unmeasured has the entries, by zone, of goroutines beyond Limits.Lanes. registry.mu guards lane and ids.
var unmeasured struct {
	entries numbers.Tally
	lane    LaneID   // 0 until needed
	ids     []NodeID // of the nodes: the root, the zone "(unmeasured goroutines)", then by ZoneID
}

func noteUnmeasured(e entry) {
	dropped.lanes.Add(1)
	zone, _ := zones.resolve(e)
	unmeasured.entries.Add(int(zone))
}

// reportUnmeasured adds a lane whose nodes have counts and no time. They lie below a node that is marked open, so that
// it is shown. That node has no count, which would count all entries twice. The registry's mutex is held.
func reportUnmeasured(f *Frame, move bool) {
	u, start := &unmeasured, len(f.nodes)
	u.entries.Take(move, func(zone int, count uint32) {
		for len(u.ids) < zone+3 {
			u.ids = append(u.ids, NodeID(nodeIDs.Take()))
		}
		if len(f.nodes) == start {
			f.nodes = append(f.nodes, Node{ID: u.ids[0], Parent: -1},
				Node{ID: u.ids[1], Zone: zones.own(unmeasuredName), Open: true})
		}
		f.nodes = append(f.nodes, Node{ID: u.ids[2+zone], Zone: ZoneID(zone), Parent: 1, Count: count})
	})
	if len(f.nodes) == start {
		return
	}
	if u.lane == 0 {
		registry.lastLane++
		u.lane = registry.lastLane
	}
	f.Lanes = append(f.Lanes, LaneFrame{ID: u.lane, Name: unmeasuredName, Begin: f.End, End: f.End,
		Nodes: f.nodes[start:len(f.nodes):len(f.nodes)]})
}
