package platform

import (
	"math"
	"testing"
)

func TestRateThatIsNone(t *testing.T) {
	defer SetClock(nil, 0)
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		SetClock(func() int64 { return 1 }, rate)
		if got := TicksPerSecond(); got != 1e9 {
			t.Errorf("rate %v: got %v; want 1e9", rate, got)
		}
	}
}
