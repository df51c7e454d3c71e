//go:build !iprof_off

package api_test

import (
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

var (
	aroundReset = iprof.Zone{Name: "around reset"}
	countedOnly = iprof.Zone{Name: "counted only"}
)

// TestResetWhileZonesAreDemoted resets in the midst of entries that are hardly ever timed: earlier entries are gone,
// later ones are counted to the unit. A pause of the machine lets the governor time all again, so it has several goes.
func TestResetWhileZonesAreDemoted(t *testing.T) {
	iprof.SetOverheadLimit(0.005)
	defer iprof.SetOverheadLimit(0)
	for range 100 {
		if demoted(t) && resetAmongDemoted(t) {
			return
		}
	}
	t.Fatal("got every entry timed after each reset; want most only counted")
}

func enterCounted(n int) {
	for range n {
		countedOnly.Begin().End()
	}
}

// demoted makes frames of entries that cost more than they are worth. It reports whether the last left some untimed.
func demoted(t *testing.T) bool {
	t.Helper()
	var frame gather.Frame
	for range 7 {
		s := aroundReset.Begin()
		enterCounted(5000)
		s.End()
		gather.Collect(&frame)
	}
	return frame.Lanes[0].Untimed > 0
}

// resetAmongDemoted resets between entries and checks what is counted. It reports whether the time is estimated.
func resetAmongDemoted(t *testing.T) (estimated bool) {
	t.Helper()
	outer := aroundReset.Begin()
	enterCounted(1234)
	inner := countedOnly.Begin()
	iprof.Reset()
	inner.End()
	enterCounted(4321)
	outer.End()
	iprof.Update()
	found := 0
	for _, n := range process.Default().AppendTotals(nil) {
		switch process.Default().Zone(n.Zone).Name {
		case "counted only":
			found++
			estimated = n.Estimated == gather.EstimatedTime
			if n.Count != 4321 || n.Estimated != 0 && !estimated {
				t.Errorf("counted only: got %v entries, %v; want 4321, estimated in time at most", n.Count, n.Estimated)
			}
		case "around reset":
			found++
			if n.Count != 0 {
				t.Errorf("around reset: got %v entries; want none since", n.Count)
			}
		}
	}
	if found != 2 {
		t.Errorf("rows: got %d; want both zones, once", found)
	}
	return estimated
}
