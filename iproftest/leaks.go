package iproftest

import (
	"testing"
	"time"

	"example.com/iprof/internal/goroutines"
	"example.com/iprof/internal/leaks"
	"example.com/iprof/internal/printed"
)

// leakGrace is how long NoLeaks waits for goroutines to end.
const leakGrace = 2 * time.Second

// NoLeaks fails a test that leaves goroutines behind: those that began after the call, and have not ended two seconds
// after the test and the functions of Cleanup that follow the call. The message names the go statement and what they
// wait for. Goroutines that package testing starts do not count. Those of tests that run in parallel do. With a Go that
// has GOEXPERIMENT=goroutineleakprofile the message also says how many of them nothing can ever wake.
func NoLeaks(t testing.TB) {
	t.Helper()
	w := &goroutines.Watch{Search: leaks.Search}
	w.Begin()
	t.Cleanup(func() {
		t.Helper()
		for wait, end := time.Millisecond, time.Now().Add(leakGrace); time.Now().Before(end); wait *= 2 {
			if w.Left(false).Alive == 0 {
				return
			}
			time.Sleep(min(wait, time.Until(end)))
		}
		left := w.Left(true)
		for i := range left.Statements {
			text := left.Statements[i].AppendText(nil, func(name string) string { return name })
			t.Errorf("iproftest: goroutines were left by %s", printed.Of(string(text)))
		}
	})
}
