//go:build !iprof_off

package gather

import (
	"slices"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/numbers"
	"example.com/iprof/platform"
)

// Lanes that have ended are kept until the next Collect. A program may never call Update, and then no Collect comes. So
// when there are too many ended lanes, they are merged into one lane, "(earlier lanes)", which belongs to no goroutine.
// That lane also keeps the calls of SetPerCall.

// earlierName is also package process's name for lanes that it has merged.
const earlierName = "(earlier lanes)"

// earlierLane returns the lane "(earlier lanes)", which it makes on first use. Its number is 0. The registry's mutex is
// held.
func earlierLane() *Lane {
	if len(registry.lanes) > 0 && registry.lanes[0].id == 0 {
		return registry.lanes[0]
	}
	budget.Add(budget.Lanes, laneBytes)
	l := &Lane{slot: new(platform.Slot), name: earlierName, named: true, frozen: off != 0}
	l.generation = wanted.generation.Load()
	l.plant(0)
	registry.lanes = slices.Insert(registry.lanes, 0, l)
	return l
}

// leastEndings is the number of ended lanes from which on merging them is worth its time.
func leastEndings() int { return max(limits().Lanes/16, 1) }

// makeRoom merges and drops the lanes that have ended. The registry's mutex is held.
func makeRoom() {
	if registry.endings < leastEndings() {
		return
	}
	earlier := earlierLane()
	registry.lanes = slices.DeleteFunc(registry.lanes, func(l *Lane) bool {
		if !l.ended || l.record || l.governed != nil || l.holds { // only Collect can read these
			return false
		}
		earlier.absorb(l)
		l.drop()
		return true
	})
	registry.endings = 0
}

// keepCalls drops lanes that have been reported, but keeps the calls counted on them.
func keepCalls(lanes []*Lane) {
	earlier := earlierLane()
	for _, l := range lanes {
		earlier.absorb(l)
		l.drop()
	}
}

// absorb adds the measurements of an ended lane that have not been reported. The registry's mutex is held.
//
//go:norace
func (l *Lane) absorb(from *Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from.mu.Lock()
	defer from.mu.Unlock()
	l.applySettings()
	l.slowTime.Add(from.slowTime.Since(true))
	t := max(platform.Now(), from.read)
	to := make([]*node, len(from.seen))
	to[0] = l.root
	from.root.extra.Load().giveTo(l.root)
	for i := 1; i < len(to); i++ {
		n, s := from.node(uint32(i)), &from.seen[i]
		under := to[s.parent]
		if to[i] = under; under.flag&flagFolded == 0 {
			to[i] = l.partner(under, n.key, s.zone)
		}
		took, begun := from.unreported(n, t)
		took = max(took, 0) // it may be a few ticks below 0: see short
		if s.parent == 0 {  // the root's time grows with its children's, as no goroutine's time passes on it
			l.give(l.root, took, 0)
		}
		switch {
		case to[i] != under:
			l.give(to[i], took, begun)
		case under.flag&flagFolded != 0: // its time is already in the folded node's
			l.give(under, 0, begun)
			fallthrough
		default:
			dropped.nodes.Add(begun)
		}
		if charged := n.extra.Load().giveTo(to[i]); took == 0 && (begun > 0 || charged) {
			l.mustVisit(to[i]) // the reader passes over nodes without time, and over all below them
		}
	}
	from.counters.GiveTo(&counterTable)
}

// giveTo gives an ended lane's node's sums and calls to a node that takes its place. It reports whether there were any
// sums.
func (x *extra) giveTo(n *node) (any bool) {
	if any = x.transfer(n); x != nil && x.calls != nil {
		x.calls.MoveTo(n.more().calls, x.calls.Sum())
	}
	return any
}

// nodeIDs numbers the nodes.
var nodeIDs numbers.Pool

func (l *Lane) giveIDsBack() {
	for i := range l.seen {
		nodeIDs.GiveBack(uint32(l.seen[i].id))
	}
}
