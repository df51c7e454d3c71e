// Package balance evens out the times of a tree's nodes.
package balance

import "example.com/iprof/platform"

// Even gives nodes with a negative time what they lack. It takes that from their children with the most time, their
// own and their descendants' together. A parent precedes its children; the first node is the root. of returns a node's
// parent and its time, and taken is called with each time that a child gives.
func Even[Node any](nodes []Node, of func(*Node) (parent int32, time *platform.Ticks),
	taken func(child int32, part platform.Ticks),
) {
	all := make([]platform.Ticks, len(nodes)) // with the descendants'
	for i := len(nodes) - 1; i > 0; i-- {
		parent, time := of(&nodes[i])
		all[i] += *time
		all[parent] += all[i]
	}
	for i := range nodes {
		for _, lack := of(&nodes[i]); *lack < 0; {
			child := largest(nodes, of, all, int32(i))
			if child < 0 {
				break
			}
			part := min(all[child], -*lack)
			_, has := of(&nodes[child])
			*lack, *has, all[child] = *lack+part, *has-part, all[child]-part
			taken(child, part)
		}
	}
}

// largest returns the child with the most time, or -1 if no child has time.
func largest[Node any](nodes []Node, of func(*Node) (int32, *platform.Ticks), all []platform.Ticks,
	parent int32,
) int32 {
	best := int32(-1)
	for i := parent + 1; int(i) < len(nodes); i++ {
		if p, _ := of(&nodes[i]); p == parent && all[i] > 0 && (best < 0 || all[i] > all[best]) {
			best = i
		}
	}
	return best
}
