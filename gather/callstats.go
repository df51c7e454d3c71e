//go:build !iprof_off

package gather

import (
	"slices"
	"sync/atomic"

	"example.com/iprof/gather/histogram"
	"example.com/iprof/gather/internal/calls"
	"example.com/iprof/platform"
)

// AppendCalls appends the durations of single calls, one element for each distinct stack of zones. A zone with
// SetPerCall has all calls since then. Other zones have the calls that the events in memory still show: see SetEvents.
// Elements beyond dst's length are reused. Any goroutine may call it. It copies all histograms and reads all events,
// which may take milliseconds.
func AppendCalls(dst []Calls) []Calls {
	registry.mu.Lock()
	lanes := slices.Clone(registry.lanes)
	registry.mu.Unlock()
	for _, l := range lanes {
		dst = l.appendCalls(dst)
	}
	return dst
}

func (l *Lane) appendCalls(dst []Calls) []Calls {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pokeStale()
	if l.log == nil && l.counting == 0 {
		return dst
	}
	for i := range l.seen {
		n := l.node(uint32(i))
		if x := n.extra.Load(); x != nil && x.calls != nil && !n.inHold() {
			dst = l.grow(dst, uint32(i))
			c := &dst[len(dst)-1]
			c.Missing = x.calls.ReadTo(&c.Histogram, loadEntries(n))
		}
	}
	if l.log.Keeps() {
		dst = l.callsFromEvents(dst)
	}
	return dst
}

// grow appends an empty element for node i. It reuses the memory of an element beyond dst's length.
func (l *Lane) grow(dst []Calls, i uint32) []Calls {
	dst = slices.Grow(dst, 1)
	dst = dst[:len(dst)+1]
	c := &dst[len(dst)-1]
	*c = Calls{Lane: l.id, Node: l.seen[i].id, Zone: l.seen[i].zone,
		Histogram: histogram.Histogram{Buckets: c.Buckets[:0]}}
	return dst
}

func loadEntries(n *node) uint64 { return atomic.LoadUint64(&n.count) }

// callsFromEvents adds the calls in the log. It skips nodes that have a histogram, and nodes of holds.
func (l *Lane) callsFromEvents(dst []Calls) []Calls {
	first, place := len(dst), make(map[uint32]int)
	l.log.EachCall(func(what uint64, took platform.Ticks) {
		i := uint32(what >> 1)
		if int(i) >= len(l.seen) {
			return
		}
		if n := l.node(i); n.flag&flagCalls != 0 || n.inHold() {
			return
		}
		if _, known := place[i]; !known {
			place[i] = len(dst)
			dst = l.grow(dst, i)
			dst[place[i]].FromEvents = true
		}
		dst[place[i]].Add(took)
	})
	for i, at := range place {
		dst[at].Missing = calls.Missing(loadEntries(l.node(i)), l.log.Before(i), dst[at].Count)
	}
	slices.SortFunc(dst[first:], func(a, b Calls) int { return int(a.Node) - int(b.Node) })
	return dst
}
