//go:build !iprof_off

package measure

import (
	"runtime"
	"runtime/debug"
	"testing"
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
