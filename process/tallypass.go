package process

import "example.com/iprof/gather"

// with calls look while the unfinished frame is added. Lanes that no frame had are only passing: they leave no memory
// behind. A program that never calls Update has no others, and may have a million stacks.
func (t *tally) with(s *Session, unfinished *gather.Frame, look func()) {
	t.collect(s)
	if t.tooLarge() { // unfinished frames may have left lanes and nodes
		t.foldHalf(s)
	}
	lanes := len(t.order)
	t.apply(s, unfinished, 1, true)
	defer func() {
		clear(t.order[lanes:])
		t.order = t.order[:lanes]
		t.apply(s, unfinished, -1, true)
	}()
	look()
}

// pass returns the sums of a lane of which nothing is known. It has no index of its paths, because each of its nodes is
// met once.
func (t *tally) pass(s *Session, f *gather.Frame, lane *gather.LaneFrame) *laneTally {
	l := &laneTally{id: lane.ID, name: lane.Name, used: t.frames, cpu: lane.CPU}
	l.nodes = make([]tallyNode, len(lane.Nodes))
	t.local = resized(t.local, len(lane.Nodes))
	for i := range lane.Nodes {
		n := &lane.Nodes[i]
		t.local[i] = t.pathOf(s, f, n)
		to := &l.nodes[i]
		*to = tallyNode{path: t.local[i], parent: n.Parent, zone: n.Zone, self: n.Self, count: uint64(n.Count)}
		if n.Open {
			to.open = t.applied
		}
	}
	for i := range lane.Extras {
		l.nodes[lane.Extras[i].Node].extend(&lane.Extras[i], 1)
	}
	return l
}

// entriesOf returns the number of entries of a lane.
func entriesOf(lane *gather.LaneFrame) (entries uint64) {
	for i := range lane.Nodes {
		entries += uint64(lane.Nodes[i].Count)
	}
	for i := range lane.Extras {
		entries += uint64(lane.Extras[i].More) << 32
	}
	return entries
}
