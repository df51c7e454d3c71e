//go:build !iprof_off

package gather

import (
	"slices"
	"sync/atomic"

	"example.com/iprof/platform"
)

// walk is one lane's part of a Collect: it visits the nodes that changed, or are open, parents first.
type walk struct {
	lane         *Lane
	now          platform.Ticks
	frozen, move bool
	start        int
	out          []Node
	extras       []NodeExtra
	length       platform.Ticks // the root's
	slack        platform.Ticks // how much less than reported a closed node may have
	inPlace      cost           // what measuring takes there, if entries are counted only
}

// descend visits everything below the root. Where nothing happened to a node, nothing happened below it. Lanes that hold, or have
// demoted nodes, never sweep: what is timed below an untimed node has more time than that.
func (w *walk) descend() {
	if !w.frozen && len(w.lane.late)+len(w.lane.touched) == 0 {
		if l := w.lane; sweepPays*l.busy >= len(l.seen) && !l.holds && !l.hasTwins() {
			w.sweep()
		} else {
			w.hurry()
		}
		return
	}
	all := w.lane.seen
	for i := all[0].kid; i != 0; {
		s := &all[i]
		if w.visit(i) && s.kid != 0 {
			i = s.kid
			continue
		}
		for i != 0 && all[i].next == 0 {
			i = all[i].parent
		}
		if i != 0 {
			i = all[i].next
		}
	}
}

// sweepPays is how many nodes may be passed over for each one reported, before going down the tree is quicker. A variable for
// the tests.
var sweepPays = 4

// sweep is descend for the usual case: most nodes were busy. It takes them in the order in which they lie in memory, so that
// none waits for the one before to say where to go next, and parents still come first. It is what a frame costs.
func (w *walk) sweep() {
	all, now, move := w.lane.seen, w.now, w.move
	w.out = slices.Grow(w.out, len(all))
	out := w.out[w.start:cap(w.out)]
	next := int32(len(w.out) - w.start)
	chunks := w.lane.chunks
	for i := 1; i < len(all); i++ {
		s, n := &all[i], &chunks[uint(i)/chunkSize][i%chunkSize]
		parent := all[s.parent].out
		hier := platform.Ticks(atomic.LoadInt64((*int64)(&n.acc)))
		count := uint32(atomic.LoadUint64(&n.count))
		open := hier < 0
		if open {
			hier += now
		}
		took, begun := hier-s.hier, count-s.count
		if took < 0 && parent >= 0 {
			took = w.short(s, n, took, open)
		} else if parent >= 0 && took > out[parent].Self {
			took = w.long(&out[parent])
		}
		if parent < 0 || took == 0 && begun == 0 && !open && s.stack < wasOpen {
			s.out = -1 // nothing below it is told
			continue
		}
		s.out = next
		if move {
			s.hier += took
			s.count = count
			if open != (s.stack >= wasOpen) {
				s.stack ^= wasOpen
			}
		}
		o := &out[next]
		o.Self, o.ID, o.Zone, o.Parent, o.Count, o.Depth, o.Open, o.Estimated = took, s.id, s.zone, parent, begun, s.depth, open, Exact
		out[parent].Self -= took
		if x := n.extra.Load(); x != nil {
			w.addExtra(x, next)
		}
		next++
	}
	w.out = w.out[:w.start+int(next)]
}

