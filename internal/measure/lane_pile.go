//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// A pile is a stack of open scopes of one zone, entered in one stack frame. Causes are a loop that forgets or defers
// End, and a program with its own stack, such as an interpreter. A pile has few nodes: the highest one counts the
// entries above it as its own, so they take no memory. Other zones may lie below that node as usual. A zone that calls
// itself very often has as few nodes, but is no mistake.
const (
	mostPiled = 64  // nodes
	fewPiled  = 4   // nodes that are a mistake if the lowest is older than oldPile, and no End has come
	oldPile   = 0.5 // seconds
)

// pile finds the open nodes from n down with n's zone and stack frame. It returns the lowest, the one above it, and
// their number.
//
//go:norace
func (l *laneTree) pile(n *node) (lowest, second *node, size int) {
	depth := l.base[n.idx].stack & stackDepth
	if depth == 0 || n.acc >= 0 {
		return nil, nil, 0
	}
	lowest, second, size = n, n, 1
	for up := n.parent; up != nil && up.key == n.key && size < mostPiled; up = up.parent {
		if l.base[up.idx].stack&stackDepth != depth || up.acc >= 0 {
			break
		}
		lowest, second, size = up, lowest, size+1
	}
	return lowest, second, size
}

// isPiled reports whether the node counts entries of a zone as its own, because its pile has the greatest height, or
// its recursion the greatest depth.
//
//go:norace
func (l *Lane) isPiled(n *node, key uint64) bool {
	if n.key != key || n.flag&flagPiled != 0 {
		return n.key == key
	}
	if !l.isDeep(n) {
		if _, _, size := l.pile(n); size < mostPiled {
			return false
		}
	}
	n.flag |= flagPiled
	if x := n.more(); x.token == nil {
		x.token = &node{slot: l.slot, parent: n, flag: flagToken, idx: n.idx}
	}
	return true
}

// isDeep reports whether the node counts entries of its zone as its own, because the zone has called itself so often.
// An entry with data of its own has a node at any depth.
//
//go:norace
func (l *Lane) isDeep(n *node) bool {
	return l.base[n.idx].depth >= MaxRecursion-1 && n.flag&(flagHeld|flagCalls|flagWatch) == 0 && l.governed == nil
}

// pileOn counts an entry in the highest node of a pile.
//
//go:norace
func (l *Lane) pileOn(n *node, t platform.Ticks) Scope {
	x := n.extra.Load()
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
	if x := n.extra.Load(); x.piled > 0 {
		x.piled--
		return
	}
	noteMisuse(mistakes.ExtraEnd, l.base[n.idx].zone)
}

// clearPile counts the entries that have not ended when the highest node of a pile is closed. A recursion will come as
// deep again.
//
//go:norace
func (l *Lane) clearPile(n *node) {
	if !l.isDeep(n) {
		n.flag &^= flagPiled
	}
	x := n.extra.Load()
	misuse.Count(mistakes.MissingEnd, x.piled)
	x.piled = 0
}

// notePile reports an old pile as a mistake of its zone. It does not if the second node has ended before: then Ends do
// come.
//
//go:norace
func (l *Lane) notePile(n *node, t platform.Ticks) {
	_, second, size := l.pile(n)
	if size >= fewPiled && second.count-1 <= second.abandoned() &&
		float64(t+second.acc) > oldPile*platform.TicksPerSecond() {
		noteMisuse(mistakes.Piled, l.base[n.idx].zone)
	}
}

// abandoned returns the number of times that the node was closed on top of itself for a missing End.
//
//go:norace
func (n *node) abandoned() uint64 {
	if x := n.extra.Load(); x != nil {
		return x.abandoned
	}
	return 0
}
