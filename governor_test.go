//go:build !iprof_off

package iprof_test

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

// TestResetWhileZonesAreDemoted resets in the midst of entries that are hardly ever timed: what came before is gone,
// what comes after is counted to the unit.
func TestResetWhileZonesAreDemoted(t *testing.T) {
	iprof.SetOverheadLimit(0.005)
	defer iprof.SetOverheadLimit(0)
	enter := func(n int) {
		for range n {
			countedOnly.Begin().End()
		}
	}
	var frame gather.Frame
	for range 7 {
		s := aroundReset.Begin()
		enter(5000)
		s.End()
		gather.Collect(&frame)
	}
	if frame.Lanes[0].Untimed == 0 {
		t.Fatal("got every entry timed; want most only counted")
	}
	outer := aroundReset.Begin()
	enter(1234)
	inner := countedOnly.Begin()
	iprof.Reset()
	inner.End()
	enter(4321)
	outer.End()
	iprof.Update()
	found := 0
	for _, n := range process.Default().AppendTotals(nil) {
		switch process.Default().Zone(n.Zone).Name {
		case "counted only":
			found++
			if n.Count != 4321 || n.Estimated != gather.EstimatedTime {
				t.Errorf("counted only: got %v entries, %v; want 4321, estimated in time only", n.Count, n.Estimated)
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
}
