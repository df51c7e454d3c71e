//go:build !iprof_off

package measure

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var heapSink atomic.Pointer[[16 << 10]byte]

const megabyte = 1 << 20

// heapSlack is by how much the heap's figures may be off: small objects count when their span is full.
const heapSlack = 512 << 10

// wantHeap compares what a frame says of the heap with the bytes that the program has taken.
func wantHeap(t *testing.T, what string, f *Frame, want int) {
	t.Helper()
	if got := int(f.Memory.AllocBytes); got < want-heapSlack || got > want+heapSlack {
		t.Errorf("%s: the frame has %d bytes; want %d", what, got, want)
	}
	if all, _ := heapOf(f, ""); f.Memory.Mode == MemoryHeapPerZone &&
		(int(all) < want-heapSlack || int(all) > want+heapSlack) {
		t.Errorf("%s: the zones have %d bytes; want %d", what, all, want)
	}
}

// TestTheProfilersHeapIsLeftOut: what it takes while LeaveOutHeap is on is in no frame and in no zone, whether a frame
// ends meanwhile or not. The oracle is the size of what is taken.
func TestTheProfilersHeapIsLeftOut(t *testing.T) {
	useRealClock(t)
	defer SetMemoryMode(MemoryHeapPerFrame)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func() { kept = nil }()
	var f Frame
	for _, mode := range []MemoryMode{MemoryHeapPerFrame, MemoryHeapPerZone} {
		t.Run(mode.String(), func(t *testing.T) {
			kept = make([][]byte, 8)
			SetMemoryMode(mode)
			zoneNone.Begin().End()
			runtime.ReadMemStats(new(runtime.MemStats)) // counts the small objects so far
			Collect(&f)
			Collect(&f)
			LeaveOutHeap(0)()
			end := LeaveOutHeap(2 * megabyte)
			kept[0] = make([]byte, 2*megabyte)
			zoneNone.Begin().End()
			Collect(&f)
			wantHeap(t, "a frame that ends in the profiler's work", &f, 0)
			inner := LeaveOutHeap(4 * megabyte)
			kept[1] = make([]byte, 3*megabyte)
			inner()
			end()
			allocate(&zoneLarge, 3, megabyte)
			zoneNone.Begin().End()
			Collect(&f)
			wantHeap(t, "the program's own", &f, 3*megabyte)
			if got, _ := heapOf(&f, "large"); mode == MemoryHeapPerZone &&
				(got < 3*megabyte-heapSlack || got > 3*megabyte+heapSlack) {
				t.Errorf("the zone has %d bytes; want 3 MB", got)
			}
			LeaveOutHeap(0)() // the program has taken nothing since: its rate is none
			end = LeaveOutHeap(4 * megabyte)
			kept[2] = make([]byte, 16*megabyte)
			end()
			zoneNone.Begin().End()
			Collect(&f)
			wantHeap(t, "more than the profiler ever takes there", &f, 16*megabyte)
		})
	}
}

// TestABufferIsNoPartOfTheProfilersWork: the program takes a buffer while the profiler works. The program's usual rate
// does not make a part of the buffer the profiler's. Bytes that the profiler has named are not the program's.
func TestABufferIsNoPartOfTheProfilersWork(t *testing.T) {
	useRealClock(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func() { kept = nil }()
	kept = make([][]byte, 40)
	runtime.ReadMemStats(new(runtime.MemStats)) // counts the small objects so far
	var f Frame
	Collect(&f)
	for i := 0; i < len(kept); i += 4 {
		LeaveOutHeap(0)()
		kept[i] = make([]byte, megabyte)
		time.Sleep(10 * time.Millisecond)
		end := LeaveOutHeap(megabyte)
		kept[i+1] = make([]byte, megabyte+64<<10)
		TookHeap(2*megabyte, 2)
		kept[i+2], kept[i+3] = make([]byte, megabyte), make([]byte, megabyte)
		time.Sleep(5 * time.Millisecond)
		end()
	}
	zoneNone.Begin().End()
	Collect(&f)
	wantHeap(t, "buffers", &f, len(kept)/4*(2*megabyte+64<<10))
}

// TestTheProgramAllocatesBesideTheProfiler: what the program's goroutines take while the profiler works stays theirs,
// by the rate of before. The profiler takes nothing here, and works half of the time. A busy machine lets them run less
// before than meanwhile, so there are ten tries.
func TestTheProgramAllocatesBesideTheProfiler(t *testing.T) {
	useRealClock(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var got, all float64
	for range 10 {
		if got, all = allocateBeside(); got >= 0.7*all && got <= all+heapSlack {
			return
		}
	}
	t.Errorf("the frame has %.0f bytes of %.0f; half of them came while the profiler worked", got, all)
}

// allocateBeside returns the bytes that a frame has of those that a goroutine takes, and how many these are.
func allocateBeside() (got, all float64) {
	var f Frame
	Collect(&f)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	stop := make(chan bool)
	var ended sync.WaitGroup
	ended.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				heapSink.Store(new([16 << 10]byte))
				time.Sleep(20 * time.Microsecond)
			}
		}
	})
	for range 40 {
		time.Sleep(5 * time.Millisecond)
		end := LeaveOutHeap(4 * megabyte)
		time.Sleep(5 * time.Millisecond)
		end()
	}
	close(stop)
	ended.Wait()
	Collect(&f)
	runtime.ReadMemStats(&after)
	return float64(f.Memory.AllocBytes), float64(after.TotalAlloc - before.TotalAlloc)
}

// TestNodesAndLanesAreNotTheProgramsHeap: many goroutines enter a zone, and take nothing else.
func TestNodesAndLanesAreNotTheProgramsHeap(t *testing.T) {
	useRealClock(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const goroutines = 1500
	entered := func(z *Zone) (bytes int) {
		var f Frame
		Collect(&f)
		var started, ended sync.WaitGroup
		started.Add(goroutines)
		hold := make(chan bool)
		for range goroutines {
			ended.Go(func() {
				if z != nil {
					defer z.Begin().End()
				}
				started.Done()
				<-hold
			})
		}
		started.Wait()
		Collect(&f)
		close(hold)
		ended.Wait()
		return int(f.Memory.AllocBytes)
	}
	plain := entered(nil)
	if zoned := entered(&zoneSmall); zoned-plain > goroutines*100 {
		t.Errorf("%d goroutines with a zone: the frame has %d bytes; without: %d", goroutines, zoned, plain)
	}
}
