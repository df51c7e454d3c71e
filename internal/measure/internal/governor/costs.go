package governor

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// Fraction is the unit of a Calibration: it is in 1/Fraction ticks.
const Fraction = 1024

// Calibration is the cost of a Begin and End pair, measured in a loop of pairs. The zero value means unknown.
type Calibration struct {
	Pair    platform.Ticks
	Inside  platform.Ticks // the part of Pair in the zone's own time
	Counted platform.Ticks // of a pair that is only counted
}

// dearerCount is the cost of counting in a program, as a multiple of its cost in the loop of the calibration, where all
// branches are easy to predict (bench/overhead -sizes).
const dearerCount = 1.2

// mostCounted is the greatest cost of counting, as a share of the cost of a pair. Counting reads no clock, which is
// most of a pair, so a calibration with more was disturbed. With it, the governor would demote nothing.
const mostCounted = 0.75

// countedOf returns the cost of counting in a program, from its cost in the loop and that of a pair.
func countedOf(loop, pair float64) platform.Ticks {
	return platform.Ticks(min(dearerCount*loop, mostCounted*pair))
}

// PairsInBurst returns the number of pairs in a burst. Without assembly a pair takes some 15 microseconds, and longer
// bursts would delay the frame.
func PairsInBurst(assembly bool) int {
	if assembly {
		return 64
	}
	return 2
}

// FromBursts computes the costs from bursts of that many pairs each. pair and counted are the times of timed and
// counted bursts. inside is the time of the zone in the timed bursts. The result is the cost in a quick burst.
func FromBursts(pairs int, pair, inside, counted []platform.Ticks) Calibration {
	per := func(burst platform.Ticks) platform.Ticks { return burst * Fraction / platform.Ticks(pairs) }
	cost := per(Quick(pair))
	return Calibration{
		Pair:    cost,
		Inside:  platform.Ticks(Share(inside, pair) * float64(cost)),
		Counted: countedOf(float64(per(Quick(counted))), float64(cost)),
	}
}

// mostBursts is the greatest number of bursts in perStep: some milliseconds.
const mostBursts = 4096

// FromSteps computes the costs with a clock that stands still during many bursts. timed and counted make a burst. The
// two readings of a pair take most of its time, and one of them is inside the zone. The result is the zero value if the
// clock does not move for some milliseconds.
func FromSteps(pairs int, now func() platform.Ticks, timed, counted func()) Calibration {
	cost := Fraction * perStep(now, timed) / float64(pairs)
	return Calibration{Pair: platform.Ticks(cost), Inside: platform.Ticks(cost / 2),
		Counted: countedOf(Fraction*perStep(now, counted)/float64(pairs), cost)}
}

// perStep returns the time of a burst: from one step of the clock to the next, divided by the bursts between.
func perStep(now func() platform.Ticks, burst func()) float64 {
	begin := now()
	for range mostBursts {
		if burst(); now() != begin {
			break
		}
	}
	begin = now()
	for n := range mostBursts {
		if burst(); now() != begin {
			return float64(now()-begin) / float64(n+1)
		}
	}
	return 0
}

// Least returns the lesser costs of two calibrations. Inside comes from the one with the lesser Pair.
func (c Calibration) Least(o Calibration) Calibration {
	counted := min(c.Counted, o.Counted)
	if c.Pair >= o.Pair {
		c = o
	}
	c.Counted = counted
	return c
}

// Latest holds the latest calibration. The zero value is empty. Any goroutine may call its methods.
type Latest struct{ c atomic.Pointer[Calibration] }

// Load returns the calibration, or the zero value.
func (l *Latest) Load() (c Calibration) {
	if last := l.c.Load(); last != nil {
		c = *last
	}
	return c
}

// Store replaces the calibration.
func (l *Latest) Store(c Calibration) { l.c.Store(&c) }

// Repeats decides when to calibrate again, because a busy processor may have disturbed earlier calibrations.
type Repeats struct {
	count int
	last  platform.Ticks
}

// The number of repetitions of a calibration, and the seconds between them.
const (
	mostRepeats = 32
	repeatEvery = 0.25
)

// IsDue reports whether to calibrate at time now. rate is in ticks per second. known is true if there is a calibration.
func (r *Repeats) IsDue(now platform.Ticks, rate float64, known bool) bool {
	if !known {
		return true
	}
	if r.last == 0 {
		r.last = now
	}
	return float64(now-r.last) >= repeatEvery*rate && r.count < mostRepeats
}

// Done notes a calibration that ended at time now.
func (r *Repeats) Done(now platform.Ticks) { r.count, r.last = r.count+1, now }
