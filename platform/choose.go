package platform

import (
	"math"
	"math/bits"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// The machine's clock is the processor's counter where that can be trusted, and else Go's. This file chooses, once, at
// the first reading.

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

// UseCounter chooses the machine's clock for people who know better: the processor's counter, or with false Go's
// clock. So does the environment variable IPROF_CLOCK with the values counter and go; UseCounter goes before it. The
// counter is then read even if it is known to be wrong. A build without assembly has none, and keeps Go's clock. As
// after SetClock, package gather drops what it measured, so call it before the first zone. Any goroutine may call it.
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

// counterReading returns how long a reading of the counter takes.
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
	return time.Duration(quickest / (reads + 1)) // with one of nanotime
}

// Source is what kind of clock readings are from.
type Source uint8

// The sources. Their numbers are in files.
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

// Choice says which clock is in use.
type Choice struct {
	Source  Source
	Why     string        // the rest of a sentence, "the kernel keeps time by hpet"; "" for the program's own
	Reading time.Duration // what a reading takes, to the nanosecond; 0: not known, as of the program's own
}

// Chosen says which clock is in use. The first call chooses it, and may take a millisecond. Any goroutine may call it.
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

// overridden returns what UseCounter or the environment chose, "" for nothing.
func overridden() (want string) {
	if p := asked.Load(); p != nil {
		return *p
	}
	return os.Getenv(overrideName)
}

// choose decides between the counter and Go's clock, and says why. qualifies is asked unless somebody chose.
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

// shown returns the start of a text from outside, without what could disturb a line.
func shown(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text[:min(len(text), 64)])
	return `"` + clean + `"`
}

// conversion makes readings of the counter from nanoseconds, with the counter's last rate.
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
