package export

import (
	"slices"

	"example.com/iprof/process/report"
)

// Delta returns the difference of two dumps of one session, as a dump with only zones and lanes. Make the dumps with
// DumpOptions{AllLanes: true}, so that lanes are not merged. If a lane ended meanwhile, its time may be charged to
// another lane. The sums of each stack over all lanes are exact. After a Reset between the two, Delta returns the
// second dump.
func Delta(before, after *report.Dump) *report.Dump {
	d := *after
	d.Merged = nil
	d.History = nil
	d.FrameTrees = nil
	d.Report = nil
	d.Lanes = make([]report.LaneTree, len(after.Lanes))
	for i, l := range after.Lanes {
		d.Lanes[i] = report.LaneTree{ID: l.ID, Name: l.Name, Nodes: slices.Clone(l.Nodes)}
	}
	if after.RunTime < before.RunTime {
		return &d
	}
	d.RunTime, d.Time = after.RunTime-before.RunTime, before.Time
	x := deltas{ids: map[edge]int32{}, lanes: map[laneStack]spent{}, rest: map[int32]spent{}}
	for i := range before.Lanes {
		x.subtract(&before.Lanes[i])
	}
	for i := range d.Lanes {
		x.add(&d.Lanes[i])
	}
	for i := range d.Lanes {
		x.charge(&d.Lanes[i])
	}
	return &d
}

// edge is a zone below a stack.
type edge struct {
	stack int32 // 0 without one
	zone  report.ZoneID
}

type laneStack struct {
	lane  report.LaneID
	stack int32
}

type spent struct{ ns, calls int64 }

type deltas struct {
	ids   map[edge]int32      // the number of a stack, from 1
	lanes map[laneStack]spent // of the first dump, as far as not yet compared with a node
	rest  map[int32]spent     // by stack, over all lanes: the difference not yet charged to a lane
	path  []int32             // the numbers of a lane's nodes
}

// stacks numbers the stacks of a lane's nodes.
func (x *deltas) stacks(nodes []report.TreeNode) []int32 {
	x.path = x.path[:0]
	for i := range nodes {
		e := edge{zone: nodes[i].Zone}
		if p := nodes[i].Parent; p >= 0 {
			e.stack = x.path[p]
		}
		if x.ids[e] == 0 {
			x.ids[e] = int32(len(x.ids) + 1)
		}
		x.path = append(x.path, x.ids[e])
	}
	return x.path
}

func (x *deltas) subtract(l *report.LaneTree) {
	for i, stack := range x.stacks(l.Nodes) {
		s := spentIn(&l.Nodes[i])
		at := laneStack{l.ID, stack}
		x.lanes[at] = spent{x.lanes[at].ns + s.ns, x.lanes[at].calls + s.calls}
		x.rest[stack] = spent{x.rest[stack].ns - s.ns, x.rest[stack].calls - s.calls}
	}
}

func (x *deltas) add(l *report.LaneTree) {
	for i, stack := range x.stacks(l.Nodes) {
		s := spentIn(&l.Nodes[i])
		x.rest[stack] = spent{x.rest[stack].ns + s.ns, x.rest[stack].calls + s.calls}
	}
}

// charge charges each node of a lane with its increase, but not with more than the increase of all lanes together.
func (x *deltas) charge(l *report.LaneTree) {
	for i, stack := range x.stacks(l.Nodes) {
		n, at := &l.Nodes[i], laneStack{l.ID, stack}
		s, had, rest := spentIn(n), x.lanes[at], x.rest[stack]
		x.lanes[at] = spent{max(had.ns-s.ns, 0), max(had.calls-s.calls, 0)} // for a second node of this stack
		ns := max(min(s.ns-had.ns, rest.ns), 0)
		calls := max(min(s.calls-had.calls, rest.calls), 0)
		x.rest[stack] = spent{rest.ns - ns, rest.calls - calls}
		n.Self, n.Count, n.Hier = float64(ns)/1e6, float64(calls), 0
	}
}

func spentIn(n *report.TreeNode) spent { return spent{nanoseconds(n.Self), int64(n.Count)} }
