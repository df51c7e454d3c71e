package process

import (
	"fmt"
	"math"
	"time"

	"example.com/iprof/gather"
)

// clock is what the latest frame said of its clock.
type clock struct {
	gather.Clock
	perSecond float64 // ticks
	zone      float64 // nanoseconds that a timed entry costs
}

// A clock is mentioned if it is slower or coarser than these.
const (
	quickReading = 35 * time.Nanosecond
	fineTick     = 10 * time.Nanosecond
)

// clockLine is the sentence about the clock in use, "" if there is nothing to say.
func (s *builder) clockLine() string {
	c, r := &s.clock, &s.rows
	c.zone = 5 * math.Round(c.zone/5) // each calibration differs a little
	if r.clockOf != *c {
		r.clockOf, r.clock = *c, c.line()
	}
	return r.clock
}

func (c *clock) line() string {
	tick := time.Duration(math.Round(min(1e9/max(c.perSecond, 1), 1e9)))
	name := "the processor's counter"
	switch {
	case c.Source == gather.ClockGo:
		name = "Go's"
	case c.Source != gather.ClockCounter, c.Reading <= quickReading && tick <= fineTick:
		return ""
	}
	line := "clock: " + name
	if tick > fineTick {
		line += fmt.Sprintf(" in steps of %d ns", tick.Nanoseconds())
	}
	line += fmt.Sprintf(", %d ns a reading", c.Reading.Nanoseconds())
	if c.Why != "" {
		line += ", as " + c.Why
	}
	if c.zone >= 1 {
		line += fmt.Sprintf("; a zone takes about %.0f ns", c.zone)
	}
	return line
}
