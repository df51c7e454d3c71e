//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/sites"
)

// resolve finds or makes the child of parent for an entry. It returns nil beyond all limits. It returns parent if
// parent counts the entry as its own: see Lane.pileOn.
//
//go:norace
func (l *Lane) resolve(parent *node, e entry) *node {
	zone, key := zones.resolve(e)
	if key&sites.KeyText != 0 {
		l.rekey(parent, key)
	}
	if n := l.formFor(parent, key); n != nil {
		return n
	}
	if n := l.find(parent, key); n != nil {
		return n
	}
	if l.isPiled(parent, key) {
		return parent
	}
	room, spare := l.room(parent)
	if !room && l.evict(parent, spare) {
		room, spare = l.room(parent)
	}
	if !room {
		return l.other(parent, spare)
	}
	if n := l.demotedBelow(parent, key); n != nil {
		return n
	}
	n := l.child(parent, key, zone)
	if l.stacked(n) {
		n.flag |= flagWatch
	}
	return n
}

// other finds or makes the node "(other)" below parent. It returns nil if there is no room for it.
//
//go:norace
func (l *Lane) other(parent *node, spare bool) *node {
	if n := l.find(parent, keyLimit); n != nil || !spare {
		return n
	}
	return l.child(parent, keyLimit, zones.own(otherName))
}

// child finds or makes a child of parent, without regard to the limits.
//
//go:norace
func (l *Lane) child(parent *node, key uint64, zone ZoneID) *node {
	if n := l.find(parent, key); n != nil {
		return n
	}
	n := l.add(parent, key, zone)
	l.mirror(parent, n)
	if key == keyLimit {
		n.flag, l.folded = n.flag|flagFolded, l.folded+1
		n.more().token = &node{slot: l.slot, parent: n, flag: flagToken, idx: n.idx}
	}
	return n
}

// room reports whether the limits allow a node below parent. If not, spare reports whether they allow a node to fold
// into. A lane always has room for those, because each other node has at most one of them below it.
//
//go:norace
func (l *Lane) room(parent *node) (room, spare bool) {
	lim := limits()
	n, all, vacant := len(l.base)-l.folded, nodeIDs.inUse(), l.hasVacancy()
	spare = all < 2*lim.Nodes && budget.HasSpare()
	room = int(l.base[parent.idx].level) < lim.Depth && (vacant && spare && n-l.evictions.Len() < lim.NodesPerLane ||
		n < lim.NodesPerLane && all < lim.Nodes && budget.Fits(chunkBytes))
	return room, spare || vacant
}

// stacked reports whether the node and the two above it are of one zone and were made in the same stack frame. That
// means that a loop defers End: a recursion would be deeper in the stack.
//
//go:norace
func (l *laneTree) stacked(n *node) bool {
	p := n.parent
	if p.key != n.key || p.parent == nil || p.parent.key != n.key {
		return false
	}
	depth := l.base[n.idx].stack & stackDepth
	return depth != 0 && l.base[p.idx].stack&stackDepth == depth && l.base[p.parent.idx].stack&stackDepth == depth
}

// fold counts an entry in an open folded node.
//
//go:norace
func (l *laneStack) fold(n *node) Scope {
	l.nest++
	n.count++
	dropped.nodes.Add(1)
	return scopeOf(n.extra.Load().token)
}
