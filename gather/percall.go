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
	zones.setCalls(z, on)
	settingsChanged()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	followLanes()
}

// SetPerCallOf is Zone.SetPerCall for a zone known by its number. Zone 0 and negative numbers are ignored.
func SetPerCallOf(zone ZoneID, on bool) {
	zones.mu.Lock()
	if zone > 0 {
		zones.markCalls(zone, on)
	}
	zones.mu.Unlock()
	settingsChanged()
}

// WantCalls has the calls of a zone counted for a display, until release is called. Counting stops when no display
// wants it and SetPerCall is off. Zone 0 is ignored. Any goroutine may call WantCalls and release. Further calls of
// release do nothing.
func WantCalls(zone ZoneID) (release func()) {
	zones.want(zone, 1)
	return sync.OnceFunc(func() { zones.want(zone, -1) })
}

func (t *zoneTable) want(zone ZoneID, displays int) {
	t.mu.Lock()
	if zone > 0 {
		w := t.calls[zone]
		w.displays += displays
		t.setWants(zone, w)
	}
	t.mu.Unlock()
	settingsChanged()
}

// callWants is who wants the calls of a zone counted.
type callWants struct {
	program  bool // SetPerCall is on
	displays int  // calls of WantCalls that have not been released
}

func (t *zoneTable) setCalls(z *Zone, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	z.perCall = on
	if id, known := t.public[z]; known {
		t.markCalls(id, on)
	}
}

func (t *zoneTable) markCalls(id ZoneID, on bool) {
	w := t.calls[id]
	w.program = on
	t.setWants(id, w)
}

func (t *zoneTable) setWants(id ZoneID, w callWants) {
	if t.calls == nil {
		t.calls = make(map[ZoneID]callWants)
	}
	if delete(t.calls, id); w != (callWants{}) {
		t.calls[id] = w
	}
	t.anyCalls.Store(len(t.calls) > 0)
}

// countsCalls reports whether the calls of a zone are counted.
func (t *zoneTable) countsCalls(zone ZoneID) bool {
	if !t.anyCalls.Load() {
		return false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.calls[zone] != callWants{}
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
