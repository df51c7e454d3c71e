//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eviction"
)

// A full lane makes room by evicting cold nodes. A cold node is a closed leaf that was in no report for a while, or has
// the least unreported time. Its unreported entries and time go to "(other)" beside it, so reports stay exact; earlier
// reports do not change. A deep recursion folds from its deepest level up. Only the lane's goroutine evicts, because
// Begin and End follow the links of nodes.

// evictions chooses the nodes to evict, and keeps them for other stacks.
type evictions struct {
	eviction.Hand
	eviction.Vacancies
}

// evict makes room for a node below parent. It tries only now and then, but at once if there is not even room for
// "(other)". It reports whether it has tried.
//
//go:norace
func (l *Lane) evict(parent *node, spare bool) bool {
	if l.governed != nil || l.holds || l.frozen || l.paused || int(l.base[parent.idx].level) >= limits().Depth {
		return false
	}
	if l.evictions == nil {
		l.evictions = new(evictions)
	}
	l.unsettleAll()
	h := l.evictions
	if !h.Refuse() && spare || h.Waits(len(l.base)/4, l.log.Overwrote) {
		return false
	}
	for h.Looks(len(l.base)) {
		if i := h.Next(len(l.base)); l.isCold(i, spare) {
			l.giveUp(l.node(i))
			h.Freed()
		}
	}
	return true
}

// isCold reports whether a node may be evicted. "(other)" goes with the node above it, or once it has been reported.
// Nodes with counted calls and nodes of muted zones stay.
//
//go:norace
func (l *Lane) isCold(i uint32, spare bool) bool {
	n, s := l.node(i), &l.base[i]
	if s.stack&wasUsed != 0 {
		s.stack &^= wasUsed
		return false
	}
	if n.acc < 0 || n.flag&^(flagFolded|flagPiled|flagQuiet) != 0 || l.touched.has(i) || l.proxied.any(i) ||
		s.kid != 0 && (l.node(s.kid).flag != flagFolded || l.base[s.kid].next != 0) { // not only "(other)"
		return false
	}
	if x := n.extra.Load(); x != nil && (x.form != nil || x.calls != nil) {
		return false
	}
	took, begun := l.unreported(n, 0)
	return took == 0 && begun == 0 || n.flag&flagFolded == 0 && l.evictions.IsCold(took) && (spare || l.log == nil)
}

// giveUp evicts a node. Its unreported sums go to "(other)" beside it.
//
//go:norace
func (l *Lane) giveUp(n *node) {
	took, begun := l.unreported(n, 0)
	dropped.nodes.Add(begun)
	if kid := l.base[n.idx].kid; kid != 0 {
		other := l.node(kid)
		_, inside := l.unreported(other, 0)
		begun += inside
		other.extra.Load().transfer(n)
		l.vacate(other)
	}
	to, x := n.parent, n.extra.Load()
	l.vacate(n)
	if took != 0 || begun != 0 {
		to = l.other(to, true)
		l.give(to, took, begun)
	}
	x.transfer(to)
}

// vacate takes a closed node without children out of the tree. It keeps its zone, because its events stay in memory for
// a while. A late End of one of its scopes closes nothing.
//
//go:norace
func (l *Lane) vacate(n *node) {
	s := &l.base[n.idx]
	l.unlink(n)
	if x := n.extra.Load(); x != nil {
		if x.token != nil {
			x.token.parent = nil
		}
		n.extra.Store(nil)
		budget.Add(budget.Nodes, -extraBytes)
	}
	if n.key == keyLimit {
		l.folded--
	}
	n.kids = [kidSlots]*node{}
	n.sib = nil
	n.parent = nil
	n.key = keyRoot
	n.flag = flagVacant
	storeTicks(&n.acc, 0)
	s.hier, s.count, s.kid = 0, n.count, 0
	l.evictions.Put(n.idx, l.log.Position())
}

// unlink takes a node from its parent's children.
//
//go:norace
func (l *laneTree) unlink(n *node) {
	p := n.parent
	at := &p.kids[n.key>>kidShift%kidSlots]
	for *at != nil && *at != n {
		at = &(*at).sib
	}
	if *at == n {
		*at = n.sib
	} else {
		l.wide.remove(n)
	}
	kid := &l.base[p.idx].kid
	for *kid != n.idx {
		kid = &l.base[*kid].next
	}
	*kid = l.base[n.idx].next
}

// hasVacancy reports whether an evicted node may be reused for another stack. In a pause it may not: a hold would get
// its entries.
func (l *Lane) hasVacancy() bool {
	return l.evictions != nil && l.governed == nil && !l.paused && l.evictions.Any(l.log.Overwrote)
}
