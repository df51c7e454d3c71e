package process

import (
	"cmp"
	"slices"

	"example.com/iprof/process/internal/history"
)

// tooLarge reports whether lanes are to be folded. If too few could be folded last time, it waits until there are twice
// as many.
func (t *tally) tooLarge() bool {
	return len(t.order) > max(tallyLanes, t.least.lanes) || t.nodes > max(tallyNodes, t.least.nodes)
}

// foldHalf folds half of the lanes: those longest unused, and none that is in use. A folded lane that comes back begins
// anew.
func (t *tally) foldHalf() {
	t.collect()
	t.forgetPlaces()
	byUse := slices.DeleteFunc(slices.Clone(t.order), func(l *laneTally) bool { return l.used+1 == t.frames })
	slices.SortStableFunc(byUse, func(a, b *laneTally) int { return cmp.Compare(a.used, b.used) })
	for _, l := range byUse[:min(len(byUse), (len(t.order)+1)/2)] {
		t.fold(l)
	}
	t.order = slices.DeleteFunc(t.order, func(l *laneTally) bool { return t.byID[l.id] != l })
	t.least.lanes, t.least.nodes = 2*len(t.order), 2*t.nodes
}

// fold adds the sums of a lane to the folded ones, and drops the lane.
func (t *tally) fold(l *laneTally) {
	if t.folded == nil {
		t.folded = &laneTally{name: foldedName}
	}
	t.folded.take(t.tree, l, mostFolded)
	t.nodes -= len(l.nodes)
	delete(t.byID, l.id)
	delete(t.serials, l.serial)
}

// take adds the sums of another lane. Paths beyond the limit count in the path above.
func (l *laneTally) take(paths *history.Tree, from *laneTally, limit int) {
	l.cpu += from.cpu
	for i := range from.nodes {
		n := &from.nodes[i]
		l.nodes[l.at(paths, n.path, limit)].add(n)
	}
}

// add adds the sums of another node.
func (n *tallyNode) add(from *tallyNode) {
	n.self += from.self
	n.count += from.count
	n.errors += from.errors
	n.variance, n.estimated = n.variance+from.variance, max(n.estimated, from.estimated)
	n.charge(from.charges)
	n.open = max(n.open, from.open)
}
