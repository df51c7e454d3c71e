package api_test

import (
	"fmt"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

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

// BenchmarkUpdate measures the end of a frame in which 500 nodes were busy, and of one in which hardly any was: what a
// node costs is the difference. Update alone is on the clock; the benchmark's own would have to be stopped and started,
// which empties the caches.
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
		var shown report.Report
		process.Default().View().AppendReport(&shown)
		b.ResetTimer()
		for range b.N {
			process.Default().View().AppendReport(&shown)
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
	var frame gather.Frame
	gather.Collect(&frame)
	body()
	gather.Collect(&frame)
	for _, n := range frame.Lanes[0].Nodes[1:] {
		if n.Count > 0 {
			measure.SetMuted(n.Zone, true)
			defer measure.SetMuted(n.Zone, false)
		}
	}
	for range 2 { // it acts at the next zone of the lane
		body()
		gather.Collect(&frame)
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
