//go:build !iprof_off

package gather

import (
	"slices"

	"example.com/iprof/platform"
)

// longestWait is how many seconds before a frame a lane may have scopes without times, if the frame waits for them.
const longestWait = 5

// foreigners has the lanes that Complete asks. registry.mu guards it.
var foreigners []*ForeignLane

// Complete adds to a frame of Collect what foreign lanes did for it: the scopes that were issued before its end. It
// reports whether all of them are there. If not, and if the caller waits, it calls Complete again later. The lanes'
// parts are added by the call that returns true, or if now is set. Scopes whose frame did not wait for them are counted
// in the next one, and in Dropped.Late. Any goroutine may call it.
func Complete(f *Frame, now bool) bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	foreigners = slices.DeleteFunc(foreigners, func(l *ForeignLane) bool { return l.lane.ended })
	if !now {
		for _, l := range foreigners {
			since := platform.Ticks(l.waiting.Load())
			gone := float64(f.Begin-since) > longestWait*f.TicksPerSecond // its context, probably
			if since != 0 && since < f.End && !gone {
				return false
			}
		}
	}
	for _, l := range foreigners {
		l.report(f)
	}
	if len(foreigners) > 0 {
		f.Zones = zones.All() // zones only ever increase from frame to frame, and the frame before may have some more
	}
	return true
}

// report adds the lane's part to a frame. The root has the frame's time that is in no scope.
func (f *ForeignLane) report(to *Frame) {
	l := f.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	sums, work, late := f.scopes.Take(to.Begin, to.End, len(l.seen), func(i uint32) uint32 { return l.seen[i].parent })
	dropped.late.Add(uint64(late))
	if sums == nil && f.waiting.Load() == 0 {
		return
	}
	length, start := max(to.End-to.Begin, work), len(to.nodes)
	to.nodes = append(to.nodes, Node{Self: length - work, ID: l.seen[0].id, Parent: -1})
	l.seen[0].out = 0
	for i := 1; i < len(sums); i++ {
		if n, s := &l.seen[i], sums[i]; s.Shown {
			n.out = int32(len(to.nodes) - start)
			to.nodes = append(to.nodes, Node{Self: s.Self, ID: n.id, Zone: n.zone, Parent: l.seen[n.parent].out,
				Depth: n.depth, Count: s.Count})
		}
	}
	to.Lanes = append(to.Lanes, LaneFrame{ID: l.id, Name: l.label(), Device: true, Begin: to.Begin,
		End: to.Begin + length, Nodes: to.nodes[start:len(to.nodes):len(to.nodes)]})
}

// forgetForeign drops what foreign lanes have added and no frame has.
func forgetForeign() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, f := range foreigners {
		f.lane.mu.Lock()
		f.scopes.Forget()
		f.lane.mu.Unlock()
	}
}
