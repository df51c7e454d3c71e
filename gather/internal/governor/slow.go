package governor

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// Calibrations are of a Begin and End pair that is warm. The start of a lane, its hand-over to another goroutine and
// the first entry of a stack cost several times as much. So these slow paths are timed where they happen, with their
// cache misses and allocations.

// mostSlow is how many pairs' time a slow path may take. One that takes longer was interrupted.
const mostSlow = 32

// Slow is the time that slow paths have taken. The zero value is none. One goroutine adds, and another may read
// meanwhile. Its address must be a multiple of 8 bytes.
type Slow struct{ sum, reported platform.Ticks }

// Add adds a time.
//
//go:norace
func (s *Slow) Add(took platform.Ticks) { platform.StoreTicks(&s.sum, s.sum+took) }

// AddSince adds the time since a reading of the clock.
//
//go:norace
func (s *Slow) AddSince(begun platform.Ticks, c Calibration) { s.AddUntil(begun, platform.Now(), c) }

// AddUntil adds the time between two readings of the clock.
//
//go:norace
func (s *Slow) AddUntil(begun, ended platform.Ticks, c Calibration) {
	s.Add(c.Uninterrupted(ended-begun, mostSlow))
}

// MostChoosing is how many pairs' time choosing which entries are timed may take.
const MostChoosing = 128

// Uninterrupted returns the time that a slow path took, at most that of so many pairs, and not below 0. Where many
// goroutines want a processor, the system may have taken it away for milliseconds meanwhile.
func (c Calibration) Uninterrupted(took, pairs platform.Ticks) platform.Ticks {
	if c.Pair > 0 {
		took = min(took, c.Pair*pairs/Fraction)
	}
	return max(took, 0)
}

// Since returns the time added since the last call with move.
func (s *Slow) Since(move bool) platform.Ticks {
	now := platform.Ticks(atomic.LoadInt64((*int64)(&s.sum)))
	took := now - s.reported
	if move {
		s.reported = now
	}
	return took
}
