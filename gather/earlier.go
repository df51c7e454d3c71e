//go:build !iprof_off

package gather

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// Lanes that have ended are kept until the next Collect. Where that does not come, as in a program that never calls Update, they
// make room for others when there are too many: what they have to tell goes to one lane, which is nobody's. It is also what
// keeps the calls that SetPerCall counts.

// earlierName is what package process calls lanes that were too many, too.
const earlierName = "(earlier lanes)"

// earlierLane returns the lane of those that made room. Its number is no other lane's. The registry's mutex is held.
func earlierLane() *Lane {
	if len(registry.lanes) > 0 && registry.lanes[0].id == 0 {
		return registry.lanes[0]
	}
	l := &Lane{slot: new(platform.Slot), name: earlierName, named: true, frozen: off != 0, generation: wanted.generation.Load()}
	l.root = l.add(nil, keyRoot, 0)
	l.slot.Lane, l.slot.Cur, l.cur = unsafe.Pointer(l), unsafe.Pointer(l.root), l.root
	registry.lanes = slices.Insert(registry.lanes, 0, l)
	return l
}

// leastEndings is how many lanes must have ended for it to pay to make room.
func leastEndings() int { return max(limits().Lanes/16, 1) }

// makeRoom drops the lanes that have ended. The registry's mutex is held.
func makeRoom() {
	if registry.endings < leastEndings() {
		return
	}
	earlier := earlierLane()
	registry.lanes = slices.DeleteFunc(registry.lanes, func(l *Lane) bool {
		if !l.ended || l.governed != nil || l.holds { // these only Collect understands
			return false
		}
		earlier.absorb(l)
		l.drop()
		return true
	})
	registry.endings = 0
}

// keepCalls drops lanes that have told all but the calls counted on them.
func keepCalls(lanes []*Lane) {
	earlier := earlierLane()
	for _, l := range lanes {
		earlier.absorb(l)
		l.drop()
	}
}

// absorb adds what a lane that has ended did and has not told. The registry's mutex is held.
//
//go:norace
func (l *Lane) absorb(from *Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from.mu.Lock()
	defer from.mu.Unlock()
	l.hear()
	t := max(platform.Now(), from.read)
	to := make([]*node, len(from.seen))
	to[0] = l.root
	from.root.extra.Load().tellTo(l.root)
	for i := 1; i < len(to); i++ {
		n, s := from.node(uint32(i)), &from.seen[i]
		under := to[s.parent]
		if to[i] = under; under.flag&flagFolded == 0 {
			to[i] = l.partner(under, n.key, s.zone)
		}
		took, begun := from.unreported(n, t)
		if s.parent == 0 { // the root has the time of no goroutine, so none of its own
			l.give(l.root, took, 0)
		}
		switch {
		case to[i] != under:
			l.give(to[i], took, begun)
		case under.flag&flagFolded != 0: // its time is in that of the node above it already
			l.give(under, 0, begun)
			fallthrough
		default:
			dropped.nodes.Add(begun)
		}
		n.extra.Load().tellTo(to[i])
	}
	from.tellCounters()
}

// tellTo adds what has not been reported to another lane's node.
//
//go:norace
func (x *extra) tellTo(n *node) {
	if x == nil {
		return
	}
	for i := range x.sums {
		if more := x.sums[i].Load() - x.was[i]; more != 0 {
			n.more().sums[i].Add(more)
		}
	}
	if c := x.calls; c != nil {
		c.moveTo(n, max(c.prev, c.base)-c.base)
	}
}

// tellCounters adds what was counted by name, and has not been reported, to what is counted without a lane.
func (l *Lane) tellCounters() {
	if l.counters == nil {
		return
	}
	for i := range l.counters.slots {
		c := &l.counters.slots[i]
		switch at := platform.Ticks(atomic.LoadInt64((*int64)(&c.at))); {
		case c.text == nil:
		case c.size&level != 0:
			counterNames.latest(c.id, c.sum, at)
		default:
			counterNames.count(c.id, int(c.sum-c.was))
		}
	}
}

// follow does what is wanted of lanes, which is nobody else's to do on this one.
func (l *Lane) follow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hear()
}
