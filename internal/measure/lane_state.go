//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// raised is the reading that raise replaced, and the time it wrote.
type raised struct{ from, to platform.Ticks }

// credit is a hold's time that a node gets at the end of the pause.
type credit struct {
	node    uint32
	time    platform.Ticks
	entries uint64
}

// enclosers holds the time that enclosing zones owe to nodes inside them. The zero value is empty.
type enclosers struct {
	at   quiet.Index // of indexes of nodes, in list
	list []governor.Encloser
}

func (a *enclosers) of(node uint32) governor.Encloser {
	if at, known := a.at.Find(uintptr(node) + 1); known {
		return a.list[at]
	}
	return governor.Encloser{}
}

func (a *enclosers) set(node uint32, to governor.Encloser) {
	at, known := a.at.Find(uintptr(node) + 1)
	if !known {
		at = int32(len(a.list))
		a.at.Set(uintptr(node)+1, at)
		a.list = append(a.list, to)
	}
	a.list[at] = to
}

// governed is the governor's data on a lane. The lane's mutex guards it.
type governed struct {
	governor.Policy
	ghost     platform.Slot // of forms; it leads to the lane and has no open node: see end
	forms     []*node       // parents first
	enclosers enclosers
}

// wants reports whether to demote node i of the lane.
func (g *governed) wants(i uint32) bool { return g != nil && g.Wants(i) }

// laneParking tells whether Collect visits the lane. The lane's mutex guards it.
type laneParking struct {
	parked   bool           // not in registry.awake; written with both mutexes held
	quiet    int32          // reports in a row without activity
	parkedAt uint64         // number of frames at its parking, or at the last look at it
	wokeAt   platform.Ticks // time of waking
	nextWoke *Lane          // next in the stack woken
}

// laneProxy is the data of a lane parked inside zones. Both mutexes guard it, except for resumed, which only the lane's
// guards.
type laneProxy struct {
	proxy     *Lane          // of its crowd, while it is parked inside zones
	proxyNode uint32         // the innermost node there
	resumed   platform.Ticks // the time at which it goes on
	proxied   *proxied       // of a proxy itself
}

// proxied counts the lanes that are parked inside zones, for their proxy. The registry's mutex guards it.
type proxied struct {
	counts []proxiedCount // by node
}

// proxiedCount counts the lanes parked in a node or below. Their parked time that the node does not yet have is
// number*now - since. Both terms may wrap around; the difference is right.
type proxiedCount struct {
	number   int32
	arrivals platform.Ticks // sum of the times at which the lanes came
}

// any reports whether lanes are parked in a node, or its time still lacks theirs.
func (s *proxied) any(node uint32) bool {
	return s != nil && int(node) < len(s.counts) && s.counts[node] != proxiedCount{}
}

// add adds a lane to a node and its ancestors, from a time on. With number -1 it removes one.
//
//go:norace
func (s *proxied) add(n *node, number int32, t platform.Ticks) {
	for ; n != nil; n = n.parent {
		for len(s.counts) <= int(n.idx) {
			s.counts = append(s.counts, proxiedCount{})
		}
		in := &s.counts[n.idx]
		in.number += number
		in.arrivals += platform.Ticks(number) * t
	}
}
