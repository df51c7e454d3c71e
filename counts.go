package iprof

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// Count adds 1 to the count of that name in this frame: shots fired, cache misses, draw calls. Reports show counts beside the
// zones, the viewer's second strip as a graph. It may be called from any goroutine, waits for none and allocates nothing; at
// most 256 names, the calls with others are only counted. Cost: BenchmarkCount.
//
//	iprof.Count("cache misses")
func Count(name string) { gather.Count(name) }

// CountN adds n, which may be below 0, to the count of that name.
func CountN(name string, n int) { gather.CountN(name, n) }

// Value sets the level of that name: what it is at the end of this frame, and of all later ones until it is set again. Of
// several goroutines that set it the last one wins. What is not finite is ignored. Otherwise it is like Count.
//
//	iprof.Value("entities", len(world.Entities))
func Value[N ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64](name string, v N) {
	gather.Value(name, float64(v))
}

// Units says that so many units of work were done in the zone that is open on the calling goroutine, so that reports can
// tell its nanoseconds per unit: entities stepped, rays traced, bytes parsed. A zone has one kind of unit; below 0 counts as 0.
//
//	defer iprof.Begin("step").End()
//	iprof.Units(len(world.Entities))
func Units(n int) { gather.Units(n) }

// MemoryMode is how much is measured of the program's memory. Each mode includes those before it.
type MemoryMode = gather.MemoryMode

// The memory modes, from the cheapest.
const (
	MemoryOff    = gather.MemoryOff    // nothing: Alloc and Free return at once
	MemoryOwn    = gather.MemoryOwn    // what Alloc and Free say, by zone
	HeapPerFrame = gather.HeapPerFrame // and the Go heap and its collector, by frame: the default, about a microsecond a frame
	HeapPerZone  = gather.HeapPerZone  // and the Go heap by zone: about a microsecond for each zone entered
)

// SetMemoryMode chooses how much is measured of the program's memory, from now on. Nothing of it stops the world.
//
// By zone the Go heap is as exact as the runtime tells without that: objects above 32 kB to the byte, small ones when the
// span that they lie in is full, which is 8 kB for most sizes. What other goroutines allocate while a zone is open may be charged
// to it, though every byte is charged once, and the sum over all zones is the frame's.
func SetMemoryMode(m MemoryMode) { process.Default().SetMemoryMode(m) }
