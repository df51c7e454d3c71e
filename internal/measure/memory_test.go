//go:build !iprof_off

package measure

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

var keep []byte

func TestMemoryOfAFrame(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	const size = 1 << 20
	keep = make([]byte, size)
	runtime.GC()
	Collect(&f)
	if m := f.Memory; m.AllocBytes < size || m.AllocObjects < 1 || m.HeapLive < size || m.Cycles < 1 || m.Pause <= 0 {
		t.Errorf("got %+v; want at least %d bytes, a collection and its pause", m, size)
	}
	quiet := func() bool {
		Collect(&f)
		return f.Memory.AllocBytes < size && f.Memory.Cycles == 0 && f.Memory.Pause == 0
	}
	for tries := 0; !quiet(); tries++ { // the collector may run of itself
		if tries == 1000 {
			t.Fatalf("the frames after: got %+v; want little in one of them", f.Memory)
		}
	}
	keep = nil
}

// TestPausesAreInTheirFrame: each pause of the collector is in the frame with it and in no later one, so that their sum
// is about the runtime's. A look at the frame in progress has it, too, and takes nothing from the frame.
func TestPausesAreInTheirFrame(t *testing.T) {
	useFakeClock(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var f, peeked Frame
	var before, after runtime.MemStats
	Collect(&f)
	runtime.ReadMemStats(&before)
	sum := time.Duration(0)
	for i := range 20 {
		if i%2 == 0 {
			runtime.GC()
		}
		Peek(&peeked)
		Collect(&f)
		sum += f.Memory.Pause
		if (f.Memory.Pause > 0) != (i%2 == 0) || peeked.Memory.Pause != f.Memory.Pause {
			t.Errorf("frame %d: got a pause of %v, %v before its end; want some only in frames with a collection", i,
				f.Memory.Pause, peeked.Memory.Pause)
		}
	}
	runtime.ReadMemStats(&after)
	if want := time.Duration(after.PauseTotalNs - before.PauseTotalNs); sum < want/2 || sum > 2*want {
		t.Errorf("got pauses of %v in all; want about %v", sum, want)
	}
}

func TestCalibrateTellsACredibleCost(t *testing.T) {
	useRealClock(t)
	cost := Calibrate()
	var f Frame
	Collect(&f)
	seconds := float64(cost) / governor.Fraction / f.TicksPerSecond
	if seconds <= 0 || seconds > 1e-3 || f.ScopeCost <= 0 || f.ScopeCost > cost {
		t.Errorf("got %v s, %d in the frame; want more than 0, and no more than %d", seconds, f.ScopeCost, cost)
	}
}

// A lane at rest needs no memory in a frame, however many nodes it has. Without assembly, finding the caller's lane
// does, so the frames are compared with those before. The least of some runs has no calibration in it.
func TestLanesAtRestDoNotAllocate(t *testing.T) {
	var f Frame
	least := func() float64 { return allocstest.PerRun(10, func() { Collect(&f) }) }
	without := least()
	zones, filled, end := make([]Zone, 2000), make(chan bool), make(chan bool)
	go func() {
		defer Register("at rest").Close()
		for i := range zones {
			zones[i].Begin().End()
		}
		filled <- true
		<-end
	}()
	<-filled
	defer close(end)
	for range 3 {
		Collect(&f)
	}
	f = Frame{} // its memory has only had frames in which the lane rests
	if got := least(); got > without || without > 1 {
		t.Errorf("got %v allocations a frame; want %v as without the lane, at most 1", got, without)
	}
}

// A lane alive takes less than a kilobyte, and 176 bytes for each of its nodes, which are made by fours.
func TestMemoryOfALane(t *testing.T) {
	if !platform.Assembly || raceEnabled {
		t.Skip("finding a lane takes memory of its own")
	}
	useRealClock(t)
	for _, entered := range []int64{1, 3, 7, 30} {
		const goroutines = 2000
		release := make(chan bool)
		var in, all sync.WaitGroup
		in.Add(goroutines)
		before, used := heapInUse(), MemoryUsed().Total()
		for range goroutines {
			all.Go(func() {
				for i := range entered {
					zones40[i].Begin().End()
				}
				in.Done()
				<-release
			})
		}
		in.Wait()
		got := (MemoryUsed().Total() - used) / goroutines
		heap := (heapInUse() - before) / goroutines
		close(release)
		all.Wait()
		most := 1000 + 176*(entered+1+3) // with the root
		if got > most || got < 128*entered || heap > most+1000 {
			t.Errorf("%d nodes: got %d bytes a lane, and %d of the heap with its goroutine; want at most %d",
				entered, got, heap, most)
		}
		var f Frame
		for range 100 {
			Collect(&f) // the lanes are given up
		}
	}
}
