//go:build !iprof_off

package gather

import (
	"sync"

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
	zones.Do(z, func(id ZoneID, known bool) {
		if z.perCall = on; known {
			zones.perCall.Put(id, on)
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
		zones.perCall.Put(zone, on)
	}
	settingsChanged()
}

// WantCalls has the calls of a zone counted for a display, until release is called. Counting stops when no display
// wants it and SetPerCall is off. Zone 0 is ignored. Any goroutine may call WantCalls and release. Further calls of
// release do nothing.
func WantCalls(zone ZoneID) (release func()) {
	zones.showCalls(zone, true)
	return sync.OnceFunc(func() { zones.showCalls(zone, false) })
}

func (t *zoneTable) showCalls(zone ZoneID, on bool) {
	if zone > 0 {
		t.callsShown.Add(zone, on)
	}
	settingsChanged()
}

// countsCalls reports whether the calls of a zone are counted.
func (t *zoneTable) countsCalls(zone ZoneID) bool {
	return t.perCall.Has(zone) || t.callsShown.Has(zone)
}

// setCalls starts or stops counting a node's calls. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) setCalls(n *node, on bool) {
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
