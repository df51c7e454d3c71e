//go:build !iprof_off

package gather

import (
	"math"
	"sync"
)

// unmeasuredCounts counts the entries, by zone, of goroutines beyond Limits.Lanes.
type unmeasuredCounts struct {
	mu     sync.Mutex
	counts []uint64 // not yet reported, by ZoneID
	lane   LaneID   // 0 until needed
	ids    []NodeID // of the nodes: the root, the zone "(unmeasured goroutines)", then by ZoneID
}

var unmeasured unmeasuredCounts

func (u *unmeasuredCounts) add(e entry) {
	dropped.lanes.Add(1)
	zone, _ := zones.resolve(e)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.counts = append(u.counts, make([]uint64, max(int(zone)+1-len(u.counts), 0))...)
	u.counts[zone]++
}

// report adds a lane whose nodes have counts and no time. They lie below a node that is marked open, so that it is
// shown. That node has no count, which would count all entries twice. The registry's mutex is held.
func (u *unmeasuredCounts) report(f *Frame, move bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.counts) == 0 {
		return
	}
	u.prepare()
	start, own := len(f.nodes), zones.own(unmeasuredName)
	f.nodes = append(f.nodes, Node{ID: u.ids[0], Parent: -1}, Node{ID: u.ids[1], Zone: own, Open: true})
	for zone, count := range u.counts {
		if n := min(count, math.MaxUint32); n > 0 { // the rest comes with the next frame
			f.nodes = append(f.nodes, Node{ID: u.ids[2+zone], Zone: ZoneID(zone), Parent: 1, Count: uint32(n)})
			if move {
				u.counts[zone] -= n
			}
		}
	}
	if len(f.nodes) == start+2 {
		f.nodes = f.nodes[:start]
		return
	}
	nodes := f.nodes[start:len(f.nodes):len(f.nodes)]
	f.Lanes = append(f.Lanes, LaneFrame{ID: u.lane, Name: unmeasuredName, Begin: f.End, End: f.End, Nodes: nodes})
}

// prepare gives numbers to the lane and its nodes.
func (u *unmeasuredCounts) prepare() {
	if u.lane == 0 {
		registry.lastLane++
		u.lane = registry.lastLane
	}
	for len(u.ids) < len(u.counts)+2 {
		u.ids = append(u.ids, NodeID(nodeIDs.Take()))
	}
}
