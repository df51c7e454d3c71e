package gather_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// The bodies are functions that are never inlined, as a program's would be: the bare call is part of every figure.

var (
	outer  = gather.Zone{Name: "outer"}
	middle = gather.Zone{Name: "middle"}
	inner  = gather.Zone{Name: "inner"}
	sink   platform.Ticks
	work   int
)

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
func onLane(lane *gather.Lane) {
	defer outer.In(lane).End()
	work++
}

//go:noinline
func begin(name string) gather.Scope {
	slot, now, pc := platform.EnterCaller()
	return gather.OpenSite(slot, now, pc, name)
}

//go:noinline
func named() {
	defer begin("named").End()
	work++
}

//go:noinline
func span() {
	for range outer.Span {
		work++
	}
}

//go:noinline
func nested() {
	defer outer.Begin().End()
	nestedMiddle()
}

//go:noinline
func nestedMiddle() {
	defer middle.Begin().End()
	leaf()
}

//go:noinline
func leaf() {
	defer inner.Begin().End()
	work++
}

//go:noinline
func callsLeaf() {
	defer outer.Begin().End()
	leaf()
}

//go:noinline
func recursive(n int) {
	defer outer.Begin().End()
	if n > 1 {
		recursive(n - 1)
	}
}

func BenchmarkFloor(b *testing.B) {
	for b.Loop() {
		twoTimestamps()
	}
}

func BenchmarkBegin(b *testing.B) {
	run := func(name string, zones int, body func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body()
			}
			if zones > 1 {
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*zones), "ns/zone")
			}
		})
	}
	run("form=defer", 1, deferred)
	run("form=pair", 1, paired)
	run("form=named", 1, named)
	run("form=span", 1, span)
	b.Run("form=lane", func(b *testing.B) {
		lane := gather.Register("benchmark")
		defer lane.Close()
		for b.Loop() {
			onLane(lane)
		}
	})
	run("case=nested", 3, nested)
	run("case=alternating", 4, func() { callsLeaf(); nestedMiddle() })
	run("case=recursive", 32, func() { recursive(32) })
	b.Run("off", func(b *testing.B) {
		gather.SetRecording(false)
		defer gather.SetRecording(true)
		for b.Loop() {
			deferred()
		}
	})
}

// BenchmarkCollect/nodes=500 has 500 busy nodes to report in each frame.
func BenchmarkCollect(b *testing.B) {
	b.Run("nodes=500", func(b *testing.B) {
		zones := make([]gather.Zone, 25)
		busy := func() {
			for i := range zones {
				s := zones[i].Begin()
				for j := range 19 {
					zones[j].Begin().End()
				}
				s.End()
			}
		}
		lane := gather.Register("busy")
		defer lane.Close()
		var f gather.Frame
		busy()
		gather.Collect(&f)
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			busy()
			b.StartTimer()
			gather.Collect(&f)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*500), "ns/node")
	})
}
