package heap

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
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

// TestShortFramesShareAReadingOfTheWaits uses a clock of 1,000 ticks a second, so waits are read every 2 ticks.
func TestShortFramesShareAReadingOfTheWaits(t *testing.T) {
	var f Frame
	for _, c := range []struct{ now, waited platform.Ticks }{{10, 10}, {11, 10}, {12, 12}} {
		if f.Read(c.now, 1000, true); f.waited != c.waited {
			t.Errorf("at %d: got waits of %d; want %d", c.now, f.waited, c.waited)
		}
	}
	if f.Read(20, 1000, false); f.waited != 12 {
		t.Errorf("a look: got waits of %d; want 12", f.waited)
	}
}

// A look at the cost of readings leaves it, and a report takes it.
func TestACostIsReportedOnce(t *testing.T) {
	now := int64(0)
	platform.SetClock(func() int64 { now += 10; return now }, 1000)
	defer platform.SetClock(nil, 0)
	var m Meter
	m.Take()
	cost := m.Cost(false)
	if again := m.Cost(true); cost <= 0 || again != cost {
		t.Errorf("got a cost of %d, then %d; want the same, above 0", cost, again)
	}
	if left := m.Cost(true); left != 0 {
		t.Errorf("got %d after the report; want 0", left)
	}
}

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
