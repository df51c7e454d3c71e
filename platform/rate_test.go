package platform

import (
	"fmt"
	"math"
	"testing"
)

func TestRateThatIsNone(t *testing.T) {
	defer SetClock(nil, 0)
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			SetClock(func() int64 { return 1 }, rate)
			if got := TicksPerSecond(); got != 1e9 {
				t.Errorf("rate %v: got %v; want 1e9", rate, got)
			}
		})
	}
}

// TestClocksAreReadTogether has a goroutine that is preempted between the readings of the two clocks.
func TestClocksAreReadTogether(t *testing.T) {
	for _, c := range []struct {
		preemptions int
		ok          bool
	}{{0, true}, {1, true}, {readings - 1, true}, {readings, false}} {
		t.Run(fmt.Sprint(c.preemptions), func(t *testing.T) {
			now, left := int64(5000), c.preemptions
			counter := func() Ticks { return Ticks(now) }
			wall := func() int64 {
				read := now
				if left--; left >= 0 {
					now += 1000
				}
				return read
			}
			p, ok := together(10, counter, wall)
			if ok != c.ok || ok && int64(p.ticks) != p.wall {
				t.Errorf("%d preemptions: got %+v, %v; want equal readings, %v", c.preemptions, p, ok, c.ok)
			}
		})
	}
}
