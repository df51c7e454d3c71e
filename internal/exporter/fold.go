package exporter

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// folder folds stacks that are too deep: formats that write each stack whole grow with the square of the depth. A node
// below the limit gives its time to its deepest ancestor within the limit.
type folder struct {
	depth  int
	calls  uint64 // of folded nodes
	levels []int
	place  []int32
	nodes  []gather.Node
	extras []gather.NodeExtra
}

// fold folds the lanes of a frame that are too deep. Nearly all lanes stay unchanged.
func (x *folder) fold(f *gather.Frame) {
	for i := range f.Lanes {
		if l := &f.Lanes[i]; len(l.Nodes) > x.depth {
			x.lane(l)
		}
	}
}

// lane folds a lane. It changes the nodes in place, in the frame's memory.
func (x *folder) lane(l *gather.LaneFrame) {
	x.levels = x.levels[:0]
	x.place = x.place[:0]
	x.nodes = x.nodes[:0]
	x.extras = x.extras[:0]
	for i := range l.Nodes {
		n := l.Nodes[i]
		level, at := 0, int32(len(x.nodes))
		if n.Parent >= 0 {
			level, n.Parent = x.levels[n.Parent]+1, x.place[n.Parent]
		}
		if level >= x.depth {
			at = n.Parent
			x.nodes[at].Self += n.Self
			x.calls += uint64(n.Count)
		} else {
			x.nodes = append(x.nodes, n)
		}
		x.levels, x.place = append(x.levels, level), append(x.place, at)
	}
	if len(x.nodes) == len(l.Nodes) {
		return
	}
	for _, e := range l.Extras {
		if x.levels[e.Node] < x.depth {
			e.Node = x.place[e.Node]
			x.extras = append(x.extras, e)
		}
	}
	l.Nodes = l.Nodes[:copy(l.Nodes, x.nodes)]
	l.Extras = l.Extras[:copy(l.Extras, x.extras)]
}

// foldTree folds the stacks of a lane that are too deep, and returns the number of folded calls.
func foldTree(l *report.LaneTree, depth int) (calls uint64) {
	var levels []int
	var place []int32
	kept := l.Nodes[:0]
	for _, n := range l.Nodes {
		level, at := 0, int32(len(kept))
		if n.Parent >= 0 {
			level, n.Parent = levels[n.Parent]+1, place[n.Parent]
		}
		if level >= depth {
			at = n.Parent
			kept[at].Self += n.Self
			calls += uint64(math.Round(max(n.Count, 0)))
		} else {
			kept = append(kept, n)
		}
		levels, place = append(levels, level), append(place, at)
	}
	l.Nodes = kept
	return calls
}
