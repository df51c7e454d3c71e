package store

import (
	"example.com/iprof/internal/measure"
)

// Clock describes the clock of the latest frame.
type Clock struct {
	measure.Clock
	PerSecond float64 // ticks
	Zone      float64 // cost of a timed entry, ns
}

// Tick returns the resolution of the clock in milliseconds, 0 if not known.
func (c *Clock) Tick() float64 {
	if !(c.PerSecond > 0) {
		return 0
	}
	return 1000 / c.PerSecond
}
