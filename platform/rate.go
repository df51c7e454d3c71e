package platform

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// The rate of the counter is measured against the machine's own clock: the longer the time between the two readings of
// both, the better. firstWait is how long the very first question waits for a usable answer.
const (
	firstWait  = 2 * time.Millisecond
	readings   = 8    // pairs tried for the tightest
	unlikely   = 1e-3 // a change of rate above this means a suspended machine, not a better figure
	firstGuess = 1e9
)

// pair is one reading of both clocks, as near together as possible.
type pair struct {
	ticks Ticks
	wall  int64 // nanoseconds
}

var (
	foreignRate atomic.Uint64 // bits of a float64, as are:
	counterRate atomic.Uint64
	origin      pair // guarded by setting
)

// TicksPerSecond returns the clock's rate as last refined. The first call with a counter may take two milliseconds. Any
// goroutine may call it.
func TicksPerSecond() float64 {
	switch source.Load() {
	case unknown:
		qualify()
		return TicksPerSecond()
	case custom:
		return math.Float64frombits(foreignRate.Load())
	case portable:
		return float64(time.Second)
	}
	if rate := counterRate.Load(); rate != 0 {
		return math.Float64frombits(rate)
	}
	Refine()
	return math.Float64frombits(counterRate.Load())
}

// Refine measures the counter's rate again, over the whole time since the start: once a frame is often enough. Any goroutine
// may call it; it takes a microsecond.
func Refine() {
	if source.Load() != counter {
		return
	}
	if rate := fixedRate(); rate > 0 {
		counterRate.Store(math.Float64bits(rate))
		return
	}
	setting.Lock()
	defer setting.Unlock()
	now := tightest()
	for counterRate.Load() == 0 && now.wall-origin.wall < int64(firstWait) {
		runtime.Gosched()
		now = tightest()
	}
	refine(now)
}

// refine takes the slope from origin to now, if it is credible, and else starts again from now.
func refine(now pair) {
	if now.wall <= origin.wall || now.ticks <= origin.ticks {
		origin = now
		if counterRate.Load() == 0 {
			counterRate.Store(math.Float64bits(firstGuess))
		}
		return
	}
	rate := float64(now.ticks-origin.ticks) / float64(now.wall-origin.wall) * 1e9
	old := math.Float64frombits(counterRate.Load())
	if old != 0 && old != firstGuess && math.Abs(rate/old-1) > unlikely {
		origin = now
		return
	}
	counterRate.Store(math.Float64bits(rate))
}

func startRate() {
	origin = tightest()
	counterRate.Store(0)
}

// tightest reads both clocks several times and keeps the reading least disturbed by other work.
func tightest() pair {
	best, width := pair{}, MaxTicks
	for range readings {
		before := ticks()
		wall := reference()
		after := ticks()
		if d := after - before; d >= 0 && d < width {
			best, width = pair{before + d/2, wall}, d
		}
	}
	return best
}
