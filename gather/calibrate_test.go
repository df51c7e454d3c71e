//go:build !iprof_off

package gather

import (
	"testing"

	"example.com/iprof/platform"
)

func TestCalibrateOnAClockThatStandsStill(t *testing.T) {
	useFakeClock(t)
	if got := Calibrate(); got != 0 {
		t.Errorf("cost of a pair: got %d; want 0", got)
	}
}

// TestCalibrateOnAClockThatGoesBack has the clock go back in some of the bursts.
func TestCalibrateOnAClockThatGoesBack(t *testing.T) {
	now, reads := int64(1_000_000), 0
	platform.SetClock(func() int64 {
		now += 7
		if reads++; reads%1997 == 0 {
			now -= 300
		}
		return now
	}, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	forget()
	Calibrate()
	if c := costs(); c.pair < 7 || c.inside < 7 || c.inside > c.pair {
		t.Errorf("costs: got %+v; want a pair of two readings, and one of them inside", c)
	}
}
