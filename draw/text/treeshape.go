package text

import (
	"slices"

	"example.com/iprof/process/report"
)

// atOnce reports whether the lanes have more time together than the program ran.
func atOnce(d *report.Dump, nodes []report.TreeNode) bool {
	return slices.ContainsFunc(nodes, func(n report.TreeNode) bool { return d.AtOnce(n.Hier) > 0 })
}

// keepNonzero reports for each node whether it has time, calls, charges or an open scope, or a descendant that has.
func keepNonzero(nodes []report.TreeNode) []bool {
	keep := make([]bool, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		keep[i] = keep[i] || n.Count != 0 || n.Self != 0 || n.Hier != 0 || n.Open || n.Left > 0 ||
			n.Charges != report.Charges{}
		if keep[i] && n.Parent >= 0 && int(n.Parent) < i {
			keep[n.Parent] = true
		}
	}
	return keep
}

// lastChildren reports for each kept node whether it is the last kept child of its parent, and no line for nodes left
// out follows.
func lastChildren(nodes []report.TreeNode, keep []bool) []bool {
	last := make([]bool, len(nodes))
	seen := make([]bool, len(nodes)+1) // by parent + 1
	for i := len(nodes) - 1; i >= 0; i-- {
		if parent := nodes[i].Parent + 1; keep[i] && parent >= 0 && int(parent) <= i {
			last[i] = !seen[parent] && (parent == 0 || nodes[parent-1].Left == 0)
			seen[parent] = true
		}
	}
	return last
}

// greatestSelf returns the largest self time of a node that is neither a root nor idle. heatColor compares with it.
func greatestSelf(nodes []report.TreeNode) float64 {
	greatest := 0.0
	for i := range nodes {
		if n := &nodes[i]; n.Level > 0 && !n.Idle {
			greatest = max(greatest, n.Self)
		}
	}
	return greatest
}

// rootTime returns the hierarchical time of all roots, in milliseconds.
func rootTime(nodes []report.TreeNode) float64 {
	sum := 0.0
	for i := range nodes {
		if nodes[i].Parent < 0 {
			sum += nodes[i].Hier
		}
	}
	return sum
}
