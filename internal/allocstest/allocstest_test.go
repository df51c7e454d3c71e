package allocstest_test

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
)

var kept atomic.Pointer[[]byte]

func allocate() { b := make([]byte, 64); kept.Store(&b) }

func TestPerRunLeavesOutOtherGoroutines(t *testing.T) {
	until := time.Now().Add(20 * time.Millisecond)
	go func() {
		for time.Now().Before(until) {
			allocate()
		}
	}()
	if got := allocstest.PerRun(10, func() { time.Sleep(100 * time.Microsecond) }); got != 0 {
		t.Errorf("got %v allocations; want 0", got)
	}
}

func TestPerRunCounts(t *testing.T) {
	if got := allocstest.PerRun(10, func() { allocate(); allocate() }); got != 4 {
		t.Errorf("got %v allocations; want 4", got)
	}
}
