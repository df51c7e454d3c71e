//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/costs"
	"example.com/iprof/platform"
)

// Calibrate measures a Begin and End pair that is warm. The start of a lane, its hand-over to another goroutine and the
// first entry of a stack cost several times as much (BenchmarkFirstEntry, BenchmarkChurn). So these slow paths are
// timed where they happen, with their cache misses and allocations. LaneFrame.Slow reports the sum.

// mostSlow is how many pairs' time a slow path may take. One that takes longer was interrupted.
const mostSlow = 32

// addSlow adds the time since a reading to what slow paths have taken. The lane's goroutine calls it. A clock that was
// set by SetClock is not read, because its readings are the program's own.
//
//go:norace
func (l *Lane) addSlow(since platform.Ticks) {
	if platform.Custom() {
		return
	}
	took := max(platform.Now()-since, 0)
	if pair := calibrated().Pair; pair > 0 {
		took = min(took, pair*mostSlow/costs.Fraction)
	}
	storeTicks(&l.slowTime, l.slowTime+took)
}

// slowSince returns what slow paths have taken since the last report. The mutex is held.
func (l *Lane) slowSince(move bool) platform.Ticks {
	now := loadTicks(&l.slowTime)
	took := now - l.slowRead
	if move {
		l.slowRead = now
	}
	return took
}
