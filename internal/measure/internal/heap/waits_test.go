package heap

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
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

// The sum of the waits for a processor is about what the goroutines measure themselves. The runtime may sample a long
// wait or not, so the test goes on until the sums are long.
func TestTheWaitForAProcessorIsWhole(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var w Waits
	var all sync.WaitGroup
	var got time.Duration
	var waited atomic.Int64
	w.Read(true)
	for round := range 100 {
		for range 8 {
			all.Go(func() {
				for range 1000 {
					begun := time.Now()
					runtime.Gosched()
					waited.Add(int64(time.Since(begun)))
				}
			})
		}
		all.Wait()
		more, _ := w.Read(true)
		got += more
		if want := time.Duration(waited.Load()); round >= 5 && got > want/2 && got < want*2 {
			return
		}
	}
	t.Errorf("got waits of %v; want about %v", got, time.Duration(waited.Load()))
}
