//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// A node is read after its parent. So the children of a node may have more time in a frame than the node itself.

// balance gives such a node the missing time. It takes it from the children with the most time. They get it back in the
// next frame. A form has no time of its own: the time of timed entries below it passed in the zone around.
func (w *walk) balance() {
	l, nodes := w.lane, w.out[w.start:]
	hier := make([]platform.Ticks, len(nodes))
	w.locate()
	spots := registry.updates.scratch.spots
	for i := len(nodes) - 1; i > 0; i-- {
		if n := &nodes[i]; spots[i].node.flag&flagUntimed != 0 {
			nodes[n.Parent].Self += n.Self
			n.Self = 0
		}
		hier[i] += nodes[i].Self
		hier[nodes[i].Parent] += hier[i]
	}
	carry := w.move && !w.frozen
	for i := range nodes {
		for nodes[i].Self < 0 && !l.holds { // holds move time between nodes
			kid := largest(nodes, hier, int32(i))
			if kid < 0 {
				break
			}
			part := min(hier[kid], -nodes[i].Self)
			nodes[i].Self += part
			nodes[kid].Self -= part
			hier[kid] -= part
			if carry {
				l.seen[spots[kid].node.idx].hier -= part
			}
		}
	}
}

// largest returns the child with the most time, or -1 if no child has time.
func largest(nodes []Node, hier []platform.Ticks, parent int32) int32 {
	best := int32(-1)
	for i := parent + 1; int(i) < len(nodes); i++ {
		if nodes[i].Parent == parent && hier[i] > 0 && (best < 0 || hier[i] > hier[best]) {
			best = i
		}
	}
	return best
}
