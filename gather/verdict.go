//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// decide credits a held node that was just closed, with all below it, to where it belongs. Now that it is known where its time
// goes, "(pending)" must show none: what was reported of it in earlier frames is taken back in this one.
//
//go:norace
func (l *Lane) decide(h *node, t platform.Ticks) {
	took, _ := l.unreported(h, t)
	if pending := l.find(h.parent, keyPending); pending != nil {
		waiting, _ := l.unreported(pending, t)
		l.clear(pending)
		l.owe(pending, took-waiting)
	}
	drop := h.flag&flagDrop != 0
	h.flag &^= flagDrop
	if drop {
		l.seen[h.idx].out = int32(l.child(h.parent, keyNotKept, zones.notKeptZone()).idx)
	}
	l.touch(h.parent, t)
	for i := h.idx; ; {
		changed := l.credit(i, h, drop, t)
		if kid := l.seen[i].kid; changed && kid != 0 {
			i = kid
			continue
		}
		for i != h.idx && l.seen[i].next == 0 {
			i = l.seen[i].parent
		}
		if i == h.idx {
			return
		}
		i = l.seen[i].next
	}
}

// touch sees to it that the reader comes by the node. It does so by itself if time has passed for the node since it was read.
//
//go:norace
func (l *Lane) touch(n *node, t platform.Ticks) {
	if !l.frozen && t > l.read {
		return
	}
	if l.touched == nil {
		l.touched = make(map[uint32]bool)
	}
	for ; n != nil; n = n.parent {
		l.touched[n.idx] = true
	}
}

// unreported returns what a node has that was not reported. While recording is off that is what its baseline holds.
//
//go:norace
func (l *Lane) unreported(n *node, t platform.Ticks) (took platform.Ticks, begun uint64) {
	s := &l.seen[n.idx]
	if l.frozen {
		return s.hier, l.reported(n.idx)
	}
	hier := n.acc
	if hier < 0 {
		hier += t
	}
	return hier - s.hier, n.count - l.reported(n.idx)
}

// owe makes a node without time owe ticks to the next frame.
func (l *Lane) owe(n *node, ticks platform.Ticks) {
	if l.frozen {
		ticks = -ticks
	}
	l.seen[n.idx].hier = ticks
}

// clear makes the node one that never was entered.
//
//go:norace
func (l *Lane) clear(n *node) {
	storeTicks(&n.acc, 0)
	n.count, l.seen[n.idx].hier = 0, 0
	l.setReported(n.idx, 0)
}

// credit moves what node i has to the node that stands for it outside the hold, whose number it leaves in out. It reports
// whether there was anything.
//
//go:norace
func (l *Lane) credit(i uint32, h *node, drop bool, t platform.Ticks) bool {
	n := l.node(i)
	if n.acc < 0 && n.flag&flagHeld == 0 {
		l.repair(n, t)
	}
	took, begun := l.unreported(n, t)
	if took == 0 && begun == 0 {
		return false
	}
	under := h.parent
	if n != h {
		under = l.node(uint32(l.seen[n.parent.idx].out))
	}
	to := under
	if drop {
		to = l.node(uint32(l.seen[h.idx].out))
	} else if under.flag&flagFolded == 0 {
		to = l.partner(under, n.key&^heldBit(n), l.seen[n.idx].zone)
	}
	l.seen[i].out = int32(to.idx)
	n.extra.Load().moveTo(to)
	l.clear(n)
	switch {
	case drop && n != h:
		took, begun = 0, 0
	case to == under: // folded into it, or not even that
		took = 0
		dropped.nodes.Add(begun)
		if to.flag&flagFolded == 0 {
			begun = 0
		}
	}
	l.give(to, took, begun)
	if n.flag&flagCalls != 0 {
		n.more().calls.moveTo(to, took)
	}
	return true
}

// give adds to what a node has that was not reported.
//
//go:norace
func (l *Lane) give(n *node, took platform.Ticks, begun uint64) {
	storeTicks(&n.acc, n.acc+took)
	n.count += begun
	if l.frozen {
		l.seen[n.idx].hier += took
		l.setReported(n.idx, l.reported(n.idx)+begun)
	}
}

// heldBit is what the key of a held node has besides its zone's.
func heldBit(n *node) uint64 {
	if n.flag&flagHeld != 0 {
		return keyHeld
	}
	return 0
}

// partner returns the child of under that stands for a node elsewhere with that key and zone; under itself beyond all limits.
//
//go:norace
func (l *Lane) partner(under *node, key uint64, zone int32) *node {
	if to := l.find(under, key); to != nil {
		return to
	}
	room, spare := l.room(under)
	switch {
	case room:
		return l.child(under, key, zone)
	case spare:
		return l.child(under, keyLimit, zones.other())
	}
	return under
}

// moveTo adds what few nodes have to another node.
//
//go:norace
func (x *extra) moveTo(n *node) {
	if x == nil {
		return
	}
	for i := range x.sums {
		if sum := x.sums[i].Swap(0); sum != 0 {
			n.more().sums[i].Add(sum)
		}
	}
}
