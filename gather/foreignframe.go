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
		f.Zones = zones.all() // zones only ever increase from frame to frame, and the frame before may have some more
	}
	return true
}

// report adds the lane's part to a frame.
func (f *ForeignLane) report(to *Frame) {
	l := f.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	f.sums = slices.Grow(f.sums[:0], len(l.seen))[:len(l.seen)]
	clear(f.sums)
	n, late := 0, 0
	for ; n < len(f.done) && f.done[n].issued < to.End; n++ {
		d := &f.done[n]
		f.sums[d.node].self += d.self
		f.sums[d.node].count++
		if d.issued < to.Begin {
			late++
		}
	}
	dropped.late.Add(uint64(late))
	if n == 0 && f.waiting.Load() == 0 {
		return
	}
	f.done = append(f.done[:0], f.done[n:]...)
	f.write(to)
}

// write appends the sums to a frame, with the nodes around them. The root has the rest of the frame's time.
func (f *ForeignLane) write(to *Frame) {
	l, work := f.lane, platform.Ticks(0)
	for i := len(f.sums) - 1; i > 0; i-- {
		s := &f.sums[i]
		if work += s.self; s.count > 0 || s.out != 0 {
			s.out, f.sums[l.seen[i].parent].out = 1, 1
		}
	}
	length := max(to.End-to.Begin, work)
	f.sums[0] = foreignSum{self: length - work, out: 1}
	start := len(to.nodes)
	for i := range f.sums {
		s, n := &f.sums[i], &l.seen[i]
		if s.out == 0 {
			continue
		}
		parent := int32(-1)
		if i > 0 {
			parent = f.sums[n.parent].out - 1
		}
		s.out = int32(len(to.nodes)-start) + 1
		to.nodes = append(to.nodes, Node{Self: s.self, ID: n.id, Zone: n.zone, Parent: parent, Depth: n.depth,
			Count: s.count})
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
		f.done = f.done[:0]
		f.lane.mu.Unlock()
	}
}
