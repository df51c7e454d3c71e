// Package foreign computes the times of lanes with another clock, such as a GPU's.
//
// A Clock converts readings of that clock to ours. A Queue holds the times of scopes until the frame of their issue is
// complete.
package foreign

import "example.com/iprof/platform"

// Clock is a foreign clock with a known rate. The caller guards it with a mutex.
type Clock struct {
	_             [0]func() // not comparable: the code of == would be in each program
	perTick       float64   // ticks of our clock in one of the foreign clock
	latest, first point     // of calibration
	calibrated    bool
	drift         float64
}

// point is one moment on both clocks.
type point struct {
	foreign int64
	own     platform.Ticks
}

// NewClock returns an uncalibrated clock. perTick is the number of ticks of our clock in one of its ticks.
func NewClock(perTick float64) Clock { return Clock{perTick: perTick} }

// Calibrate adds a calibration point: the foreign clock showed foreign when ours showed at.
func (c *Clock) Calibrate(foreign int64, at platform.Ticks) {
	c.latest = point{foreign, at}
	if !c.calibrated {
		c.first, c.calibrated = c.latest, true
	}
	if ours := float64(at - c.first.own); ours > 0 {
		c.drift = float64(foreign-c.first.foreign)*c.perTick/ours - 1
	}
}

// IsCalibrated reports whether there is a calibration point.
func (c *Clock) IsCalibrated() bool { return c.calibrated }

// Drift returns the relative error of the clock's given rate, from the first point to the latest: 1e-6 means that it
// gains a microsecond a second. It is 0 before the second point.
func (c *Clock) Drift() float64 { return c.drift }

// Ours converts a reading to our clock, by the latest point and the rate. It is not below 0.
func (c *Clock) Ours(foreign int64) platform.Ticks {
	return max(c.latest.own+platform.Ticks(float64(foreign-c.latest.foreign)*c.perTick), 0)
}
