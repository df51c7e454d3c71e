//go:build !iprof_off

package gather

import (
	"math"
	"sync"
)

// unmeasuredCounts counts the entries of goroutines beyond the limit of lanes, by zone.
type unmeasuredCounts struct {
	mu     sync.Mutex
	counts []uint64 // by zone
	was    []uint64 // as reported
	zone   int32    // "(unmeasured goroutines)", 0 if not needed yet
	lane   uint64
	ids    []uint32 // of the nodes that stand for them, the first two for the lane's root and for the zone
}

var unmeasured unmeasuredCounts

func (u *unmeasuredCounts) add(e entry) {
	dropped.lanes.Add(1)
	zone, _ := zones.resolve(e)
	u.mu.Lock()
	defer u.mu.Unlock()
	u.counts = sized(u.counts, int(zone)+1)
	u.counts[zone]++
}

func sized(s []uint64, n int) []uint64 {
	if len(s) < n {
		s = append(s, make([]uint64, n-len(s))...)
	}
	return s
}

// report adds a lane whose nodes have counts, and no time. The node around them is open, so that it is shown, and has no count,
// which would count all twice. The registry's mutex is held.
func (u *unmeasuredCounts) report(f *Frame, move bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.counts) == 0 {
		return
	}
	u.prepare()
	start := len(f.nodes)
	f.nodes = append(f.nodes, Node{ID: u.ids[0], Parent: -1}, Node{ID: u.ids[1], Zone: u.zone, Open: true})
	for zone, count := range u.counts {
		if d := count - u.was[zone]; d > 0 {
			d = min(d, math.MaxUint32) // the rest comes with the next frame
			f.nodes = append(f.nodes, Node{ID: u.ids[2+zone], Zone: int32(zone), Parent: 1, Count: uint32(d)})
			if move {
				u.was[zone] += d
			}
		}
	}
	if len(f.nodes) == start+2 {
		f.nodes = f.nodes[:start]
		return
	}
	f.Lanes = append(f.Lanes, LaneFrame{ID: u.lane, Name: unmeasuredName, Begin: f.End, End: f.End, Nodes: f.nodes[start:len(f.nodes):len(f.nodes)]})
}

func (u *unmeasuredCounts) prepare() {
	if u.lane == 0 {
		registry.lastLane++
		u.lane = registry.lastLane
		u.zone = zones.reserve(unmeasuredName)
	}
	u.was = sized(u.was, len(u.counts))
	for len(u.ids) < len(u.counts)+2 {
		u.ids = append(u.ids, nodeIDs.take())
	}
}

// reserve adds a zone that is no zone of the host's.
func (t *zoneTable) reserve(name string) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begin()
	return t.add(ZoneInfo{Name: name})
}
