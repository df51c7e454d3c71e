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
func (s *Slow) AddSince(begun platform.Ticks, c Calibration) {
	s.Add(c.Uninterrupted(platform.Now()-begun, mostSlow))
}

// seenOfStart is the share of the cost of a goroutine's start that two readings of the clock see. The search for its
// lane begins before the first, where its home slot is seldom in the cache. What the start takes of the caches, the
// program misses later (bench/overhead, goroutines: 0.5 to 0.8 on one processor and on two, with both clocks).
const seenOfStart = 0.6

// AddStart adds what a goroutine's first zone costs the program, of which two readings of the clock saw a part.
//
//go:norace
func (s *Slow) AddStart(begun, ended platform.Ticks, c Calibration) {
	s.Add(platform.Ticks(float64(c.Uninterrupted(ended-begun, mostSlow)) / seenOfStart))
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
