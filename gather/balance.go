//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/balance"
	"example.com/iprof/platform"
)

// A node is read after its parent. So the children of a node may have more time in a frame than the node itself.

// balance gives such a node the missing time. It takes it from the children with the most time. They get it back in the
// next frame. A form has no time of its own: the time of timed entries below it passed in the zone around.
func (w *walk) balance() {
	l, nodes := w.lane, w.out[w.start:]
	w.locate()
	spots := registry.updates.scratch.spots
	for i := len(nodes) - 1; i > 0; i-- {
		if n := &nodes[i]; spots[i].node.flag&flagUntimed != 0 {
			nodes[n.Parent].Self += n.Self
			n.Self = 0
		}
	}
	if l.holds { // they move time between nodes
		return
	}
	balance.Even(nodes, func(n *Node) (int32, *platform.Ticks) { return n.Parent, &n.Self },
		func(kid int32, part platform.Ticks) {
			if w.move && !w.frozen {
				l.seen[spots[kid].node.idx].hier -= part
			}
		})
}
