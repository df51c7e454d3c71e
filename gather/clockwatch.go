//go:build !iprof_off

package gather

import (
	"math"
	"time"

	"example.com/iprof/platform"
)

// This file follows the rate of the profiler's clock, and compares it with the machine's. Both take longer than the
// rest of a short frame's Update (BenchmarkUpdate/nodes=1), so they are done only ten times a second.

// clockWatch has what is kept from frame to frame. The zero value has seen no frame.
type clockWatch struct {
	refined platform.Ticks // when the rate was last measured
	checked platform.Ticks // when wall was read, 0 for never
	wall    time.Duration
}

// The intervals in seconds.
const (
	refineEvery = 0.1 // the rate is measured again, which takes a microsecond
	checkEvery  = 0.1 // the clocks are compared, which calls the system
)

// rate returns the clock's rate in ticks per second, and measures it again at times.
func (w *clockWatch) rate(now platform.Ticks) float64 {
	rate := platform.TicksPerSecond()
	if float64(now-w.refined) > refineEvery*rate {
		w.refined = now
		platform.Refine()
		rate = platform.TicksPerSecond()
	}
	return rate
}

// jumped compares the clocks, if it is time for that. It reports whether one of them was suspended since the comparison
// before.
func (w *clockWatch) jumped(now platform.Ticks, rate float64) (jump bool) {
	if w.checked != 0 && math.Abs(float64(now-w.checked)) < checkEvery*rate {
		return false
	}
	at, wall, ok := platform.Wall()
	if !ok {
		return false
	}
	jump = w.checked != 0 && differ(float64(at-w.checked)/rate, (wall-w.wall).Seconds())
	w.checked, w.wall = at, wall
	return jump
}

// differ reports whether two clocks differ by more than a second.
func differ(ticks, wall float64) bool { return ticks-wall > 1 || wall-ticks > 1 }
