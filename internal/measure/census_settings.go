//go:build !iprof_off

package measure

import (
	"math"
	"sync/atomic"
)

// eachLane calls do for every lane, with the lane's mutex held. The registry's mutex is held.
func eachLane(do func(*Lane)) {
	for _, l := range registry.lanes {
		l.mu.Lock()
		do(l)
		l.mu.Unlock()
	}
}

// settingsChanged makes every lane apply the settings: lanes without a goroutine at once, others at their next Begin or
// End.
func settingsChanged() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	changeSettings()
}

// changeSettings is settingsChanged with the registry's mutex held.
func changeSettings() {
	wanted.generation.Add(1)
	if wanted.events.Load() == 0 {
		endedEvents.free()
	}
	eachLane(func(l *Lane) {
		if l.isNobodys() {
			l.applySettings()
		} else {
			l.pokeStale()
		}
	})
}

// Watched reports whether SetWatched is on. Any goroutine may call it.
func Watched() bool { return registry.watched.Load() }

// overheadLimit has the bits of a float64.
var overheadLimit atomic.Uint64

// OverheadLimit returns the value of SetOverheadLimit. Any goroutine may call it.
func OverheadLimit() float64 { return math.Float64frombits(overheadLimit.Load()) }
