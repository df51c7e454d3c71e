package governor

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// A calibration measures a warm Begin and End pair. The start of a lane, its hand-over to another goroutine and the
// first entry of a stack cost several times as much. So these slow paths measure themselves, including their cache
// misses and allocations.

// mostSlow is the greatest time of a slow path, in pairs. A longer one was interrupted.
const mostSlow = 32

// Slow is the sum of times of slow paths. The zero value is 0. One goroutine adds, and another may read meanwhile. Its
// address must be a multiple of 8 bytes.
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

// seenOfStart is the share of the cost of a goroutine's start between its two clock readings. The search for its lane
// begins before the first reading, when its home slot is seldom in the cache. The program also pays later for the cache
// lines that the start has displaced (bench/overhead, goroutines: 0.5 to 0.8 on one processor and on two, with both
// clocks).
const seenOfStart = 0.6

// AddStart adds the whole cost of a goroutine's first zone, computed from the part between its two clock readings.
//
//go:norace
func (s *Slow) AddStart(begun, ended platform.Ticks, c Calibration) {
	s.Add(platform.Ticks(float64(c.Uninterrupted(ended-begun, mostSlow)) / seenOfStart))
}

// seenOfFirst is the share of the cost of a stack's first entry between its two clock readings. The program also pays
// for the collector, which follows the pointers of the new node, and for the first end, whose cache lines are new
// (bench/overhead, new stacks: 0.6 reported 1.4 times the truth, 0.8 as much as it).
const seenOfFirst = 0.8

// maxFirst is the greatest time of a stack's first entry, in pairs. The system clears a page of memory for every 32nd
// node, which is no interruption.
const maxFirst = 256

// AddFirst adds the whole cost of a stack's first entry, computed from the part between its two clock readings.
//
//go:norace
func (s *Slow) AddFirst(begun, ended platform.Ticks, c Calibration) {
	s.Add(platform.Ticks(float64(c.Uninterrupted(ended-begun, maxFirst)) / seenOfFirst))
}

// MaxChoosing is the greatest time for choosing the entries to time, in pairs.
const MaxChoosing = 128

// Uninterrupted returns the time of a slow path, limited to pairs' time and at least 0. With more goroutines than
// processors, the system may have taken the processor away for milliseconds meanwhile.
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
