package samples_test

import (
	"runtime"
	"testing"
	"time"

	"example.com/iprof/auto/internal/samples"
)

// A program that has ended reads its profile, and there may be no sample in it.
func TestStopNeverWaits(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("there is no profile")
	}
	done := make(chan int)
	go func() {
		n := 0
		for range 3 {
			samples.Start(100)
			samples.Stop(func(records []uint64) { n += len(records) })
		}
		done <- n
	}()
	select {
	case n := <-done:
		if n == 0 {
			t.Error("a profile has no record of its rate")
		}
	case <-time.After(5 * time.Minute):
		t.Error("Stop waits")
	}
}