// hurry is descend when few nodes were busy.
func (w *walk) hurry() {
	all, chunks, now, move := w.lane.seen, w.lane.chunks, w.now, w.move
	w.out = slices.Grow(w.out, len(all))
	out := w.out[w.start:cap(w.out)]
	next := int32(len(w.out) - w.start)
	for i := all[0].kid; i != 0; {
		s, n := &all[i], &chunks[i/chunkSize][i%chunkSize]
		hier := platform.Ticks(atomic.LoadInt64((*int64)(&n.acc)))
		open := hier < 0
		if open {
			hier += now
		}
		count := uint32(atomic.LoadUint64(&n.count))
		took, begun := hier-s.hier, count-s.count
		if took < 0 {
			took = w.short(s, n, took, open)
		} else if p := &out[all[s.parent].out]; took > p.Self && w.lane.bounds(s.parent) {
			took = w.long(p)
		}
		if took != 0 || begun != 0 || open || s.stack >= wasOpen {
			parent := all[s.parent].out
			out[parent].Self -= took
			o := &out[next]
			o.Self, o.ID, o.Zone, o.Parent, o.Count, o.Depth, o.Open, o.Estimated = took, s.id, s.zone, parent, begun, s.depth, open, Exact
			if x := n.extra.Load(); x != nil {
				w.addExtra(x, next)
			}
			s.out = next
			next++
			if move {
				s.hier, s.count = s.hier+took, count
				s.setOpen(open)
			}
			if s.kid != 0 {
				i = s.kid
				continue
			}
		}
		for s.next == 0 && i != 0 {
			i = s.parent
			s = &all[i]
		}
		if i != 0 {
			i = s.next
		}
	}
	w.out = w.out[:w.start+int(next)]
}

// short returns the time to report of a node that has less than was reported of it: none. A closed node that lacks more than
// reading beside its goroutine explains has seen the clock step back: it goes on from here. Only "(pending)" may owe time.
func (w *walk) short(s *seen, n *node, took platform.Ticks, open bool) platform.Ticks {
	if n.flag&flagPending != 0 {
		return took
	}
	if !open && -took > w.slack && w.move {
		s.hier += took
		misuse.counts[clockBack].Add(1)
	}
	return 0
}

// hasTwins reports whether there are untimed nodes, which have less time than what is timed below them.
func (l *Lane) hasTwins() bool { return l.governed != nil && len(l.governed.twins) > 0 }

// bounds reports whether what is below node i has no more time than it has: not below untimed ones, nor where there are holds, which
// hand time to and fro.
func (l *Lane) bounds(i uint32) bool { return !l.holds && l.node(i).flag&flagUntimed == 0 }

// long returns the time to report of a node that has more than is left of its parent, which was read before it: what is left.
// The goroutine spent the rest since, so the next frame tells of it.
func (w *walk) long(parent *Node) platform.Ticks { return max(parent.Self, 0) }

// visit adds node i, if anything happened to it or it is the root.
func (w *walk) visit(i uint32) bool {
	s, n := &w.lane.seen[i], w.lane.node(i)
	hier, open := w.lane.hierOf(n, w.now)
	count := uint32(loadEntries(n))
	took, begun := hier-s.hier, count-s.count
	if w.frozen {
		took, begun = s.hier, s.count
	} else if took < 0 {
		took = w.short(s, n, took, open)
	}
	if i != 0 && w.lane.bounds(s.parent) {
		if p := &w.out[w.start+int(w.lane.seen[s.parent].out)]; took > p.Self {
			took = w.long(p)
		}
	}
	if took == 0 && begun == 0 && !open && s.stack < wasOpen && i != 0 && !w.lane.touched[i] {
		return false
	}
	parent := int32(-1)
	if i == 0 {
		w.length = took
		open = false
	} else {
		parent = w.lane.seen[s.parent].out
		w.out[w.start+int(parent)].Self -= took
	}
	s.out = int32(len(w.out) - w.start)
	w.out = append(w.out, Node{ID: s.id, Zone: s.zone, Parent: parent, Depth: s.depth, Count: begun, Self: took, Open: open})
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
	return true
}

// addExtra reports what few nodes have, if anything was added to it.
func (w *walk) addExtra(x *extra, node int32) {
	var d [extras]uint64
	any := uint64(0)
	for i := range d {
		sum := x.sums[i].Load()
		d[i] = sum - x.was[i]
		any |= d[i]
		if w.move {
			x.was[i] = sum
		}
	}
	if any != 0 {
		w.extras = append(w.extras, NodeExtra{node, 0, uint32(d[sumErrors]), d[sumAllocs], d[sumAllocBytes], d[sumFrees], d[sumFreeBytes],
			d[sumUnits], d[sumHeapObjects], d[sumHeapBytes], Exact, 0})
	}
}
