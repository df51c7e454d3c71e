//go:build !iprof_off

package measure

import (
	"slices"
	"sort"
	"sync"

	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/internal/measure/internal/calls"
	"example.com/iprof/platform"
)

// SetPerCall starts or stops a histogram of the durations of the zone's calls: see AppendCalls. Calls that take far
// longer than usual are in Frame.SlowCalls. Stopping forgets the histogram. It does not count a call that is open now.
// A call includes time during which recording is off. Lanes start and stop at their next Begin or End. A nil zone is
// ignored. Any goroutine may call it. On lanes that count the calls of any zone, all zones cost as much as with
// SetEvents (BenchmarkPerCall).
func (z *Zone) SetPerCall(on bool) {
	if z == nil {
		return
	}
	useSingly()
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

// SetPerCallOf is Zone.SetPerCall for a zone by its number. It ignores zone 0 and negative numbers.
func SetPerCallOf(zone ZoneID, on bool) {
	if useSingly(); zone > 0 {
		zones.perCall.put(zone, on)
	}
	settingsChanged()
}

// WantCalls counts the calls of a zone for a display until it calls release. Counting stops when no display wants it
// and SetPerCall is off. WantCalls ignores zone 0, and release ignores further calls. Any goroutine may call both.
func WantCalls(zone ZoneID) (release func()) {
	want := func(on bool) {
		if zone > 0 {
			zones.callsShown.add(zone, on)
		}
		settingsChanged()
	}
	useSingly()
	want(true)
	return sync.OnceFunc(func() { want(false) })
}

// CountsCalls reports whether any zone has SetPerCall. Any goroutine may call it.
func CountsCalls() bool { return zones.perCall.hasAny() }

// AppendCalls appends the durations of single calls, one element for each distinct stack of zones. A zone with
// SetPerCall has all calls since then. Other zones have the calls in the events in memory: see SetEvents. It reuses
// elements beyond dst's length. Any goroutine may call it. It copies all histograms and reads all events, which may
// take milliseconds.
func AppendCalls(dst []Calls) []Calls { return appendCalls(dst, true) }

// AppendCounted is AppendCalls without calls from events. While no calls are counted it does nothing.
func AppendCounted(dst []Calls) []Calls { return appendCalls(dst, false) }

func appendCalls(dst []Calls, events bool) []Calls {
	if !events && !zones.perCall.hasAny() && !zones.callsShown.hasAny() {
		return dst
	}
	registry.mu.Lock()
	lanes, read := slices.Clone(registry.lanes), singly.read
	registry.mu.Unlock()
	if read == nil {
		return dst
	}
	for _, l := range lanes {
		dst = read(l, dst, events)
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
	for i := range l.base {
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
	*c = Calls{Lane: l.id, Node: l.base[i].id, Zone: l.base[i].zone,
		Histogram: histogram.Histogram{Buckets: c.Buckets[:0]}}
	return dst
}

// callsFromEvents adds the calls in the log. It skips nodes that have a histogram, and nodes of holds.
func (l *Lane) callsFromEvents(dst []Calls) []Calls {
	first, place := len(dst), make(map[uint32]int)
	l.log.EachCall(func(what uint64, took platform.Ticks) {
		i := uint32(what >> 1)
		if int(i) >= len(l.base) || l.node(i).flag&flagCalls != 0 || l.node(i).inHold() {
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

// byNode sorts calls. A generic sort of such large elements would add 30 kB to each program.
type byNode []Calls

func (b byNode) Len() int           { return len(b) }
func (b byNode) Less(i, k int) bool { return b[i].Node < b[k].Node }
func (b byNode) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }

// useSingly turns on the functions of singly.
func useSingly() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	singly.judge, singly.report, singly.read = judgeCall, slowCalls.report, (*Lane).appendCalls
}
