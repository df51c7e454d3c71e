package platform

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// The rate of the counter is measured against the machine's own clock. The longer the time between two readings of
// both, the more exact the rate. firstWait is the shortest such time for a first answer.
const (
	firstWait  = 2 * time.Millisecond
	readings   = 8    // tries to read both clocks close together
	unlikely   = 1e-3 // a greater relative change of the rate means that the machine was suspended
	firstGuess = 1e9
)

// pair is one reading of both clocks, taken as close together as possible.
type pair struct {
	ticks Ticks
	wall  int64 // nanoseconds
}

var (
	foreignRate atomic.Uint64 // bits of a float64, like counterRate
	counterRate atomic.Uint64
	origin      pair    // guarded by setting, like doubted
	doubted     float64 // the last rate that was not credible
)

// TicksPerSecond returns the clock's rate, as last refined. With a counter the first call may take two milliseconds.
// Any goroutine may call it.
func TicksPerSecond() float64 {
	switch source.Load() {
	case unknown:
		qualify()
		return TicksPerSecond()
	case custom:
		return math.Float64frombits(foreignRate.Load())
	case portable:
		return float64(time.Second)
	case continued:
		return changed.Load().perSecond
	}
	if rate := counterRate.Load(); rate != 0 {
		return math.Float64frombits(rate)
	}
	Refine()
	return math.Float64frombits(counterRate.Load())
}

// Refine measures the counter's rate again, over the whole time since the start. Once a frame is often enough. A call
// takes about a microsecond. Any goroutine may call it.
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

// refine stores the rate between origin and now if it is credible. If not, it moves origin to now. A rate measured
// twice in a row is always credible.
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
	if old != 0 && old != firstGuess && math.Abs(rate/old-1) > unlikely && !(math.Abs(rate/doubted-1) <= unlikely) {
		origin, doubted = now, rate
		return
	}
	doubted = 0
	counterRate.Store(math.Float64bits(rate))
}

func startRate() {
	origin = tightest()
	counterRate.Store(0)
	watched, doubted = watch{}, 0
	stepsBack.Store(0)
}

// tightest reads both clocks several times and returns the pair that lies closest together.
func tightest() pair { return closest(readings, ticks, reference) }

// closest is tightest for any two clocks.
func closest(tries int, ticks func() Ticks, wall func() int64) pair {
	best, width := pair{}, MaxTicks
	for range tries {
		before := ticks()
		wall := wall()
		after := ticks()
		if d := after - before; d >= 0 && d < width {
			best, width = pair{before + d/2, wall}, d
		}
	}
	return best
}

// quickest returns the time that a reading of a clock takes, measured by the clock itself.
func quickest(clock func() int64) time.Duration {
	const bursts, reads = 8, 16
	least := int64(math.MaxInt64)
	for range bursts {
		begin := clock()
		for range reads - 1 {
			clock()
		}
		least = min(least, clock()-begin)
	}
	return time.Duration(least / reads)
}

// readBoth reads both clocks within the given number of ticks. It tries a few times.
func readBoth(within Ticks, ticks func() Ticks, reference func() int64) (p pair, ok bool) {
	for range readings {
		if p, ok = togetherOnce(within, ticks, reference); ok {
			return p, true
		}
	}
	return p, false
}
