package main

import (
	"testing"
	"time"
)

func TestTheTruthIsJudgedWithItsError(t *testing.T) {
	for _, c := range []struct {
		truth, off time.Duration
		want       string
	}{{50, 0, "yes"}, {5, 4, "NO"}, {5, 5, "perhaps"}, {105, 4, "NO"}, {105, 5, "perhaps"}, {-20, 30, "perhaps"}} {
		if got := inside(c.truth, c.off, 10, 100); got != c.want {
			t.Errorf("%d with an error of %d: got %s; want %s", c.truth, c.off, got, c.want)
		}
	}
}

// The one difference that another program disturbed moves neither the median nor its error much.
func TestADisturbedRunCountsLittle(t *testing.T) {
	calm := []time.Duration{100, 101, 99, 102, 98, 100, 100, 100_000}
	m := median(calm)
	off := uncertainty(calm)
	if m < 98 || m > 102 || off <= 0 || off > 4 {
		t.Errorf("got %d with an error of %d; want about 100, and some", m, off)
	}
}
