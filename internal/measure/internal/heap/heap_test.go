package heap

import (
	"math"
	"runtime/metrics"
	"testing"

	"example.com/iprof/platform"
)

func TestMetricsAreKnownToThisGo(t *testing.T) {
	known := map[string]metrics.ValueKind{}
	for _, d := range metrics.All() {
		known[d.Name] = d.Kind
	}
	for _, name := range names {
		if known[name] == metrics.KindBad {
			t.Errorf("metric %s: got none; want it", name)
		}
	}
}

func TestMiddleOfABucket(t *testing.T) {
	for _, c := range [][3]float64{{1, 3, 2}, {math.Inf(-1), 3, 3}, {3, math.Inf(1), 3}} {
		if got := middle(c[0], c[1]); got != c[2] {
			t.Errorf("%v..%v: got %v; want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestShortFramesShareAReadingOfTheWaits uses a clock of 1,000 ticks a second, so waits are read every 2 ticks.
func TestShortFramesShareAReadingOfTheWaits(t *testing.T) {
	var f Frame
	for _, c := range []struct{ now, waited platform.Ticks }{{10, 10}, {11, 10}, {12, 12}} {
		if f.Read(c.now, 1000, true); f.waited != c.waited {
			t.Errorf("at %d: got waits of %d; want %d", c.now, f.waited, c.waited)
		}
	}
	if f.Read(20, 1000, false); f.waited != 12 {
		t.Errorf("a look: got waits of %d; want 12", f.waited)
	}
}

// A look at the cost of readings leaves it, and a report takes it.
func TestACostIsReportedOnce(t *testing.T) {
	now := int64(0)
	platform.SetClock(func() int64 { now += 10; return now }, 1000)
	defer platform.SetClock(nil, 0)
	var m Meter
	m.Take()
	cost := m.Cost(false)
	if again := m.Cost(true); cost <= 0 || again != cost {
		t.Errorf("got a cost of %d, then %d; want the same, above 0", cost, again)
	}
	if left := m.Cost(true); left != 0 {
		t.Errorf("got %d after the report; want 0", left)
	}
}
