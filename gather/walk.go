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
	length       platform.Ticks // the root's
	slack        platform.Ticks // how much less than reported a closed node may have
}

// descend visits everything below the root. Where nothing happened to a node, nothing happened below it.
func (w *walk) descend() {
	if !w.frozen && len(w.lane.late)+len(w.lane.touched) == 0 {
		w.hurry()
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

// hurry is descend for the usual case, in one loop without calls: it is what a frame costs.
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
		}
		if took != 0 || begun != 0 || open || s.stack >= wasOpen {
			parent := all[s.parent].out
			out[parent].Self -= took
			o := &out[next]
			o.ID, o.Zone, o.Parent, o.Depth, o.Count, o.Self, o.Open = s.id, s.zone, parent, s.depth, begun, took, open
			o.Errors, o.Allocs, o.AllocBytes, o.Frees, o.FreeBytes = 0, 0, 0, 0, 0
			if x := n.extra.Load(); x != nil {
				x.report(o, move)
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

// visit adds node i, if anything happened to it or it is the root.
func (w *walk) visit(i uint32) bool {
	s, n := &w.lane.seen[i], w.lane.node(i)
	hier, open := w.lane.hierOf(n, w.now)
	count := loadCount(n)
	took, begun := hier-s.hier, count-s.count
	if w.frozen {
		took, begun = s.hier, s.count
	} else if took < 0 {
		took = w.short(s, n, took, open)
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
		x.report(&w.out[len(w.out)-1], w.move)
	}
	return true
}

// report fills in what few nodes have.
func (x *extra) report(n *Node, move bool) {
	var d [extras]uint64
	for i := range d {
		sum := x.sums[i].Load()
		d[i] = sum - x.was[i]
		if move {
			x.was[i] = sum
		}
	}
	n.Allocs, n.AllocBytes, n.Frees, n.FreeBytes, n.Errors = d[sumAllocs], d[sumAllocBytes], d[sumFrees], d[sumFreeBytes], uint32(d[sumErrors])
}
