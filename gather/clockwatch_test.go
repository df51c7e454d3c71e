//go:build !iprof_off

package gather

import (
	"fmt"
	"testing"
	"time"

	"example.com/iprof/platform"
)

func TestClocksThatDiffer(t *testing.T) {
	for _, c := range []struct {
		ticks, wall float64
		want        bool
	}{{0.016, 0.016, false}, {5, 5.5, false}, {60, 0.01, true}, {0.01, 60, true}} {
		t.Run(fmt.Sprint(c.ticks), func(t *testing.T) {
			if got := differ(c.ticks, c.wall); got != c.want {
				t.Errorf("%v s by ticks, %v s by the wall: got %v; want %v", c.ticks, c.wall, got, c.want)
			}
		})
	}
}

// TestJumpIsFoundOnce moves the machine's clock of the last comparison an hour back.
func TestJumpIsFoundOnce(t *testing.T) {
	var w clockWatch
	check := func(name string, now platform.Ticks, want bool) {
		t.Helper()
		if got := w.jumped(now, platform.TicksPerSecond()); got != want {
			t.Errorf("%s: got a jump %t; want %t", name, got, want)
		}
	}
	if _, _, ok := platform.Wall(); !ok {
		t.Skip("the clock in use is no counter")
	}
	check("first", platform.Now(), false)
	w.wall -= time.Hour
	check("too early", w.checked, false)
	check("an hour later", w.checked+platform.Ticks(2*checkEvery*platform.TicksPerSecond()), true)
	check("again", w.checked+platform.Ticks(2*checkEvery*platform.TicksPerSecond()), false)
}

// TestRateIsMeasuredAgainAtTimes uses a clock of 1,000 ticks a second.
func TestRateIsMeasuredAgainAtTimes(t *testing.T) {
	platform.SetClock(func() int64 { return 0 }, 1000)
	defer platform.SetClock(nil, 0)
	var w clockWatch
	for _, c := range []struct{ now, refined platform.Ticks }{{100, 0}, {101, 101}, {201, 101}, {202, 202}} {
		if rate := w.rate(c.now); rate != 1000 || w.refined != c.refined {
			t.Errorf("at %d: got rate %g, measured at %d; want 1000, %d", c.now, rate, w.refined, c.refined)
		}
	}
}
