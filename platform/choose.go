package platform

import (
	"math"
	"math/bits"
	"os"
	"sync/atomic"
	"time"
)

// The machine's clock is the processor's counter if the counter can be trusted, and otherwise Go's clock. This file
// chooses the clock once, at the first reading.

// override is the value of the environment variable, and of UseCounter.
const (
	overrideName    = "IPROF_CLOCK"
	overrideCounter = "counter"
	overrideGo      = "go"
)

var (
	asked   atomic.Pointer[string]     // by UseCounter
	chosen  atomic.Pointer[Choice]     // the machine's clock
	changed atomic.Pointer[conversion] // while Go's clock continues the counter
)

// UseCounter overrides the choice of the machine's clock: true is the processor's counter, false is Go's clock. The
// environment variable IPROF_CLOCK does the same with the values counter and go; UseCounter has precedence. The counter
// is then read even if it is known to be wrong. A build without assembly has no counter and keeps Go's clock. Package
// gather drops its measurements, as after SetClock, so call it before the first zone. Any goroutine may call it.
//
//	platform.UseCounter(false)
func UseCounter(on bool) {
	want := overrideGo
	if on {
		want = overrideCounter
	}
	keeping.Lock()
	defer keeping.Unlock()
	asked.Store(&want)
	replaceClock(func() {
		foreign.Store(nil)
		source.Store(unknown)
	})
}

// qualify chooses the source once.
func qualify() {
	setting.Lock()
	defer setting.Unlock()
	if source.Load() != unknown {
		return
	}
	use, why := choose(overridden(), counterQualifies)
	if use {
		if t := ticks(); t <= 0 || t >= 1<<62 { // a hypervisor's offset can make it negative
			use, why = false, "the counter's value is out of range"
		}
	}
	if !use {
		chosen.Store(&Choice{Source: SourceGo, Why: why, Reading: quickest(nanotime)})
		source.Store(portable)
		return
	}
	chosen.Store(&Choice{SourceCounter, why, counterReading()})
	startRate()
	source.Store(counter)
}

// counterReading returns the time that a reading of the counter takes.
func counterReading() time.Duration {
	const reads = 32
	quickest := int64(math.MaxInt64)
	for range readings {
		begin := nanotime()
		for range reads {
			ticks()
		}
		quickest = min(quickest, nanotime()-begin)
	}
	return time.Duration(quickest / (reads + 1)) // the reads include one of nanotime
}

// Source is the kind of clock that readings come from.
type Source uint8

// The sources. Files contain their numbers.
const (
	SourceUnknown Source = iota // a capture of an earlier version
	SourceCounter               // the processor's counter
	SourceGo                    // the Go runtime's monotonic clock
	SourceProgram               // the function given to SetClock
)

// String returns "counter", "go" or "program", and "unknown" for any other value.
func (s Source) String() string {
	if s > SourceProgram {
		s = SourceUnknown
	}
	return [...]string{"unknown", "counter", "go", "program"}[s]
}

// Choice describes the clock in use.
type Choice struct {
	Source  Source
	Why     string        // the reason, as the rest of a sentence: "the kernel keeps time by hpet"; "" for SetClock
	Reading time.Duration // time of a reading, to the nanosecond; 0: not known, as for SetClock
}

// Chosen returns the clock in use. The first call chooses it, and may take a millisecond. Any goroutine may call it.
func Chosen() Choice {
	switch source.Load() {
	case custom:
		return Choice{Source: SourceProgram}
	case unknown:
		qualify()
	}
	if c := chosen.Load(); c != nil {
		return *c
	}
	return Choice{}
}

// overridden returns the choice of UseCounter or of the environment, "" without one.
func overridden() (want string) {
	if p := asked.Load(); p != nil {
		return *p
	}
	return os.Getenv(overrideName)
}

// choose decides between the counter and Go's clock, and returns the reason. It calls qualifies only without an
// override.
func choose(want string, qualifies func() (bool, string)) (use bool, why string) {
	switch want {
	case overrideGo:
		return false, overrideName + "=go or UseCounter(false) says so"
	case overrideCounter:
		if hasCounter {
			return true, overrideName + "=counter or UseCounter(true) says so"
		}
	case "":
	default:
		use, why = qualifies()
		return use, why + "; " + overrideName + " is neither counter nor go: " + shown(want)
	}
	return qualifies()
}

// shown returns the start of a text from outside, without characters that could disturb a line.
func shown(text string) string {
	clean := []byte(text[:min(len(text), 64)])
	for i, b := range clean {
		if b < ' ' || b > '~' {
			clean[i] = '?'
		}
	}
	return `"` + string(clean) + `"`
}

// conversion converts nanoseconds to readings of the counter, with the counter's last rate.
type conversion struct {
	from      pair
	per       uint64 // ticks a nanosecond, in 2^-32
	perSecond float64
}

// convert returns the reading at a time of the runtime's clock.
//
//go:norace
func (c *conversion) convert(now int64) Ticks {
	high, low := bits.Mul64(uint64(max(now-c.from.wall, 0)), c.per)
	return c.from.ticks + Ticks(high<<32|low>>32)
}
