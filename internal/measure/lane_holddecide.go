//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// decide moves the measurements of a hold that was just closed, and of all nodes below it, to their final nodes.
// "(pending)" gets a negative time in this frame, which cancels the hold's time in earlier frames.
//
//go:norace
func (l *Lane) decide(h *node, t platform.Ticks) {
	took, _ := l.unreported(h, t)
	if pending := l.find(h.parent, keyPending); pending != nil {
		waiting, _ := l.unreported(pending, t)
		l.reset(pending)
		if !l.later(pending, -took, 0) {
			l.owe(pending, took-waiting)
		}
	}
	drop := h.flag&flagDrop != 0
	h.flag &^= flagDrop
	if drop {
		l.base[h.idx].out = int32(l.child(h.parent, keyNotKept, zones.own(notKeptName)).idx)
	}
	if l.frozen || t <= l.reportedAt { // else time has passed, and the reader visits the node anyway
		l.mustVisit(h.parent)
	}
	for i, more := h.idx, true; more; more = i != 0 {
		i = l.after(i, h.idx, l.credit(i, h, drop, t))
	}
}

// mustVisit makes the reader visit the node in the next frame, even if nothing happened to the node itself.
func (l *laneReport) mustVisit(n *node) {
	for ; n != nil; n = n.parent {
		l.touched.add(n.idx)
	}
}

// nodeSet is a set of nodes by index. The zero value is empty.
type nodeSet struct {
	bits   []uint64
	number int
}

const nodeSetWord = 64

func (s *nodeSet) add(i uint32) {
	for uint32(len(s.bits)) <= i/nodeSetWord {
		s.bits = append(s.bits, 0)
	}
	if !s.has(i) {
		s.bits[i/nodeSetWord] |= 1 << (i % nodeSetWord)
		s.number++
	}
}

func (s *nodeSet) has(i uint32) bool {
	return i/nodeSetWord < uint32(len(s.bits)) && s.bits[i/nodeSetWord]>>(i%nodeSetWord)&1 != 0
}

func (s *nodeSet) clear() {
	if s.number > 0 {
		clear(s.bits)
		s.number = 0
	}
}

// unreported returns the unreported time and entries of a node.
//
//go:norace
func (l *Lane) unreported(n *node, t platform.Ticks) (took platform.Ticks, begun uint64) {
	s := &l.base[n.idx]
	if l.keepsRest(n) {
		return s.hier, s.count
	}
	hier := n.acc
	if hier < 0 {
		hier += t
	}
	return hier - s.hier, n.count - s.count
}

// owe gives a node without time a negative time in the next frame.
func (l *Lane) owe(n *node, ticks platform.Ticks) {
	if l.keepsRest(n) {
		ticks = -ticks
	}
	l.base[n.idx].hier = ticks
}

// reset returns the node to its state before the first entry. Its count goes on, so that an old Scope or Held of it
// closes nothing.
//
//go:norace
func (l *Lane) reset(n *node) {
	storeTicks(&n.acc, 0)
	l.restartKnown(n)
	s := &l.base[n.idx]
	s.hier = 0
	s.count = n.count
	if l.keepsRest(n) {
		s.count = 0
	}
}

// credit moves the measurements of node i to its counterpart outside the hold, and stores that node's index in
// baseline.out. It returns false without any measurements.
//
//go:norace
func (l *Lane) credit(i uint32, h *node, drop bool, t platform.Ticks) bool {
	n := l.node(i)
	if n.acc < 0 && n.flag&flagHeld == 0 {
		l.repair(n, t)
	}
	took, begun := l.unreported(n, t)
	if took == 0 && begun == 0 && !l.turned {
		return false
	}
	under := h.parent
	if n != h {
		under = l.node(uint32(l.base[n.parent.idx].out))
	}
	to := under
	if drop {
		to = l.node(uint32(l.base[h.idx].out))
	} else if under.flag&flagFolded == 0 {
		key := n.key
		if n.flag&flagHeld != 0 {
			key &^= keyHeld
		}
		to = l.partner(under, key, l.base[n.idx].zone)
	}
	l.base[i].out = int32(to.idx)
	n.extra.Load().transfer(to)
	l.reset(n)
	switch {
	case drop && n != h:
		took, begun = 0, 0
	case to == under: // it is folded, or there was no room for a node
		took = 0
		dropped.nodes.Add(begun)
		if to.flag&flagFolded == 0 {
			begun = 0
		}
	}
	l.give(to, took, begun)
	if n.flag&flagCalls != 0 {
		n.more().calls.MoveTo(to.more().calls, took)
	}
	return true
}

// give adds unreported time and entries to a node. A closed node's time must not become negative, because the node
// would look open for ever.
//
//go:norace
func (l *Lane) give(n *node, took platform.Ticks, begun uint64) {
	if l.later(n, took, begun) {
		return
	}
	if n.acc >= 0 {
		took = max(took, -n.acc)
	}
	storeTicks(&n.acc, n.acc+took)
	n.count += begun
	if l.keepsRest(n) {
		l.base[n.idx].hier += took
		l.base[n.idx].count += begun
	}
}

// partner returns the child of under with the key and zone of a node elsewhere. Beyond all limits it returns under.
//
//go:norace
func (l *Lane) partner(under *node, key uint64, zone ZoneID) *node {
	if to := l.find(under, key); to != nil {
		return to
	}
	if to := l.find(under, key^sites.KeyText); to != nil { // a site's node, made before its text was kept, or after
		return to
	}
	room, spare := l.room(under)
	if room {
		return l.child(under, key, zone)
	}
	if to := l.other(under, spare); to != nil {
		return to
	}
	return under
}

// transfer moves the unreported sums to another node. It reports whether there were any.
//
//go:norace
func (x *extra) transfer(n *node) (any bool) {
	if x == nil {
		return false
	}
	d, any := x.sums.since(true)
	if any {
		n.more().sums.addAll(&d)
	}
	return any
}
