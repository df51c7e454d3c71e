package process

import (
	"math"

	"example.com/iprof/gather"
)

// with calls look while the unfinished frame is added. Lanes that no frame had are only passing: they leave no memory
// behind. A program that never calls Update has no others, and may have a million stacks.
func (t *tally) with(unfinished *gather.Frame, look func()) {
	t.collect()
	if t.tooLarge() { // unfinished frames may have left lanes and nodes
		t.foldHalf()
	}
	lanes := len(t.order)
	t.apply(unfinished, 1, true)
	defer func() {
		clear(t.order[lanes:])
		t.order = t.order[:lanes]
		t.apply(unfinished, -1, true)
	}()
	look()
}

// pass returns the sums of a lane not yet in the tally. It has no index of its paths unless it meets one twice.
func (t *tally) pass(lane *gather.LaneFrame, zones []gather.ZoneInfo) *laneTally {
	l := &laneTally{id: lane.ID, name: lane.Name, used: t.frames, cpu: lane.CPU}
	t.local = resized(t.local, len(lane.Nodes))
	for i := range lane.Nodes {
		t.local[i] = t.pathOf(&lane.Nodes[i], zones)
	}
	twice := t.meetsTwice(len(t.tree.Paths))
	if !twice {
		l.nodes = make([]tallyNode, len(lane.Nodes))
	}
	for i := range lane.Nodes {
		n, at := &lane.Nodes[i], int32(i)
		if twice {
			at = l.at(t.tree, t.local[i], math.MaxInt)
		} else {
			l.nodes[i] = tallyNode{path: t.local[i], parent: n.Parent, zone: n.Zone}
		}
		to := &l.nodes[at]
		to.self += n.Self
		to.count += uint64(n.Count)
		if n.Open {
			to.open = t.applied
		}
	}
	for i := range lane.Extras {
		x := &lane.Extras[i]
		at := x.Node
		if twice {
			at = l.at(t.tree, t.local[at], math.MaxInt)
		}
		l.nodes[at].extend(x, 1)
	}
	return l
}

// meetsTwice reports whether t.local has a path twice: a zone may have two nodes "(other)" below it, one for names and
// one for nodes beyond the limits.
func (t *tally) meetsTwice(paths int) (twice bool) {
	for len(t.met) < paths/64+1 {
		t.met = append(t.met, 0)
	}
	for _, path := range t.local {
		twice = twice || t.met.has(path)
		t.met.set(path)
	}
	for _, path := range t.local {
		t.met[path/64] = 0
	}
	return twice
}
