package platform

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Ticks is a reading of the clock, or the difference of two: raw counter units that mean something only together with
// TicksPerSecond. Readings lie in 1..2^63-1.
type Ticks int64

// MaxTicks is the last reading a clock can give; it stays there.
const MaxTicks = Ticks(math.MaxInt64)

// The sources a reading can come from.
const (
	unknown  uint32 = iota // nobody has asked yet
	counter                // the processor's counter
	portable               // time.Since, in nanoseconds
	custom                 // SetClock's
)

var (
	source  atomic.Uint32
	epoch   atomic.Uint32
	setting sync.Mutex // guards changes of source, and the rate
	foreign atomic.Pointer[func() int64]
	base    = time.Now()
)

// Now reads the clock. Any goroutine may call it; nothing is blocked. Two readings on one goroutine may be out of order by
// tens of nanoseconds where the processor executes them early on two cores.
func Now() Ticks {
	if source.Load() == counter {
		return ticks()
	}
	return nowSlow()
}

//go:noinline
func nowSlow() Ticks {
	switch source.Load() {
	case unknown:
		qualify()
		return Now()
	case custom:
		return fromForeign()
	}
	return Ticks(time.Since(base)) + 1
}

// fromForeign shifts SetClock's reading by one, since gather needs readings above 0 and ports count from 0.
func fromForeign() Ticks {
	now := foreign.Load()
	if now == nil {
		return 1
	}
	return Ticks(min(max((*now)(), 0), math.MaxInt64-1) + 1)
}

// qualify decides once which source to use.
func qualify() {
	setting.Lock()
	defer setting.Unlock()
	if source.Load() != unknown {
		return
	}
	if !counterQualifies() {
		source.Store(portable)
		return
	}
	if t := ticks(); t <= 0 || t >= 1<<62 { // a hypervisor's offset may have made it negative
		source.Store(portable)
		return
	}
	startRate()
	source.Store(counter)
}

// SetClock replaces the clock: now returns a count that never decreases, from 0 to 2^63-1 (it is clamped to that), and
// perSecond is its rate (1e9 if that is no rate). Call it before the first zone is entered: it is how to port to a machine with a better clock
// than Go's, and how tests get a clock of their own. SetClock(nil, 0) goes back to the machine's clock. What was measured
// before is forgotten by package gather.
//
//	platform.SetClock(func() int64 { return board.Cycles() }, 600e6)
func SetClock(now func() int64, perSecond float64) {
	setting.Lock()
	if now == nil {
		foreign.Store(nil)
		source.Store(unknown)
	} else {
		if !(perSecond > 0) || math.IsInf(perSecond, 0) {
			perSecond = float64(time.Second)
		}
		foreign.Store(&now)
		foreignRate.Store(math.Float64bits(perSecond))
		source.Store(custom)
	}
	setting.Unlock()
	releaseHomes()
	epoch.Add(1)
}

// Epoch counts the calls of SetClock: readings of different epochs cannot be compared.
func Epoch() uint32 { return epoch.Load() }

// Custom reports whether SetClock chose the clock.
func Custom() bool { return source.Load() == custom }

// Jitter is how far two readings may be out of order without anything being wrong, in ticks: 0 for SetClock's.
func Jitter() Ticks {
	if source.Load() == counter {
		return counterJitter
	}
	return 0
}
