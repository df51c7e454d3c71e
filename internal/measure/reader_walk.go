//go:build !iprof_off

package measure

import (
	"math"
	"slices"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// walk reads one lane for a Collect. It visits the nodes that changed or are open, parents first.
type walk struct {
	lane         *Lane
	now          platform.Ticks
	frozen, move bool
	overdrawn    bool // some nodes have less time than their children
	start        int
	out          []Node
	extras       []NodeExtra
	first        int            // of the lane's extras
	length       platform.Ticks // the root's time
	inPlace      governor.Cost  // the cost of measuring, measured in place by the governor
}

// sweepPays is the greatest number of nodes per reported node at which a sweep over all nodes is faster than a walk
// down the tree. It is a variable for tests.
var sweepPays = 4

// descend visits everything below the root. If nothing happened to a node, nothing happened below it. Lanes with holds
// or forms are never swept: a form, which is not timed, has less time than the timed nodes below it. After an eviction,
// the order in memory is not parents first.
func (w *walk) descend() {
	if l := w.lane; !w.frozen && len(l.lateEnds)+l.touched.number == 0 {
		if l.settled.first != 0 && (sweepPays*l.busyNodes >= len(l.base) || !l.maySettle()) {
			l.unsettleAll()
		}
		ordered := l.evictions == nil && !l.holds && (l.governed == nil || len(l.governed.forms) == 0)
		l.settled.begin(l)
		w.hurry(ordered && sweepPays*l.busyNodes >= len(l.base))
		l.settle()
		return
	}
	w.lane.unsettleAll()
	for i := w.lane.base[0].kid; i != 0; {
		i = w.lane.after(i, 0, w.visit(i))
	}
}

// Entering a node writes its time, which is then negative, and then its count. The reader reads the count first. So
// after it has read the count of a node's newest entry, it sees the node open, or sees the entries below it. In the
// other order, it could count an entry before the node looked open. On a clock that stands still, entries below the
// node would then be lost.

// hurry visits every node below the root that has something to report. It is separate from visit because most of a
// frame's cost is here: it leaves out late Ends and other special cases. If most nodes were active, as usual, it
// sweeps: it takes the nodes in the order of memory, so that no load waits for a link from the node before. Parents
// come first in this order too.
func (w *walk) hurry(sweep bool) {
	all, chunks := w.lane.base, w.lane.chunks
	now, move := w.now, w.move
	w.out = slices.Grow(w.out, len(all))
	out := w.out[w.start:cap(w.out)]
	next := int32(len(w.out) - w.start)
	i := all[0].kid
	if sweep {
		i = min(1, i)
	}
	for i != 0 {
		s, n := &all[i], &chunks[i/chunkSize][i%chunkSize]
		parent := all[n.parent.idx].out
		count := loadEntries(n)
		hier := loadTicks(&n.acc)
		open := hier < 0
		if open {
			hier, open = w.lane.openHier(n, hier, now)
		}
		took, begun := hier-s.hier, count-s.count
		if took < 0 {
			took = n.short(took)
		}
		active := parent >= 0 && (took != 0 || begun != 0 || open || s.stack >= wasOpen)
		if active {
			s.out = next
			if move {
				s.hier, s.count = s.hier+took, count
				s.setOpen(open)
			}
			o := &out[next]
			o.Self, o.Count = took, uint32(begun)
			o.ID, o.Zone, o.Parent = s.id, s.zone, parent
			o.Depth, o.Open, o.Estimated = s.depth, open, EstimatedNone
			if out[parent].Self -= took; out[parent].Self < 0 {
				w.overdrawn = true
			}
			if x := n.extra.Load(); x != nil {
				w.addExtra(x, next)
			}
			if begun > math.MaxUint32 {
				w.extra(next).More = uint32(begun >> 32)
			}
			next++
		} else if sweep || !move {
			s.out = min(s.out, -1) // nothing below it is reported
		} else {
			w.lane.age(i, s, n)
		}
		if sweep {
			if i++; int(i) >= len(all) {
				break
			}
		} else {
			i = w.lane.after(i, 0, active)
		}
	}
	w.out = w.out[:w.start+int(next)]
}

// inFrame reports whether a node of the lane is in the frame.
func inFrame(s *baseline, nodes []Node) bool {
	return s.out >= 0 && int(s.out) < len(nodes) && nodes[s.out].ID == s.id
}

// short returns the time to report for a node with less time than was already reported. The difference is a few ticks
// between the clocks of two cores. It returns 0 until the node has more again. Only "(pending)" may be negative.
func (n *node) short(took platform.Ticks) platform.Ticks {
	if n.flag&flagPending != 0 {
		return took
	}
	return 0
}

// visit adds node i if anything happened to it, or if it is the root. It reports whether it did.
func (w *walk) visit(i uint32) bool {
	s, n := &w.lane.base[i], w.lane.node(i)
	count := loadEntries(n)
	hier, open := w.lane.hierOf(n, w.now)
	took, begun := hier-s.hier, count-s.count
	if w.frozen {
		took, begun = s.hier, s.count
	} else if took < 0 {
		took = n.short(took)
	}
	if took == 0 && begun == 0 && !open && s.stack < wasOpen && i != 0 && !w.lane.touched.has(i) {
		return false
	}
	parent := int32(-1)
	if i == 0 {
		w.length = took
		open = false
	} else {
		parent = w.lane.base[n.parent.idx].out
		p := &w.out[w.start+int(parent)]
		if p.Self -= took; p.Self < 0 {
			w.overdrawn = true
		}
	}
	s.out = int32(len(w.out) - w.start)
	w.out = append(w.out, Node{ID: s.id, Zone: s.zone, Parent: parent, Depth: s.depth,
		Count: uint32(begun), Self: took, Open: open})
	if w.move {
		if w.frozen {
			s.hier, s.count = 0, 0
		} else {
			s.hier, s.count = s.hier+took, count
		}
		s.setOpen(open)
	}
	if x := n.extra.Load(); x != nil {
		w.addExtra(x, s.out)
	}
	if begun > math.MaxUint32 {
		w.extra(s.out).More = uint32(begun >> 32)
	}
	return true
}

// extra finds or makes the extra of a node in the frame.
func (w *walk) extra(node int32) *NodeExtra {
	at, found := findExtra(w.extras[w.first:], node)
	if at += w.first; !found {
		w.extras = append(w.extras, NodeExtra{}) // slices.Insert would add 4 kB of code
		copy(w.extras[at+1:], w.extras[at:])
		w.extras[at] = NodeExtra{Node: node}
	}
	return &w.extras[at]
}

// addExtra adds the node's extra sums if any has changed.
func (w *walk) addExtra(x *extra, node int32) {
	if d, any := x.sums.since(w.move); any {
		w.extras = append(w.extras, NodeExtra{Node: node, Errors: d[sumErrors], Units: d[sumUnits],
			Allocs: d[sumAllocs], AllocBytes: d[sumAllocBytes],
			Frees: d[sumFrees], FreeBytes: d[sumFreeBytes],
			HeapObjects: d[sumHeapObjects], HeapBytes: d[sumHeapBytes]})
	}
}

// A node is read after its parent. So the children of a node may have more time in a frame than the node itself.

// balance gives such a node the missing time. It takes it from the children with the most time. They get it back in the
// next frame. A form has no own time: the time of timed entries below it passed in the enclosing zone.
func (w *walk) balance() {
	l, nodes := w.lane, w.out[w.start:]
	w.locate()
	spots := reading.scratch.spots
	for i := len(nodes) - 1; i > 0; i-- {
		if n := &nodes[i]; spots[i].node.flag&flagUntimed != 0 {
			nodes[n.Parent].Self += n.Self
			n.Self = 0
		}
	}
	evenOut(nodes, func(kid int32, part platform.Ticks) {
		if w.move && !w.frozen {
			l.base[spots[kid].node.idx].hier -= part
		}
	})
}

// evenOut raises negative self times to 0. It takes the time from the children with the most time, including their
// descendants. A parent precedes its children. It calls taken with each time that a child gives.
func evenOut(nodes []Node, taken func(child int32, part platform.Ticks)) {
	all := make([]platform.Ticks, len(nodes)) // with the descendants'
	for i := len(nodes) - 1; i > 0; i-- {
		n := &nodes[i]
		all[i] += n.Self
		all[n.Parent] += all[i]
	}
	var f family
	for i := range nodes {
		for n := &nodes[i]; n.Self < 0; {
			child := f.largestChild(nodes, all, int32(i))
			if child < 0 {
				break
			}
			part := min(all[child], -n.Self)
			n.Self += part
			nodes[child].Self -= part
			all[child] -= part
			taken(child, part)
		}
	}
}

// family lists the children of each node. A deep recursion may lack time at every level, so each lookup must be fast.
type family struct{ first, next []int32 } // by node; 0 is none

func (f *family) find(nodes []Node) {
	f.first, f.next = make([]int32, len(nodes)), make([]int32, len(nodes))
	for i := len(nodes) - 1; i > 0; i-- {
		parent := nodes[i].Parent
		f.next[i], f.first[parent] = f.first[parent], int32(i)
	}
}

// largestChild returns the child with the most time, or -1 if no child has time.
func (f *family) largestChild(nodes []Node, all []platform.Ticks, parent int32) int32 {
	if f.first == nil {
		f.find(nodes)
	}
	best := int32(-1)
	for i := f.first[parent]; i > 0; i = f.next[i] {
		if all[i] > 0 && (best < 0 || all[i] > all[best]) {
			best = i
		}
	}
	return best
}

// isStill reports whether the lane has only stayed in its open zones. Its mutex is held.
func (w *walk) isStill() bool {
	for i := range w.out[w.start+1:] {
		if n := &w.out[w.start+1+i]; !n.Open || n.Count != 0 {
			return false
		}
	}
	return len(w.out) > w.start+1 && len(w.extras) == w.first
}

// showOpen marks the nodes of the frame in which lanes are parked as open.
func (w *walk) showOpen() {
	l, nodes := w.lane, w.out[w.start:]
	if l.proxied == nil {
		return
	}
	for i := range l.proxied.counts {
		if s := &l.base[i]; i > 0 && l.proxied.counts[i].number > 0 && inFrame(s, nodes) {
			nodes[s.out].Open = true
		}
	}
}
