//go:build !iprof_off

package gather

import (
	"math"

	"example.com/iprof/gather/internal/governor"
	"example.com/iprof/gather/internal/mistakes"
	"example.com/iprof/platform"
)

// This file follows the rate of the profiler's clock, and compares it with the machine's. That reads the machine's
// clock once, and only ten times a second.

// clockWatch has what is kept from frame to frame. The zero value has seen no frame.
type clockWatch struct {
	observed platform.Ticks // when the clocks were compared last, 0 for never
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

// followClock marks the frame that ends if its times may be wrong. A counter that fails is left.
func (u *updates) followClock() {
	found := u.clock.found
	u.clock.found = platform.ClockSteady
	switch found {
	case platform.ClockJumped:
		misuse.Count(mistakes.ClockJump, 1)
		markClock("the clock jumped: times of this frame may be wrong")
	case platform.ClockFailed:
		misuse.Count(mistakes.ClockJump, 1)
		platform.LeaveCounter(u.latest())
		lastCalibration.Store(governor.Calibration{})
		u.calibrations = governor.Repeats{}
		markClock("the clock jumped for the third time in a minute: from here on it is Go's")
	}
}

// markClock puts a mark at the end of the frame, of no lane.
func markClock(text string) {
	pendingMarks.add(MostMarks, func() MarkInfo { return MarkInfo{Time: registry.updates.end, Text: text} })
}

// latest returns the latest reading that a lane has used, but at most a second after the frame's end: a counter that
// fails may be anything.
func (u *updates) latest() platform.Ticks {
	latest := u.end
	for _, l := range registry.lanes {
		if last := loadTicks(&l.slot.Last); last < u.end+platform.Ticks(platform.TicksPerSecond()) {
			latest = max(latest, last)
		}
	}
	return latest
}
