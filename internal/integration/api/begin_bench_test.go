package api_test

import (
	"runtime"
	"testing"

	"example.com/iprof"
	"example.com/iprof/platform"
)

// The bodies below are functions of their own that are never inlined, as the functions of a program would be: the bare
// call is part of every figure, and BenchmarkFloor's too.

var (
	outer = iprof.Zone{Name: "outer"}
	inner = iprof.Zone{Name: "inner"}
	other = iprof.Zone{Name: "other"}
	sink  platform.Ticks
	work  int
)

//go:noinline
func bare() { work++ }

//go:noinline
func twoTimestamps() {
	begin := platform.Now()
	work++
	sink += platform.Now() - begin
}

//go:noinline
func deferred() {
	defer outer.Begin().End()
	work++
}

//go:noinline
func paired() {
	s := outer.Begin()
	work++
	s.End()
}

//go:noinline
func onLane(lane *iprof.Lane) {
	defer outer.In(lane).End()
	work++
}

//go:noinline
func named() {
	defer iprof.Begin("named").End()
	work++
}

//go:noinline
func namedPair() {
	s := iprof.Begin("named pair")
	work++
	s.End()
}

//go:noinline
func selfNamed() {
	defer iprof.Func().End()
	work++
}

//go:noinline
func nested() {
	defer outer.Begin().End()
	leaf()
}

//go:noinline
func leaf() {
	defer inner.Begin().End()
	work++
}

//go:noinline
func otherCaller() {
	defer other.Begin().End()
	leaf()
}

//go:noinline
func recursive(depth int) {
	defer outer.Begin().End()
	if depth > 1 {
		recursive(depth - 1)
	}
}

// tree calls itself twice: 2^depth - 1 entries.
//
//go:noinline
func tree(depth int) {
	defer outer.Begin().End()
	if depth > 1 {
		tree(depth - 1)
		tree(depth - 1)
	}
}

// BenchmarkFloor measures two raw timestamps. No profiler that reads the clock at both ends is faster.
func BenchmarkFloor(b *testing.B) {
	for range b.N {
		twoTimestamps()
	}
}

// BenchmarkBareCall is the call that every other figure contains.
func BenchmarkBareCall(b *testing.B) {
	for range b.N {
		bare()
	}
}

// BenchmarkBegin measures one zone, begun and ended, with the clock of this machine and with Go's. Compare with the
// floor of the same clock in the same run.
func BenchmarkBegin(b *testing.B) {
	begins(b)
	b.Run("clock=go", func(b *testing.B) {
		platform.UseCounter(false)
		defer platform.SetClock(nil, 0)
		begins(b)
	})
}

func begins(b *testing.B) {
	loop := func(name string, zones int, body func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			body()
			b.ResetTimer()
			for range (b.N + zones - 1) / zones {
				body()
			}
		})
	}
	loop("floor", 1, twoTimestamps)
	loop("form=defer", 1, deferred)
	loop("form=pair", 1, paired)
	b.Run("form=lane", func(b *testing.B) { // each benchmark runs on a goroutine of its own
		b.ReportAllocs()
		lane := iprof.Register("benchmark")
		defer lane.Close()
		onLane(lane)
		b.ResetTimer()
		for range b.N {
			onLane(lane)
		}
	})
	loop("form=named", 1, named)
	loop("form=func", 1, selfNamed)
	loop("case=nested", 2, nested)
	loop("case=alternating", 4, func() { nested(); otherCaller() })
	loop("case=recursive", 32, func() { recursive(32) })
	loop("case=tree", 63, func() { tree(6) })
	iprof.SetRecording(false)
	loop("form=off", 1, deferred)
	iprof.SetRecording(true)
	b.Run("case=siblings", func(b *testing.B) { amongSiblings(b) })
	b.Run("case=demoted", func(b *testing.B) { govern(b, 1e-6, deferred) })
	b.Run("case=demoted-pair", func(b *testing.B) { govern(b, 1e-6, paired) })
	b.Run("case=demoted-named", func(b *testing.B) { govern(b, 1e-6, named) })
	b.Run("case=muted", func(b *testing.B) { mute(b, hushed) })
	b.Run("case=muted-pair", func(b *testing.B) { mute(b, hushedPair) })
	b.Run("case=muted-named", func(b *testing.B) { mute(b, named) })
	b.Run("case=muted-named-pair", func(b *testing.B) { mute(b, namedPair) })
	b.Run("case=muted-func", func(b *testing.B) { mute(b, selfNamed) })
}

// BenchmarkCount measures the numbers that a program tells about itself.
func BenchmarkCount(b *testing.B) {
	loop := func(name string, body func()) {
		b.Run("form="+name, func(b *testing.B) {
			b.ReportAllocs()
			defer outer.Begin().End()
			body()
			b.ResetTimer()
			for range b.N {
				body()
			}
		})
	}
	loop("count", func() { iprof.Count("benchmark") })
	loop("value", func() { iprof.Value("benchmark", work) })
	loop("units", func() { iprof.Units(1) })
	loop("alloc", func() { iprof.Alloc(64) })
	loop("free", func() { iprof.Free(64) })
}

// BenchmarkCrowd measures one zone, begun and ended, by eight goroutines on two processors, which take turns. A name
// costs what form=named takes beyond form=pair; core-ns/op is the time of a processor.
func BenchmarkCrowd(b *testing.B) {
	const processors, goroutines = 2, 8
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	for _, form := range []struct {
		name string
		body func(done *int)
	}{{"bare", aside}, {"pair", pairedAside}, {"named", namedAside}} {
		b.Run("form="+form.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(goroutines / processors)
			b.RunParallel(func(p *testing.PB) {
				done := 0
				for p.Next() {
					form.body(&done)
				}
			})
			b.ReportMetric(processors*float64(b.Elapsed().Nanoseconds())/float64(b.N), "core-ns/op")
		})
	}
}

// The goroutines of a crowd share no variable.

//go:noinline
func aside(done *int) { *done++ }

//go:noinline
func pairedAside(done *int) {
	s := outer.Begin()
	*done++
	s.End()
}

//go:noinline
func namedAside(done *int) {
	s := iprof.Begin("named aside")
	*done++
	s.End()
}
