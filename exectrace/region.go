package exectrace

import (
	"context"
	"runtime/trace"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// Begin enters a zone as Zone.Begin does, and, while an execution trace runs, begins a region of its name in the task
// of ctx, so that go tool trace shows the zone. End both on the same goroutine, preferably in the same line:
//
//	defer exectrace.Begin(ctx, &physics).End()
//
// Without a trace it costs what the zone costs; with one, 0.17 microseconds (BenchmarkBegin). So it is for the zones
// that you want to see there, not for all. Regions of a goroutine must nest, as package runtime/trace says: go tool
// trace refuses a trace in which they do not. The region is there if the zone is muted, too, or recording is off. A nil
// zone has none. Any goroutine may call it.
func Begin(ctx context.Context, z *gather.Zone) Region {
	r := Region{zone: z.Begin()}
	if z != nil && trace.IsEnabled() {
		r.region, r.goroutine = trace.StartRegion(ctx, z.Name), platform.Goroutine()
	}
	return r
}

// Region is an entry of a zone that go tool trace shows, too: see [Begin]. The End of a zero Region does nothing.
type Region struct {
	zone      gather.Scope
	region    *trace.Region // nil: no trace ran at the begin
	goroutine uint64        // that the region began on
}

// End ends the region and the zone. On another goroutine it leaves the region open, as nobody could read the trace
// otherwise. If the region lies in another of its goroutine, the other's End still makes the trace unreadable.
func (r Region) End() {
	if r.region != nil && platform.Goroutine() == r.goroutine {
		r.region.End()
	}
	r.zone.End()
}
