//go:build !iprof_off

package gather

import (
	"math/rand"
	"testing"

	"example.com/iprof/platform"
)

// TestAnInterruptionIsForgotten has something come between in one run: the scatter grows by that, and is what it was some
// tens of thousands of runs later.
func TestAnInterruptionIsForgotten(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var m member
	tell := func(took int) {
		m.self, m.entries = platform.Ticks(took), 10
		m.tell()
	}
	run := func(times int) float64 {
		for range times {
			tell(1000 + r.Intn(100))
		}
		return m.scatter()
	}
	usual := run(10_000)
	tell(1e6)
	if got := m.scatter(); got < 100*usual {
		t.Errorf("after an interruption: got a variance of %.0f; want far more than the usual %.0f", got, usual)
	}
	if got := run(60_000); got > 1.2*usual {
		t.Errorf("long after an interruption: got a variance of %.0f; want the usual %.0f", got, usual)
	}
}
