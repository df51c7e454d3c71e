//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

func TestKeptHoldIsLikeAnyEntry(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	zoneA.Begin().End()
	for range 2 {
		h := zoneA.Hold()
		clock.advance(3)
		b := zoneB.Begin()
		clock.advance(4)
		Alloc(10)
		b.End()
		h.Keep(true)
	}
	got := collect(t, &f)
	want(t, got, "a", 6, 3, false)
	want(t, got, "a/b", 8, 2, false)
	if len(got) != 3 {
		t.Errorf("rows: got %v; want the root, a and a/b", got)
	}
	if n := f.Lanes[0].Extra(2); n.Allocs != 2 || n.AllocBytes != 20 {
		t.Errorf("allocations of a/b: got %d with %d bytes; want 2 with 20", n.Allocs, n.AllocBytes)
	}
}

func TestDiscardedHoldIsNotKept(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	for i := range 3 {
		c := zoneC.Begin()
		h := zoneA.Hold()
		clock.advance(3)
		b := zoneB.Begin()
		clock.advance(4)
		Alloc(10)
		if i == 0 {
			Discard()
		}
		b.End()
		h.Keep(i != 1) // the first is discarded although it would be kept, the last is kept
		c.End()
	}
	got := collect(t, &f)
	want(t, got, "c/(not kept)", 14, 2, false)
	want(t, got, "c/a", 3, 1, false)
	want(t, got, "c/a/b", 4, 1, false)
	want(t, got, "c", 0, 3, false)
	if len(got) != 5 {
		t.Errorf("rows: got %v; want 5", got)
	}
	if n := f.Lanes[0].Nodes[2]; f.Zones[n.Zone].Name == notKeptName && f.Lanes[0].Extra(2).AllocBytes != 20 {
		t.Errorf("bytes not kept: got %d; want 20", f.Lanes[0].Extra(2).AllocBytes)
	}
	if m := f.Misuse; m.MissingEnd+m.ExtraEnd != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

func TestMisusedHoldsAreKeptAndSumToTheFrame(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	Discard()
	Held{}.Keep(true)
	zones40[0].Hold().KeepIf(nil)
	outer := zoneC.Begin()
	h := zoneA.Hold()
	clock.advance(2)
	outer.End() // closes the hold
	h.Keep(false)
	other := zoneB.Hold()
	clock.advance(4)
	done := make(chan bool)
	go func() { other.Keep(false); done <- true }()
	<-done
	clock.advance(8)
	zoneC.Begin().End()
	got := collect(t, &f)
	if a := got["c/a"]; a.self != 2 || a.count != 1 || a.open {
		t.Errorf("never decided: got %+v; want it kept", a)
	}
	want(t, got, "(not kept)", 4, 1, false)
	if m := f.Misuse; m.MissingEnd != 1 || m.ExtraEnd != 1 || m.OtherLane != 1 {
		t.Errorf("misuse: got %+v; want one missing, one extra, one on another lane", m)
	}
	SetRecording(false)
	if got := zoneA.Hold(); got != (Held{}) {
		t.Errorf("off: got %v; want the zero Held", got)
	}
}

func TestHoldBeyondTheLimitsLosesNothing(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	SetLimits(Limits{NodesPerLane: 6})
	for range 5 {
		h := zoneA.Hold()
		for i := range 10 {
			s := zones40[i].Begin()
			clock.advance(1)
			s.End()
		}
		h.Keep(true)
	}
	var sum platform.Ticks
	var count uint32
	for _, r := range collect(t, &f) {
		sum, count = sum+r.self, count+r.count
	}
	if sum != 50 || count != 55 {
		t.Errorf("got %d ticks, %d entries; want 50, 55", sum, count)
	}
}

// TestHoldsAtFullSpeed takes the path through the assembly below the holds.
func TestHoldsAtFullSpeed(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	for i := range 1000 {
		h := zoneA.Hold()
		for range 3 {
			leaf := zoneB.Begin()
			zoneC.Begin().End()
			leaf.End()
		}
		h.Keep(i%4 == 0)
	}
	got := collect(t, &f)
	if got["a"].count != 250 || got["a/b"].count != 750 || got["a/b/c"].count != 750 || got[notKeptName].count != 750 ||
		len(got) != 5 {
		t.Errorf("got %+v; want 250, 750, 750 entries, and 750 not kept", got)
	}
	allocs := allocstest.PerRun(100, func() {
		h := zoneA.Hold()
		zoneB.Begin().End()
		h.Keep(false)
		zoneA.Hold().Keep(true)
	})
	if allocs != 0 && platform.Assembly {
		t.Errorf("allocations: got %v; want 0", allocs)
	}
}
