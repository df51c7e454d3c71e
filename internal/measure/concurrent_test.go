//go:build !iprof_off

package measure

import (
	"math"
	"sync"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

func TestNothingAllocates(t *testing.T) {
	if !platform.Assembly {
		t.Skip("runtime.Stack allocates")
	}
	useRealClock(t)
	lane := Register("allocating")
	defer lane.Close()
	var f Frame
	body := func() {
		s := zoneA.Begin()
		zoneB.In(lane).End()
		named("x").End()
		for range zoneC.Span {
			Alloc(1)
		}
		s.End()
		func() { defer zoneB.Begin().End() }()
	}
	body()
	Collect(&f)
	if got := allocstest.PerRun(200, body); got != 0 {
		t.Errorf("zones: got %v allocations; want 0", got)
	}
	for range 3 {
		body()
		Collect(&f)
	}
	if got := allocstest.PerRun(200, func() { body(); Collect(&f); Peek(&f) }); got != 0 {
		t.Errorf("Collect: got %v allocations; want 0", got)
	}
}

func TestMemoryOfAGoroutine(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector's memory is counted too")
	}
	for zones, limit := range map[int]int64{3: 1024, 20: 5 * 1024} {
		least := int64(math.MaxInt64)
		for tries := 0; tries < 5 && least > limit; tries++ { // the runtime allocates now and then, too
			least = min(least, memoryOfAGoroutine(t, zones))
		}
		if least > limit {
			t.Errorf("a goroutine in %d zones: got %d bytes; want at most %d", zones, least, limit)
		}
	}
}

// memoryOfAGoroutine is what each of many goroutines takes for having been in some zones.
func memoryOfAGoroutine(t *testing.T, zones int) int64 {
	useRealClock(t)
	const goroutines = 400
	enter, release := make(chan bool), make(chan bool)
	var in, all sync.WaitGroup
	in.Add(goroutines)
	for range goroutines {
		all.Go(func() {
			<-enter
			for i := range zones {
				zones40[i].Begin().End()
			}
			in.Done()
			<-release
		})
	}
	before := heapInUse()
	close(enter)
	in.Wait()
	per := (heapInUse() - before) / goroutines
	close(release)
	all.Wait()
	return per
}
