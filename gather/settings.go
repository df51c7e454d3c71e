//go:build !iprof_off

package gather

import (
	"math/bits"
	"sync/atomic"

	"example.com/iprof/gather/internal/eventlog"
)

// wanted has the settings that lanes follow. A lane compares its generation with this one whenever it takes the slow
// path.
var wanted struct {
	generation atomic.Uint32
	events     atomic.Int64 // per lane
}

// SetEvents makes every lane keep its latest events: the beginnings and ends of scopes. perLane is rounded up to a
// power of two from 64 to 1,048,576. 0 or less, the default, keeps none. An event takes 16 bytes, allocated as events
// come in. All lanes together use at most half of Limits.Bytes; beyond that a lane keeps fewer. The oldest events are
// overwritten, and Dropped.Events counts them. A lane starts at its next Begin or End. Any goroutine may call it.
func SetEvents(perLane int) {
	if perLane > 0 {
		perLane = 1 << bits.Len(uint(min(max(perLane, eventlog.Least), eventlog.Most)-1))
	}
	wanted.events.Store(int64(max(perLane, 0)))
	settingsChanged()
}

// settingsChanged makes every lane apply the settings. Lanes without a goroutine do so here, the others at their next
// Begin or End.
func settingsChanged() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	wanted.generation.Add(1)
	if wanted.events.Load() == 0 {
		endedEvents.Free()
	}
	eachLane(func(l *Lane) {
		if l.isNobodys() {
			l.applySettings()
		} else {
			l.pokeStale()
		}
	})
}

// pokeStale sends the lane's goroutine to the slow path if the lane does not follow the latest settings.
//
//go:norace
func (l *Lane) pokeStale() {
	if !l.ended && !l.retired && l.generation != wanted.generation.Load() {
		l.poke()
	}
}

// applySettings makes the lane follow the latest settings. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) applySettings() {
	now := wanted.generation.Load()
	if l.generation == now {
		return
	}
	l.generation = now
	l.metered = Memory() == MemoryHeapPerZone
	l.govern()
	for i := range l.seen {
		n := l.node(uint32(i))
		l.setCalls(n, n.flag&flagUntimed == 0 && zones.countsCalls(l.seen[i].zone))
		l.flagAsMuted(n)
	}
	l.setLog()
}
