//go:build !iprof_off

package measure

import (
	"math"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

// TestEverythingAtOnce enters zones on several goroutines while others end frames, peek, and switch recording. Run it
// with -race.
func TestEverythingAtOnce(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	entries := 30_000
	if !platform.Assembly || raceEnabled {
		entries = 2_000
	}
	var stop atomic.Bool
	var writers, readers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() { enterEverything(i, entries) })
	}
	total := laneEntries{name: "writer"}
	for i := range 2 {
		readers.Go(func() {
			var f, peek Frame
			var events []Event
			var calls []Calls
			for turn := 0; !stop.Load(); turn++ {
				if i == 0 {
					Peek(&peek)
				} else {
					SetEvents(turn % 3 * 64)
					zones40[turn%20].SetPerCall(turn%2 == 0)
					SetOverheadLimit(float64(turn/16%2) * 1e-6)
				}
				total.collect(t, &f)
				events = AppendEvents(events[:0], LaneID(turn%8), 0, platform.MaxTicks)
				calls = AppendCalls(calls[:0])
				zoneA.Begin().End()
			}
		})
	}
	writers.Wait()
	stop.Store(true)
	readers.Wait()
	SetOverheadLimit(0)
	for i := range zones40 {
		zones40[i].SetPerCall(false)
	}
	total.collect(t, &f)
	if want := uint64(4 * 4 * entries); total.count != want {
		t.Errorf("entries: got %d; want %d", total.count, want)
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.OtherLane != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

// enterEverything enters zones in every way there is, four a turn, on a lane named "writer".
func enterEverything(first, turns int) {
	lane := Register("writer")
	defer lane.Close()
	for j := range turns {
		s := zones40[j%20].Begin()
		zones40[(first+j)%40].In(lane).End()
		h := zones40[j%7].Hold()
		named("x").End()
		h.KeepIf(nil)
		Alloc(1)
		s.End()
	}
}

// laneEntries adds up the entries of the lanes of one name, over all frames.
type laneEntries struct {
	mu    sync.Mutex
	name  string
	count uint64
}

// collect ends a frame, checks that it adds up, and counts. Frames must not overtake each other on their way into the
// sum.
func (e *laneEntries) collect(t *testing.T, f *Frame) {
	e.mu.Lock()
	defer e.mu.Unlock()
	Collect(f)
	for i := range f.Lanes {
		l := &f.Lanes[i]
		var sum platform.Ticks
		for _, n := range l.Nodes {
			if l.Name == e.name {
				e.count += uint64(n.Count)
			}
			sum += n.Self
		}
		if sum != l.End-l.Begin {
			t.Errorf("sum of self: got %d; want %d", sum, l.End-l.Begin)
		}
	}
}

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
