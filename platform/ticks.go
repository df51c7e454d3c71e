package platform

import (
	"math"
	"sync/atomic"
	"time"

	"example.com/iprof/internal/quiet"
)

// Ticks is a reading of the clock, or the difference of two readings, in units of the clock. TicksPerSecond converts
// it to seconds. Readings are in 1..2^63-1.
type Ticks int64

// MaxTicks is the greatest reading. A clock that reaches it stays there.
const MaxTicks = Ticks(math.MaxInt64)

// The sources of readings.
const (
	unknown   uint32 = iota // not chosen yet
	counter                 // the processor's counter
	portable                // the runtime's clock, in nanoseconds
	custom                  // the function given to SetClock
	continued               // the runtime's clock, in place of the counter after LeaveCounter
)

var (
	source  atomic.Uint32
	epoch   atomic.Uint32
	setting quiet.Mutex // guards changes of source and rate
	keeping quiet.Mutex // held while all readings must come from one clock; taken before setting
	foreign atomic.Pointer[func() int64]
	base    = nanotime()
)

// Now reads the clock. Any goroutine may call it, and it does not block. Two readings on one goroutine may be out of
// order by tens of nanoseconds, if they run on two cores and a processor executes one of them early.
func Now() Ticks {
	if source.Load() == counter {
		return ticks()
	}
	return nowSlow()
}

//go:noinline
func nowSlow() Ticks {
	if source.Load() == unknown {
		qualify()
		return Now()
	}
	return readClock()
}

// readClock reads the chosen clock if it is not the counter.
//
//go:norace
func readClock() Ticks {
	if source.Load() == portable {
		return Ticks(nanotime()-base) + 1
	}
	return readOther()
}

//go:noinline
func readOther() Ticks {
	switch source.Load() {
	case continued:
		return changed.Load().convert(nanotime())
	case counter: // chosen just now
		return ticks()
	}
	return fromForeign()
}

// fromForeign adds one to the reading of SetClock's function, because gather needs readings above 0, and such functions
// count from 0.
func fromForeign() Ticks {
	now := foreign.Load()
	if now == nil {
		return 1
	}
	return Ticks(min(max((*now)(), 0), math.MaxInt64-1) + 1)
}

// SetClock replaces the clock. Package gather drops its measurements with the old clock, so call it before the first
// zone. The End of a zone that is open during the change has no effect, and is counted in gather's Misuse.ExtraEnd. Use
// SetClock for a machine with a better clock than Go's, and for a clock under a test's control.
//
// now returns a count that must not decrease. It is clamped to 0..2^63-2. perSecond is the rate of now in ticks a
// second; a value that is not positive and finite becomes 1e9. SetClock(nil, 0) restores the machine's clock, and
// forgets UseCounter. Any goroutine may call SetClock, and now must be safe for any goroutine.
//
//	platform.SetClock(func() int64 { return board.Cycles() }, 600e6)
func SetClock(now func() int64, perSecond float64) {
	keeping.Lock()
	defer keeping.Unlock()
	replaceClock(func() {
		asked.Store(nil)
		if now == nil {
			foreign.Store(nil)
			source.Store(unknown)
			return
		}
		if !(perSecond > 0) || math.IsInf(perSecond, 0) {
			perSecond = float64(time.Second)
		}
		foreign.Store(&now)
		foreignRate.Store(math.Float64bits(perSecond))
		source.Store(custom)
	})
}

// replaceClock changes the source. Earlier measurements have no meaning afterwards.
func replaceClock(change func()) {
	epoch.Add(1)
	setting.Lock()
	serveCounter(false)
	change()
	setting.Unlock()
	releaseHomes()
	epoch.Add(1)
}

// KeepClock makes SetClock wait for ReleaseClock, so that all readings in between come from one clock. Package gather
// calls it for each frame.
func KeepClock() { keeping.Lock() }

// ReleaseClock ends what KeepClock began.
func ReleaseClock() { keeping.Unlock() }

// Epoch changes before and after each change of the clock. Readings of different epochs cannot be compared.
func Epoch() uint32 { return epoch.Load() }

// Wall reads the clock and the machine's own clock together, to compare the two. The two readings are less than ten
// milliseconds apart, even if the goroutine is preempted between them. ok is false with the clock of SetClock, and if
// the goroutine was preempted in every attempt. Bubbles of testing/synctest do not stop these clocks. Any goroutine may
// call Wall.
func Wall() (at Ticks, since time.Duration, ok bool) {
	switch source.Load() {
	case portable, continued:
		return readClock(), time.Duration(reference()), true
	case custom, unknown:
		return 0, 0, false
	}
	p, ok := readBoth(Ticks(TicksPerSecond()/100), ticks, reference)
	return p.ticks, time.Duration(p.wall), ok
}

// Custom reports whether SetClock chose the clock.
func Custom() bool { return source.Load() == custom }

// Jitter returns the number of ticks by which two readings may be out of order without a fault. It is 0 for all clocks
// but a counter.
func Jitter() Ticks {
	if source.Load() == counter {
		return counterJitter
	}
	return 0
}
