package exectrace

import (
	"context"
	"runtime/trace"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// Begin enters a zone like Zone.Begin. While an execution trace runs, it also begins a region with the zone's name in
// the task of ctx, so that go tool trace shows the zone. End both on the same goroutine, preferably in the same line:
//
//	defer exectrace.Begin(ctx, &physics).End()
//
// Without a trace it costs the same as the zone, with a trace 0.17 microseconds (BenchmarkBegin). So use it only for
// zones that you want to see in go tool trace. Regions of a goroutine must nest, as package runtime/trace says: go tool
// trace refuses a trace with other regions. Muted zones, and zones while recording is off, have regions, too. A nil
// zone has no region. Any goroutine may call it.
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
	region    *trace.Region // nil if no trace ran at the begin
	goroutine uint64        // goroutine on which the region began
}

// End ends the region and the zone. On another goroutine it leaves the region open, because a wrong end would make the
// trace unreadable. If the open region lies inside another region of its goroutine, the outer region's End still makes
// the trace unreadable.
func (r Region) End() {
	if r.region != nil && platform.Goroutine() == r.goroutine {
		r.region.End()
	}
	r.zone.End()
}
