//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/mistakes"
	"example.com/iprof/platform"
)

// A pile is a stack of open scopes of one zone that were entered in one stack frame. A loop forgets End, or defers it;
// or the program keeps a stack of its own, as interpreters do. Its nodes are few: its highest one counts the entries
// above it as its own, and so costs no memory. Other zones are below that node as below any.
const (
	mostPiled = 64  // nodes
	fewPiled  = 4   // that are a mistake if the lowest is older than oldPile, and no End has come
	oldPile   = 0.5 // seconds
)

// pile returns the lowest of the open nodes from n down that have n's zone and stack frame, the one above it, and how
// many there are.
//
//go:norace
func (l *laneTree) pile(n *node) (lowest, second *node, size int) {
	depth := l.seen[n.idx].stack & stackDepth
	if depth == 0 || n.acc >= 0 {
		return nil, nil, 0
	}
	lowest, second, size = n, n, 1
	for up := n.parent; up != nil && up.key == n.key && size < mostPiled; up = up.parent {
		if l.seen[up.idx].stack&stackDepth != depth || up.acc >= 0 {
			break
		}
		lowest, second, size = up, lowest, size+1
	}
	return lowest, second, size
}

// isPiled reports whether entries of a zone belong to the node, because its pile is as high as piles become.
//
//go:norace
func (l *Lane) isPiled(n *node, key uint64) bool {
	if n.key != key || n.flag&flagPiled != 0 || n.parent == nil || n.parent.key != key {
		return n.key == key && n.flag&flagPiled != 0
	}
	if _, _, size := l.pile(n); size < mostPiled {
		return false
	}
	n.flag |= flagPiled
	if x := n.more(); x.token == nil {
		x.token = &node{slot: l.slot, parent: n, flag: flagToken, idx: n.idx}
	}
	return true
}

// pileOn counts an entry in the highest node of a pile.
//
//go:norace
func (l *Lane) pileOn(n *node, t platform.Ticks) Scope {
	x := n.more()
	if x.piled++; x.piled%16 == 1 {
		l.notePile(n, t)
	}
	n.count++
	return scopeOf(x.token)
}

// unpile ends an entry of pileOn.
//
//go:norace
func (l *Lane) unpile(n *node) {
	if x := n.more(); x.piled > 0 {
		x.piled--
		return
	}
	noteMisuse(mistakes.ExtraEnd, l.seen[n.idx].zone)
}

// clearPile counts the entries that have not ended when the highest node of a pile is closed.
//
//go:norace
func (l *Lane) clearPile(n *node) {
	n.flag &^= flagPiled
	misuse.Count(mistakes.MissingEnd, n.more().piled)
	n.more().piled = 0
}

// notePile names the zone of a pile that is old. If its second node has ended before, Ends do come.
//
//go:norace
func (l *Lane) notePile(n *node, t platform.Ticks) {
	_, second, size := l.pile(n)
	if size >= fewPiled && second.count-1 <= second.abandoned() &&
		float64(t+second.acc) > oldPile*platform.TicksPerSecond() {
		noteMisuse(mistakes.Piled, l.seen[n.idx].zone)
	}
}

// abandoned returns how often the node was closed because its End was missing, on top of itself.
//
//go:norace
func (n *node) abandoned() uint64 {
	if x := n.extra.Load(); x != nil {
		return x.abandoned
	}
	return 0
}
