package sampled_test

import (
	"math/rand/v2"
	"testing"

	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// TestCountsAreThoseOfASlowCount compares the hottest zones, lines and functions of random samples with a slow count.
func TestCountsAreThoseOfASlowCount(t *testing.T) {
	type key struct {
		zone report.ZoneID
		line int
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var c sampled.Counts
		zones, lines, byStack := map[report.ZoneID]int{}, map[key]int{}, map[report.ZoneID]int{}
		for range 400 {
			zone, at, known := report.ZoneID(r.IntN(5)), report.HotLine{Function: "f", File: "a.go", Line: r.IntN(30),
				Samples: 1 + r.IntN(3)}, r.IntN(2) == 0
			c.Add(zone, at, known)
			zones[zone] += at.Samples
			lines[key{zone, at.Line}] += at.Samples
			if !known {
				byStack[zone] += at.Samples
			}
		}
		if c.Outside != zones[0] || c.Samples != zones[1]+zones[2]+zones[3]+zones[4] {
			t.Fatalf("seed %d: %d samples, %d outside; want %v", seed, c.Samples, c.Outside, zones)
		}
		list := c.Hottest(3)
		for i, z := range list {
			if z.Samples != zones[z.Zone] || z.ByStack != byStack[z.Zone] || i > 0 && z.Samples > list[i-1].Samples {
				t.Errorf("seed %d: zone %d is %+v; want %d samples, %d by stack", seed, i, z, zones[z.Zone],
					byStack[z.Zone])
			}
			for k, l := range z.Lines {
				if l.Samples != lines[key{z.Zone, l.Line}] || k > 0 && l.Samples > z.Lines[k-1].Samples {
					t.Errorf("seed %d: line %d of zone %d is %+v", seed, k, z.Zone, l)
				}
			}
			if len(z.Lines) != 16 || len(z.Functions) != 1 || z.Functions[0].Samples != z.Samples {
				t.Errorf("seed %d: %d lines and %+v", seed, len(z.Lines), z.Functions)
			}
		}
		if len(list) != 3 {
			t.Errorf("seed %d: %d zones; want 3", seed, len(list))
		}
	}
}
