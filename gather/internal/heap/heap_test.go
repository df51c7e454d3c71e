package heap

import (
	"math"
	"runtime/metrics"
	"testing"
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
