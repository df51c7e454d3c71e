//go:build !iprof_off

package integration_test

import (
	"io"
	"runtime"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// A report of a program that never calls Update leaves nothing behind, and takes less than a hundred bytes for each of
// its stacks.
func TestReportsWithoutUpdateArePassing(t *testing.T) {
	limited(t, gather.Limits{})
	const goroutines, wide = 8, 20
	zones := make([]iprof.Zone, wide)
	crowd(goroutines, step{func() {
		for a := range zones {
			outer := zones[a].Begin()
			for b := range zones {
				inner := zones[b].Begin()
				for c := range zones {
					zones[c].Begin().End()
				}
				inner.End()
			}
			outer.End()
		}
	}, func() {
		if err := iprof.WriteTree(io.Discard); err != nil { // makes the paths
			t.Fatal(err)
		}
		live := heapNow()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 4 {
			must.Do(t, iprof.WriteTree(io.Discard))
		}
		runtime.ReadMemStats(&after)
		const stacks = goroutines * (wide + wide*wide + wide*wide*wide)
		if got := (after.TotalAlloc - before.TotalAlloc) / 4; got > 100*stacks+8<<20 {
			t.Errorf("a report of %d stacks: got %d bytes allocated; want less than 100 a stack and 8 MB", stacks, got)
		}
		if got := heapNow() - live; got > 1<<20 {
			t.Errorf("got %d bytes left behind by four reports; want less than 1 MB", got)
		}
	}})
}
