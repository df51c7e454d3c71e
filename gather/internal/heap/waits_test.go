package heap

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
)

func TestWaitsAreKnownToThisGo(t *testing.T) {
	samples := []metrics.Sample{{Name: waitNames[0]}, {Name: waitNames[1]}}
	metrics.Read(samples)
	if samples[0].Value.Kind() != metrics.KindFloat64Histogram || samples[1].Value.Kind() != metrics.KindFloat64 {
		t.Errorf("got kinds %v and %v; want a histogram and a number", samples[0].Value.Kind(),
			samples[1].Value.Kind())
	}
}

// Goroutines that share one processor wait for it, and those that share a lock for that. The runtime samples both, so
// the test goes on until both are seen.
func TestWaitsAreSeen(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var w Waits
	var lock sync.Mutex
	var runQueue, locks time.Duration
	w.Read(true)
	for runQueue == 0 || locks == 0 {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 100 {
					lock.Lock()
					runtime.Gosched()
					lock.Unlock()
				}
			})
		}
		all.Wait()
		more, held := w.Read(true)
		runQueue, locks = runQueue+more, locks+held
	}
	if w.Read(true); allocstest.PerRun(10, func() { w.Read(true) }) != 0 {
		t.Error("got allocations; want none")
	}
}

func BenchmarkWaits(b *testing.B) {
	var w Waits
	b.ReportAllocs()
	for b.Loop() {
		w.Read(true)
	}
}
