package sampledump

import (
	"cmp"
	"slices"

	"example.com/iprof/process/report"
)

// sorted returns nodes in preorder, with children sorted by hierarchical time, largest first.
func sorted(nodes []report.TreeNode) []report.TreeNode {
	children := make(map[int32][]int32, len(nodes))
	for i := range nodes {
		children[nodes[i].Parent] = append(children[nodes[i].Parent], int32(i))
	}
	out := make([]report.TreeNode, 0, len(nodes))
	var emit func(from, parent int32)
	emit = func(from, parent int32) {
		below := children[from]
		slices.SortStableFunc(below, func(a, b int32) int { return cmp.Compare(nodes[b].Hier, nodes[a].Hier) })
		for _, i := range below {
			n := nodes[i]
			n.Parent = parent
			out = append(out, n)
			emit(i, int32(len(out)-1))
		}
	}
	emit(-1, -1)
	return out
}
