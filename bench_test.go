package iprof_test

import (
	"fmt"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// The bodies below are functions of their own that are never inlined, as the functions of a program would be: the bare call
// is part of every figure, and BenchmarkFloor's too.

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

// BenchmarkFloor is what no profiler that reads the clock at both ends can beat: two raw timestamps.
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

// BenchmarkBegin measures one zone, begun and ended. Compare with BenchmarkFloor of the same run.
func BenchmarkBegin(b *testing.B) {
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

// zones are enough to make the trees of the benchmarks below.
var zones = func() []iprof.Zone {
	zones := make([]iprof.Zone, 500)
	for i := range zones {
		zones[i].Name = fmt.Sprintf("zone %03d", i)
	}
	return zones
}()

// enter runs through all zones, ten levels deep.
func enter() {
	for i := 0; i < len(zones); i += 10 {
		descend(zones[i : i+10])
	}
}

func descend(rest []iprof.Zone) {
	if len(rest) == 0 {
		return
	}
	defer rest[0].Begin().End()
	descend(rest[1:])
}

// BenchmarkUpdate measures the end of a frame in which 500 nodes were busy, and of one in which hardly any was: what a node
// costs is the difference. Update alone is on the clock; the benchmark's own would have to be stopped and started, which
// empties the caches.
func BenchmarkUpdate(b *testing.B) {
	for _, nodes := range []int{1, 500} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			b.ReportAllocs()
			lane := iprof.Register("update") // without the twins of lanes that were above an overhead limit
			defer lane.Close()
			for range 3 {
				enter()
				iprof.Update()
			}
			var spent, least platform.Ticks = 0, platform.MaxTicks
			b.ResetTimer()
			for range b.N {
				if nodes > 1 {
					enter()
				}
				begin := platform.Now()
				iprof.Update()
				took := platform.Now() - begin
				spent, least = spent+took, min(least, took)
			}
			ns := 1e9 / platform.TicksPerSecond()
			b.ReportMetric(float64(spent)*ns/float64(b.N)/float64(nodes), "ns/node")
			b.ReportMetric(float64(least)*ns/float64(nodes), "least-ns/node")
		})
	}
}

// BenchmarkReport measures building one report of 500 zones.
func BenchmarkReport(b *testing.B) {
	b.Run("zones=500", func(b *testing.B) {
		b.ReportAllocs()
		enter()
		iprof.Update()
		var report process.Report
		process.Default().AppendReport(&report)
		b.ResetTimer()
		for range b.N {
			process.Default().AppendReport(&report)
		}
	})
}

// amongSiblings measures sixteen zones below one.
func amongSiblings(b *testing.B) {
	defer outer.Begin().End()
	body := func() {
		for i := range zones[:16] {
			sibling(&zones[i])
		}
	}
	body()
	b.ReportAllocs()
	b.ResetTimer()
	for range (b.N + 15) / 16 {
		body()
	}
}

//go:noinline
func sibling(z *iprof.Zone) {
	defer z.Begin().End()
	work++
}

var quiet = iprof.Zone{Name: "quiet"} // nothing is ever entered inside it

//go:noinline
func hushed() {
	defer quiet.Begin().End()
	work++
}

//go:noinline
func hushedPair() {
	s := quiet.Begin()
	work++
	s.End()
}

// mute measures a body whose zones are muted.
func mute(b *testing.B, body func()) {
	iprof.SetOverheadLimit(1e-6)
	defer iprof.SetOverheadLimit(0)
	var frame gather.Frame
	for range 500 {
		for range 1000 {
			body()
		}
		if gather.Collect(&frame); frame.Lanes[0].Muted > 0 {
			break
		}
	}
	if frame.Lanes[0].Muted == 0 {
		b.Skip("nothing is muted")
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		body()
	}
}

// govern measures a body whose zones are demoted.
func govern(b *testing.B, limit float64, body func()) {
	iprof.SetOverheadLimit(limit)
	defer iprof.SetOverheadLimit(0)
	for range 8 {
		for range 10_000 {
			body()
		}
		iprof.Update()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		body()
	}
}
