//go:build !iprof_off

package measure

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

var kept [][]byte

var zoneLarge, zoneSmall, zoneNone = Zone{Name: "large"}, Zone{Name: "small"}, Zone{Name: "none"}

// allocate takes n objects of a size in a zone, and returns what MemStats says they took.
func allocate(z *Zone, n, size int) (bytes, objects uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := z.Begin()
	for i := range n {
		kept[i] = make([]byte, size)
	}
	s.End()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}

// heapOf returns a zone's part of the heap in a frame, over all lanes.
func heapOf(f *Frame, name string) (bytes, objects uint64) {
	for l := range f.Lanes {
		for i := range f.Lanes[l].Nodes {
			if x := f.Lanes[l].Extra(i); f.Zones[f.Lanes[l].Nodes[i].Zone].Name == name || name == "" {
				bytes, objects = bytes+x.HeapBytes, objects+x.HeapObjects
			}
		}
	}
	return bytes, objects
}

// The heap by zone against runtime.MemStats: large objects to the byte, small ones to a span of their size on each P,
// the frame as the sum of its zones.
func TestHeapByZoneAgreesWithMemStats(t *testing.T) {
	useRealClock(t)
	defer SetMemoryMode(MemoryHeapPerFrame)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	kept = make([][]byte, 20_000)
	SetMemoryMode(MemoryHeapPerZone)
	var f Frame
	zoneNone.Begin().End() // the lane follows the mode from here on
	Collect(&f)
	Collect(&f)
	large, _ := allocate(&zoneLarge, 16, 1<<20)
	small, objects := allocate(&zoneSmall, 20_000, 48)
	zoneNone.Begin().End()
	Collect(&f)
	const span = 8192
	slack := float64(span * runtime.GOMAXPROCS(0))
	near := func(what string, got, want uint64, slack float64) {
		t.Helper()
		if d := float64(got) - float64(want); d > slack || d < -slack {
			t.Errorf("%s: got %d; want %d, at most %v off", what, got, want, slack)
		}
	}
	got, _ := heapOf(&f, "large")
	near("bytes of large objects", got, large, slack)
	got, n := heapOf(&f, "small")
	near("bytes of small objects", got, small, slack)
	near("small objects", n, objects, slack/48)
	got, _ = heapOf(&f, "none")
	near("bytes of nothing", got, 0, slack)
	all, _ := heapOf(&f, "")
	near("bytes of the frame", f.Memory.AllocBytes, all, slack)
	if f.Memory.Mode != MemoryHeapPerZone || f.Memory.Cost <= 0 {
		t.Errorf("got mode %v, cost %d; want %v and its cost", f.Memory.Mode, f.Memory.Cost, MemoryHeapPerZone)
	}
	kept = nil
}

func TestEachMemoryModeMeasuresWhatItSays(t *testing.T) {
	useRealClock(t)
	defer SetMemoryMode(MemoryHeapPerFrame)
	var f Frame
	for m := MemoryOff; m < NumMemoryModes; m++ {
		SetMemoryMode(m)
		for range 2 { // the first frame of a mode may have less
			zoneNone.Begin().End()
			Collect(&f)
		}
		kept = [][]byte{make([]byte, 1<<20)}
		s := zoneLarge.Begin()
		kept = append(kept, make([]byte, 1<<20))
		Alloc(10)
		Units(3)
		s.End()
		Collect(&f)
		x := NodeExtra{}
		for i := range f.Lanes[0].Nodes {
			if f.Zones[f.Lanes[0].Nodes[i].Zone].Name == "large" {
				x = f.Lanes[0].Extra(i)
			}
		}
		if got, want := x.AllocBytes, uint64(10); (m == MemoryOff) != (got == 0) || got > want {
			t.Errorf("%v: got %d bytes charged; want %d, or 0 when off", m, got, want)
		}
		if got := f.Memory.AllocBytes; (m < MemoryHeapPerFrame) != (got == 0) {
			t.Errorf("%v: got %d bytes a frame; want some from heap per frame on", m, got)
		}
		if got := x.HeapBytes; (m < MemoryHeapPerZone) != (got < 1<<20) || got > 1<<20+1<<16 {
			t.Errorf("%v: got %d bytes of the heap; want 1 MiB by zone", m, got)
		}
		if f.Memory.Mode != m || Memory() != m || x.Units != 3 {
			t.Errorf("got mode %v, %d units; want %v, 3", f.Memory.Mode, x.Units, m)
		}
	}
	if SetMemoryMode(99); Memory() != MemoryHeapPerZone {
		t.Errorf("got %v; want the last mode", Memory())
	}
	kept = nil
}

// Modes may be switched while zones are open on many goroutines, and times go on to add up.
func TestModesSwitchWhileZonesAreOpen(t *testing.T) {
	useRealClock(t)
	defer SetMemoryMode(MemoryHeapPerFrame)
	stop, done := make(chan bool), make(chan bool)
	for range 3 {
		go func() {
			defer func() { done <- true }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := zoneA.Begin()
				zoneB.Begin().End()
				Alloc(1)
				s.End()
			}
		}()
	}
	var f Frame
	for i := range 60 {
		SetMemoryMode(MemoryMode(i % NumMemoryModes))
		Collect(&f)
		for l := range f.Lanes {
			rows(t, &f, &f.Lanes[l])
		}
		runtime.Gosched()
	}
	close(stop)
	for range 3 {
		<-done
	}
	if f.Misuse.ExtraEnd+f.Misuse.MissingEnd > 0 {
		t.Errorf("got misuse %+v; want none", f.Misuse)
	}
}

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

// What it takes while LeaveOutHeap is on is in no frame and in no zone, whether a frame ends meanwhile or not. The
// oracle is the size of what is taken.
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

// The program takes a buffer while the profiler works. The program's usual rate does not make a part of the buffer the
// profiler's. Bytes that the profiler has named are not the program's.
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

// What the program's goroutines take while the profiler works stays theirs, by the rate of before. The profiler takes
// nothing here, and works half of the time. A busy machine lets them run less before than meanwhile, so there are ten
// tries.
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

// Many goroutines enter a zone, and take nothing else.
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

// Each pause of the collector is in the frame with it and in no later one, so that their sum is about the runtime's. A
// look at the frame in progress has it, too, and takes nothing from the frame.
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
// does, so the frames are compared with those before. By the test's clock no calibration is due, which would need some:
// on a busy machine each run of frames had one.
func TestLanesAtRestDoNotAllocate(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	least := func() float64 {
		return allocstest.PerRun(10, func() {
			clock.advance(1000)
			Collect(&f)
		})
	}
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
