//go:build !iprof_off

package measure

import (
	"math"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// This file follows the rate of the profiler's clock by comparison with the machine's clock, which it reads only ten
// times a second.

// clockWatch is the state between frames. The zero value is ready for use.
type clockWatch struct {
	observed platform.Ticks // time of the last comparison, 0 for never
	found    platform.Finding
}

// observeEvery is in seconds.
const observeEvery = 0.1

// rate returns the clock's rate in ticks per second, and compares the clocks at times.
func (w *clockWatch) rate(now platform.Ticks) float64 {
	rate := platform.TicksPerSecond()
	if w.observed != 0 && math.Abs(float64(now-w.observed)) <= observeEvery*rate {
		return rate
	}
	if found := platform.Observe(); found != platform.ClockDisturbed {
		w.observed, w.found = now, max(w.found, found)
		rate = platform.TicksPerSecond()
	}
	return rate
}

// followClock puts a mark in the ending frame if its times may be wrong. It replaces a counter that fails with another
// clock.
func (r *reader) followClock() {
	found := r.clock.found
	r.clock.found = platform.ClockSteady
	switch found {
	case platform.ClockJumped:
		misuse.Count(mistakes.ClockJump, 1)
		markClock("the clock jumped: times of this frame may be wrong")
	case platform.ClockFailed:
		misuse.Count(mistakes.ClockJump, 1)
		platform.LeaveCounter(r.latest())
		lastCalibration.Store(governor.Calibration{})
		r.calibrations = governor.Repeats{}
		markClock("the clock jumped for the third time in a minute: from here on it is Go's")
	}
}

// markClock puts a mark without a lane at the end of the frame.
func markClock(text string) {
	pendingMarks.add(MaxMarks, func() MarkInfo { return MarkInfo{Time: registry.updates.end, Text: text} })
}

// latest returns the latest reading used by a lane, but at most a second after the frame's end: a failing counter may
// return any value.
func (r *reader) latest() platform.Ticks {
	latest := registry.updates.end
	for _, l := range registry.lanes {
		if last := loadTicks(&l.slot.Last); last < registry.updates.end+platform.Ticks(platform.TicksPerSecond()) {
			latest = max(latest, last)
		}
	}
	return latest
}
