//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/internal/measure/internal/governor"
)

// TestPerCallOfADemotedZone: to have a zone's calls counted, all its entries are timed again.
func TestPerCallOfADemotedZone(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	tiny.SetPerCall(true)
	t.Cleanup(func() { tiny.SetPerCall(false) })
	for range 8 * governor.Patience {
		busyFrame(c, r, 1000, 5)
		Collect(&f)
	}
	if f.Lanes[0].Untimed != 0 {
		t.Errorf("got %d entries untimed; want none", f.Lanes[0].Untimed)
	}
	before := callsOf(t, &tiny).Count
	busyFrame(c, r, 1000, 5)
	if got := callsOf(t, &tiny).Count - before; got != 1000 {
		t.Errorf("calls: got %d; want 1000", got)
	}
	tiny.SetPerCall(false)
	for range 8 * governor.Patience {
		busyFrame(c, r, 1000, 5)
		Collect(&f)
	}
	if f.Lanes[0].Untimed < 800 {
		t.Errorf("not counted any more: got %d entries untimed; want most of 1000", f.Lanes[0].Untimed)
	}
}

// TestPerCallBelowADemotedZone: entries inside untimed ones are timed as well when their calls are counted.
func TestPerCallBelowADemotedZone(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	frame := func() { nested(c, func() {}) }
	for range 8 {
		frame()
		Collect(&f)
	}
	if f.Lanes[0].Untimed < 1800 {
		t.Fatalf("got %d entries untimed; want most of 2000", f.Lanes[0].Untimed)
	}
	part.SetPerCall(true)
	t.Cleanup(func() { part.SetPerCall(false) })
	for range 8 {
		frame()
		got := collect(t, &f)
		want(t, got, "whole/tiny/part", 2000, 1000, false)
	}
	if f.Lanes[0].Untimed < 800 || nodeOf(&f, "part").Estimated != EstimatedNone {
		t.Errorf("got %d entries untimed, part %v; want those of tiny only", f.Lanes[0].Untimed,
			nodeOf(&f, "part").Estimated)
	}
	calls, all := uint64(0), zones.all()
	for _, x := range AppendCalls(nil) {
		if all[x.Zone].Name == "part" {
			calls += x.Count
		}
	}
	if calls != 8000 {
		t.Errorf("calls: got %d; want 8000", calls)
	}
}
