//go:build !iprof_off

package auto_test

import (
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// A request that takes far longer than those of its route is kept, with what it called.
func TestASlowRequestIsKept(t *testing.T) {
	query := gather.Zone{Name: "query of a slow request"}
	answer := func(took time.Duration) {
		defer auto.Request(new(int), "GET", "GET /slow-requests", "")()
		defer query.Begin().End()
		time.Sleep(took)
	}
	var f gather.Frame
	for range 100 {
		answer(10 * time.Microsecond)
	}
	gather.Collect(&f)
	answer(2 * time.Second)
	gather.Collect(&f)
	for _, c := range f.SlowCalls {
		if f.Zones[c.Zone].Name != "GET /slow-requests" || c.End-c.Begin < platform.Ticks(f.TicksPerSecond) {
			continue
		}
		if len(c.Parts) != 1 || f.Zones[c.Parts[0].Zone].Name != query.Name {
			t.Errorf("got parts %+v; want the query", c.Parts)
		}
		return
	}
	t.Errorf("got slow calls %+v; want the request of two seconds", f.SlowCalls)
}
