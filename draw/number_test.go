package draw_test

import (
	"math"
	"testing"

	"example.com/iprof/draw"
)

// The unit of a time suits its size, and a place that has ms in its heading has only other units.
func TestTimesHaveTheUnitOfTheirSize(t *testing.T) {
	for _, c := range []struct {
		ms         float64
		with, bare string
	}{
		{0, "0.000 ms", "0.000"}, {12.3456, "12.346 ms", "12.346"}, {9999.9, "9999.900 ms", "9999.900"},
		{10_000, "10.00 s", "10.00 s"}, {-12_345, "-12.35 s", "-12.35 s"}, {599_999, "600.0 s", "600.0 s"},
		{600_000, "10.00 min", "10.00 min"}, {7.2e6, "120.0 min", "120.0 min"}, {7.2e7, "20.00 h", "20.00 h"},
		{1e12, "277777.8 h", "277777.8 h"}, {math.NaN(), "- ms", "-"}, {math.Inf(1), "- h", "- h"},
	} {
		if got := string(draw.AppendTime(nil, c.ms, 3)); got != c.with {
			t.Errorf("%v: got %q; want %q", c.ms, got, c.with)
		}
		if got := string(draw.AppendMilliseconds(nil, c.ms, 3)); got != c.bare {
			t.Errorf("%v: got %q; want %q", c.ms, got, c.bare)
		}
	}
}
