package process_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A recursive zone has its entries by depth, in the whole run and in the frame of its card, with trees and without.
func TestEntriesByDepth(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 6))
		f := randomLanes(rng, 1+rng.IntN(3), 1+rng.IntN(200), 3)
		want := make([][]float64, len(f.Zones))
		for i := range f.Lanes {
			for _, n := range f.Lanes[i].Nodes {
				depth := min(int(n.Depth), report.MaxDepths-1)
				for n.Count > 0 && len(want[n.Zone]) <= depth {
					want[n.Zone] = append(want[n.Zone], 0)
				}
				if n.Count > 0 {
					want[n.Zone][depth] += float64(n.Count)
				}
			}
		}
		s := process.NewSession()
		write(t, s, f)
		for _, o := range []report.DumpOptions{{NoTrees: true}, {}} {
			got := make([][]float64, len(f.Zones))
			for _, z := range s.Dump(o).Recursion {
				got[z.Zone] = z.Entries
			}
			for zone := range want {
				recursive := len(want[zone]) > 1
				if recursive != (got[zone] != nil) || recursive && !slices.Equal(got[zone], want[zone]) {
					t.Fatalf("seed %d, zone %d: got %v; want %v", seed, zone, got[zone], want[zone])
				}
			}
		}
		var snap process.Snapshot
		s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
		a := &snap.Around
		if a.Zone >= 0 && len(want[a.Zone]) > 1 && !slices.Equal(a.Depths, want[a.Zone]) {
			t.Fatalf("seed %d: the card's zone %d: got %v; want %v", seed, a.Zone, a.Depths, want[a.Zone])
		}
	}
}
