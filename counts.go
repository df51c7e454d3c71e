package iprof

import "example.com/iprof/gather"

// Count adds 1 to the count of that name in this frame: shots fired, cache misses, draw calls. Each frame starts at
// 0. The name is any text. At most 256 names are kept; calls with others are counted as dropped. Any goroutine may
// call it; it never blocks and does not allocate. Cost: BenchmarkCount in package gather.
//
//	iprof.Count("cache misses")
func Count(name string) { gather.Count(name) }

// CountN adds n to the count of that name. n may be negative. Otherwise it is like Count.
func CountN(name string, n int) { gather.CountN(name, n) }

// Value sets the level of that name. It holds at the end of this frame and of later ones until it is set again. When
// several goroutines set it, the last one wins. Infinities and NaN are ignored. Otherwise it is like Count.
//
//	iprof.Value("entities", len(world.Entities))
func Value[N ~int | ~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64](name string, v N) {
	gather.Value(name, float64(v))
}

// Units adds units of work to the zone open on the calling goroutine: entities stepped, rays traced, bytes parsed.
// Reports then show nanoseconds a unit. Use one kind of unit in a zone. Less than 0 counts as 0. Any goroutine may
// call it; it never blocks.
//
//	defer iprof.Begin("step").End()
//	iprof.Units(len(world.Entities))
func Units(n int) { gather.Units(n) }
