package store

import (
	"example.com/iprof/gather"
)

// Clock is what the latest frame said of its clock.
type Clock struct {
	gather.Clock
	PerSecond float64 // ticks
	Zone      float64 // nanoseconds that a timed entry costs
}

// Tick returns what the clock counts, in milliseconds; 0 if that is not known.
func (c *Clock) Tick() float64 {
	if !(c.PerSecond > 0) {
		return 0
	}
	return 1000 / c.PerSecond
}
