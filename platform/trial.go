//go:build amd64 && gc && !purego

package platform

import (
	"math"
	"time"
)

// trial decides by measuring whether the counter can be trusted. It visits each processor twice.
type trial struct {
	processors []int
	pin        func(processor int) error // moves the calling thread
	counter    func() Ticks
	wall       func() int64
}

const (
	mostTrial   = time.Millisecond       // a longer trial decides nothing
	leastWindow = 150 * time.Microsecond // least time over which the rate is measured
	mostApart   = 0.01                   // relative difference of the rates in two windows
	trialReads  = 4
)

// run reports whether readings never go back between processors and run at one rate. why describes the result.
func (t *trial) run() (ok bool, why string) {
	if len(t.processors) == 0 {
		return false, "the processors of the program are not known"
	}
	var at [3]pair
	at[0] = t.both()
	last := at[0].ticks
	for window := 1; window < len(at); window++ {
		for _, p := range t.processors {
			if err := t.pin(p); err != nil {
				return false, "the thread cannot be moved between processors"
			}
			now := t.counter()
			if now+counterJitter < last {
				return false, "the counters of two processors differ"
			}
			last = max(last, now)
			if t.isLate(at[0]) {
				return false, "comparing the processors takes too long"
			}
		}
		for t.wall()-at[window-1].wall < int64(leastWindow) && !t.isLate(at[0]) {
		}
		at[window] = t.both()
	}
	first, second := rateBetween(at[0], at[1]), rateBetween(at[1], at[2])
	switch {
	case t.isLate(at[0]):
		return false, "comparing the processors takes too long"
	case !(first > 0 && math.Abs(second/first-1) <= mostApart):
		return false, "the counter does not run at one rate"
	}
	return true, "the counter was measured to be the same on all processors"
}

func (t *trial) isLate(start pair) bool { return t.wall()-start.wall >= int64(mostTrial) }

func (t *trial) both() pair { return closest(trialReads, t.counter, t.wall) }
