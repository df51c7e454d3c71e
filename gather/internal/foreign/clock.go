// Package foreign computes the times of lanes that another clock has timed, such as a GPU's.
//
// A Clock converts readings of that clock to ours. A Queue has the times of scopes until the frame in which they were
// issued is complete.
package foreign

import "example.com/iprof/platform"

// Clock is a foreign clock with a known rate. The caller guards it with a mutex.
type Clock struct {
	perTick       float64 // ticks of our clock in one of the foreign clock
	latest, first point   // of calibration
	calibrated    bool
	drift         float64
}

// point is one moment on both clocks.
type point struct {
	foreign int64
	ours    platform.Ticks
}

// NewClock returns a clock that is not calibrated. perTick is how many ticks of our clock one of its ticks takes.
func NewClock(perTick float64) Clock { return Clock{perTick: perTick} }

// Calibrate adds a calibration point: the foreign clock read foreign when ours read at.
func (c *Clock) Calibrate(foreign int64, at platform.Ticks) {
	c.latest = point{foreign, at}
	if !c.calibrated {
		c.first, c.calibrated = c.latest, true
	}
	if ours := float64(at - c.first.ours); ours > 0 {
		c.drift = float64(foreign-c.first.foreign)*c.perTick/ours - 1
	}
}

// IsCalibrated reports whether there is a calibration point.
func (c *Clock) IsCalibrated() bool { return c.calibrated }

// Drift returns how much faster the clock runs than its given rate, from the first point to the latest: 1e-6 is a
// microsecond a second. It is 0 before the second point.
func (c *Clock) Drift() float64 { return c.drift }

// Ours converts a reading to our clock, by the latest point and the rate. It is not below 0.
func (c *Clock) Ours(foreign int64) platform.Ticks {
	return max(c.latest.ours+platform.Ticks(float64(foreign-c.latest.foreign)*c.perTick), 0)
}
