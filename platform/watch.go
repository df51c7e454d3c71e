package platform

import (
	"math"
	"sync/atomic"
	"time"
)

// A machine may be moved to another host while the program runs. So the counter is compared with the machine's own
// clock as long as it is in use.

// Finding is the result of Observe since the previous call.
type Finding uint8

// The findings.
const (
	ClockSteady    Finding = iota // no fault, or too little time has passed
	ClockDisturbed                // the two clocks were not read close together: call again soon
	ClockJumped                   // a clock stood still or was set, or the counter has another rate: times may be wrong
	ClockFailed                   // ClockJumped for the third time within a minute: call LeaveCounter
)

const (
	closeEnough  = 20e-6                 // greatest time between two readings that are compared, s
	leastBetween = 50 * time.Millisecond // between comparisons
	mostFaults   = 3
	faultsWithin = time.Minute
	badInARow    = 3 // after this many comparisons, another bad one is a new fault
)

// watch is the state of Observe. The mutex setting guards it.
type watch struct {
	last   pair
	bad    int               // comparisons in a row that did not agree with the rate
	other  float64           // the rate of the last bad comparison
	faults [mostFaults]int64 // times of faults in nanoseconds, a ring buffer
	count  int
}

var (
	watched   watch
	stepsBack atomic.Uint32 // number since the last comparison
)

// Observe refines the counter's rate, and judges whether the counter still agrees with the machine's clock. Ten times a
// second is often enough. It reads the machine's clock once, and the rest takes nanoseconds. With a clock other than
// the counter it does nothing. Any goroutine may call it.
func Observe() Finding {
	if source.Load() != counter {
		return ClockSteady
	}
	rate := TicksPerSecond()
	now, ok := togetherOnce(Ticks(rate*closeEnough), ticks, reference)
	if !ok {
		return ClockDisturbed
	}
	setting.Lock()
	defer setting.Unlock()
	if source.Load() != counter {
		return ClockSteady
	}
	found, better := watched.judge(now, rate, stepsBack.Swap(0) > 0)
	switch {
	case better != 0: // a new beginning
		origin, doubted = now, 0
		counterRate.Store(math.Float64bits(better))
	case found != ClockSteady:
		origin = now
	case fixedRate() == 0 && watched.bad == 0:
		refine(now)
	}
	if found == ClockFailed && overridden() == overrideCounter {
		found = ClockJumped
	}
	return found
}

// NoteStepBack tells Observe that a goroutine read the counter twice, and the second reading was the earlier by more
// than Jitter. Any goroutine may call it.
func NoteStepBack() { stepsBack.Add(1) }

// judge compares the time since the last comparison by both clocks. rate is in ticks a second. better is a new rate
// that two comparisons in a row agree on, else 0.
func (w *watch) judge(now pair, rate float64, steppedBack bool) (found Finding, better float64) {
	from := w.last
	if from.wall != 0 && now.wall-from.wall < int64(leastBetween) && now.wall >= from.wall && !steppedBack {
		return ClockSteady, 0
	}
	w.last = now
	if from.wall == 0 {
		return ClockSteady, 0
	}
	seen := rateBetween(from, now)
	switch {
	case math.Abs(seen/rate-1) <= unlikely:
		w.bad = 0
		if !steppedBack {
			return ClockSteady, 0
		}
	case w.bad > 0 && seen > 0 && math.Abs(seen/w.other-1) <= unlikely:
		w.bad = 0
		return ClockSteady, seen
	default:
		w.other = seen
		if w.bad++; w.bad > 1 && w.bad <= badInARow { // part of the same fault
			return ClockSteady, 0
		}
	}
	return w.fault(now.wall), 0
}

// fault counts a fault.
func (w *watch) fault(wall int64) Finding {
	oldest := &w.faults[w.count%mostFaults]
	w.count++
	*oldest = wall
	next := w.faults[w.count%mostFaults] // the third-last fault
	if w.count >= mostFaults && wall-next <= int64(faultsWithin) {
		return ClockFailed
	}
	return ClockJumped
}

// rateBetween returns ticks a second.
func rateBetween(from, to pair) float64 {
	return float64(to.ticks-from.ticks) / float64(to.wall-from.wall) * 1e9
}

// togetherOnce is together with one try.
func togetherOnce(within Ticks, ticks func() Ticks, reference func() int64) (p pair, ok bool) {
	before := ticks()
	p.wall = reference()
	d := ticks() - before
	p.ticks = before + d/2
	return p, d >= 0 && d <= within
}

// LeaveCounter replaces the counter by Go's clock, if the clock is the counter. Readings continue from the counter's
// latest reading, or from latest if that is later, in ticks of the same length. So measurements keep their meaning, and
// the epoch stays. Any goroutine may call it.
func LeaveCounter(latest Ticks) {
	setting.Lock()
	defer setting.Unlock()
	if source.Load() != counter {
		return
	}
	rate := math.Float64frombits(counterRate.Load())
	if rate == 0 {
		rate = firstGuess
	}
	why := "the counter did not agree with the machine's clock three times in a minute"
	chosen.Store(&Choice{SourceGo, why, quickest(nanotime)})
	from := closest(readings, ticks, nanotime)
	from.ticks = max(from.ticks, latest)
	changed.Store(&conversion{from, uint64(rate / 1e9 * (1 << 32)), rate})
	source.Store(continued)
	serveCounter(false)
}
