package measure_test

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// The bodies are functions that are never inlined, as a program's would be: the bare call is part of every figure.

var (
	outer = measure.Zone{Name: "outer"}
	inner = measure.Zone{Name: "inner"}
	work  int
)

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
func begin(name string) measure.Scope {
	slot, now, pc := platform.EnterCaller()
	return measure.OpenSite(slot, now, pc, name)
}

//go:noinline
func named() {
	defer begin("named").End()
	work++
}

//go:noinline
func leaf() {
	defer inner.Begin().End()
	work++
}

// BenchmarkCollect times Collect alone, after 500 nodes were busy; with nodes=1 it shows the part that does not depend
// on them.
func BenchmarkCollect(b *testing.B) {
	zones := make([]measure.Zone, 25)
	for _, nodes := range []int{1, 500} {
		b.Run(fmt.Sprint("nodes=", nodes), func(b *testing.B) {
			busy := func() {
				for i := range nodes / 20 {
					s := zones[i].Begin()
					for j := range 19 {
						zones[j].Begin().End()
					}
					s.End()
				}
				outer.Begin().End()
			}
			lane := measure.Register("busy")
			defer lane.Close()
			var f measure.Frame
			var spent, least platform.Ticks = 0, platform.MaxTicks
			b.ReportAllocs()
			for b.Loop() {
				busy()
				begin := platform.Now()
				measure.Collect(&f)
				took := platform.Now() - begin
				spent, least = spent+took, min(least, took)
			}
			perNode := 1e9 / platform.TicksPerSecond() / float64(nodes)
			b.ReportMetric(float64(spent)*perNode/float64(b.N), "ns/node")
			b.ReportMetric(float64(least)*perNode, "least-ns/node")
		})
	}
}

// BenchmarkEvents is BenchmarkBegin while the lane keeps so many events.
func BenchmarkEvents(b *testing.B) {
	defer measure.SetEvents(0)
	for _, keep := range []int{1 << 10, 1 << 16, 1 << 20} {
		measure.SetEvents(keep)
		for _, form := range []struct {
			name string
			body func()
		}{{"form=defer", deferred}, {"form=pair", paired}, {"form=named", named}} {
			b.Run(fmt.Sprint(form.name, "/keep=", keep), func(b *testing.B) {
				for b.Loop() {
					form.body()
				}
			})
		}
	}
}

//go:noinline
func texted() {
	s := outer.Begin()
	s.Text("chunk 12,7")
	work++
	s.End()
}

//go:noinline
func valued() {
	s := outer.Begin()
	s.Value(float64(work))
	work++
	s.End()
}

// BenchmarkScopeText is BenchmarkBegin with a Text or a Value of each entry, without events and with them.
func BenchmarkScopeText(b *testing.B) {
	defer measure.SetEvents(0)
	f := new(measure.Frame)
	for _, keep := range []int{0, 1 << 12} {
		measure.SetEvents(keep)
		for _, form := range []struct {
			name string
			body func()
		}{{"case=none", paired}, {"case=text", texted}, {"case=value", valued}} {
			b.Run(fmt.Sprint(form.name, "/keep=", keep), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if form.body(); i%measure.MaxRemarks == measure.MaxRemarks-1 {
						b.StopTimer()
						measure.Collect(f)
						b.StartTimer()
					}
				}
			})
		}
	}
}

// BenchmarkPerCall is BenchmarkBegin of a zone whose calls are counted, and of another one on the same lane.
func BenchmarkPerCall(b *testing.B) {
	outer.SetPerCall(true)
	defer outer.SetPerCall(false)
	for _, form := range []struct {
		name string
		body func()
	}{{"form=defer", deferred}, {"form=pair", paired}, {"case=other", leaf}} {
		b.Run(form.name, func(b *testing.B) {
			outer.Begin().End()
			for b.Loop() {
				form.body()
			}
		})
	}
}
