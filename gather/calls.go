//go:build !iprof_off

package gather

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"example.com/iprof/gather/histogram"
	"example.com/iprof/gather/internal/calls"
	"example.com/iprof/platform"
)

// SetPerCall starts or stops a histogram of the durations of the zone's calls: see AppendCalls. Stopping forgets it. A
// call that is open now is not counted. The time during which recording is off counts in a call that is open meanwhile.
// Lanes start and stop at their next Begin or End. A nil zone is ignored. Any goroutine may call it. On lanes that
// count the calls of any zone, all zones cost as much as with SetEvents (BenchmarkPerCall).
func (z *Zone) SetPerCall(on bool) {
	if z == nil {
		return
	}
	zones.do(z, func(id ZoneID, known bool) {
		if z.perCall = on; known {
			zones.perCall.put(id, on)
		}
	})
	settingsChanged()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	followLanes()
}

// SetPerCallOf is Zone.SetPerCall for a zone known by its number. Zone 0 and negative numbers are ignored.
func SetPerCallOf(zone ZoneID, on bool) {
	if zone > 0 {
		zones.perCall.put(zone, on)
	}
	settingsChanged()
}

// WantCalls has the calls of a zone counted for a display, until release is called. Counting stops when no display
// wants it and SetPerCall is off. Zone 0 is ignored, and so are further calls of release. Any goroutine may call both.
func WantCalls(zone ZoneID) (release func()) {
	want := func(on bool) {
		if zone > 0 {
			zones.callsShown.add(zone, on)
		}
		settingsChanged()
	}
	want(true)
	return sync.OnceFunc(func() { want(false) })
}

// CountsCalls reports whether any zone has SetPerCall. Any goroutine may call it.
func CountsCalls() bool { return zones.perCall.hasAny() }

// countsCalls reports whether the calls of a zone are counted.
func (t *zoneTable) countsCalls(zone ZoneID) bool {
	return t.perCall.has(zone) || t.callsShown.has(zone)
}

// setCalls starts or stops counting a node's calls. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *laneOptions) setCalls(n *node, on bool) {
	switch was := n.flag&flagCalls != 0; {
	case on && !was:
		if c := calls.New(n.acc, n.count); c != nil {
			n.more().calls = c
			n.flag |= flagCalls
			l.counting++
		}
	case !on && was:
		n.flag &^= flagCalls
		l.counting--
		n.more().calls.Free()
		n.more().calls = nil
	}
}

// called counts the call that has just ended and brought acc to its present value.
//
//go:norace
//go:noinline
func called(n *node, acc platform.Ticks) { n.extra.Load().calls.Count(acc) }

// AppendCalls appends the durations of single calls, one element for each distinct stack of zones. A zone with
// SetPerCall has all calls since then. Other zones have the calls that the events in memory still show: see SetEvents.
// Elements beyond dst's length are reused. Any goroutine may call it. It copies all histograms and reads all events,
// which may take milliseconds.
func AppendCalls(dst []Calls) []Calls { return appendCalls(dst, true) }

// AppendCounted is AppendCalls without the calls that only events show. While no calls are counted it does nothing.
func AppendCounted(dst []Calls) []Calls { return appendCalls(dst, false) }

func appendCalls(dst []Calls, events bool) []Calls {
	if !events && !zones.perCall.hasAny() && !zones.callsShown.hasAny() {
		return dst
	}
	registry.mu.Lock()
	lanes := slices.Clone(registry.lanes)
	registry.mu.Unlock()
	for _, l := range lanes {
		dst = l.appendCalls(dst, events)
	}
	return dst
}

func (l *Lane) appendCalls(dst []Calls, events bool) []Calls {
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
	if events && l.log.Keeps() {
		dst = l.callsFromEvents(dst)
	}
	return dst
}

// grow appends an empty element for node i. It reuses the memory of an element beyond dst's length.
func (l *Lane) grow(dst []Calls, i uint32) []Calls {
	dst = slices.Grow(dst, 1)[:len(dst)+1]
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
		if int(i) >= len(l.seen) || l.node(i).flag&flagCalls != 0 || l.node(i).inHold() {
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
	sort.Sort(byNode(dst[first:]))
	return dst
}

// byNode sorts calls. A generic sort of so large elements would add 30 kB to each program.
type byNode []Calls

func (b byNode) Len() int           { return len(b) }
func (b byNode) Less(i, k int) bool { return b[i].Node < b[k].Node }
func (b byNode) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
