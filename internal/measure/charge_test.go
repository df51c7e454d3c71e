//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

// chargesByZone sums up what the updater's nodes did besides, by zone.
func chargesByZone(f *Frame) map[string]NodeExtra {
	got := map[string]NodeExtra{}
	for i, n := range f.Lanes[0].Nodes {
		x := f.Lanes[0].Extra(i)
		if x == (NodeExtra{Node: int32(i)}) {
			continue
		}
		sum := got[f.Zones[n.Zone].Name]
		x.Node, x.Variance, x.Estimated = 0, 0, 0
		sum.Add(&x)
		got[f.Zones[n.Zone].Name] = sum
	}
	return got
}

// Entries that the governor does not time are charged like all others.
func TestChargesOfDemotedZonesAreExact(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	for range 8 {
		s := whole.Begin()
		for i := range 1000 {
			in := tiny.Begin()
			Alloc(i)
			Units(2)
			c.advance(5)
			in.End()
			c.advance(1)
		}
		s.End()
		Collect(&f)
		got := chargesByZone(&f)["tiny"]
		got.Estimated, got.Variance = EstimatedNone, 0
		if want := (NodeExtra{Allocs: 1000, AllocBytes: 999 * 500, Units: 2000}); got != want {
			t.Fatalf("got %+v; want %+v", got, want)
		}
	}
	if !demotedNow() && platform.Assembly {
		t.Error("got nothing demoted; want tiny to be")
	}
}
