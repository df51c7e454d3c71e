package sampled_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// zones returns a dump of zones with so many milliseconds of their own, of a program that had a processor for so many.
func zones(cpu float64, self map[string]float64) *report.Dump {
	d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}}, Merged: []report.TreeNode{{Parent: -1}}}
	d.CPU = time.Duration(cpu * float64(time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(self)) {
		d.Merged = append(d.Merged, report.TreeNode{Zone: report.ZoneID(len(d.Zones)), Count: 1, Self: self[name]})
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: name, Function: "main." + name})
	}
	return d
}

// Zones have no time of before, so that the samples of then say nothing of what they waited.
func TestSamplesOfBeforeAReset(t *testing.T) {
	hot := func(at string, n int) sampled.Sample {
		return sampled.Sample{Zone: "main." + at, Function: "main." + at, File: "main.go", Line: 7, Count: n}
	}
	before := &sampled.Run{Samples: []sampled.Sample{hot("read", 300), hot("work", 40)}, Sampled: 350,
		Outside: map[string]int{"net/http": 10}}
	run := &sampled.Run{Dump: zones(1000, map[string]float64{"read": 1000, "work": 900}),
		Samples: []sampled.Sample{hot("read", 305), hot("work", 130), hot("work", 3)}, Sampled: 453,
		Outside: map[string]int{"net/http": 15}}
	if h := run.Hot(); len(h.Waited) != 0 {
		t.Errorf("with all samples these have waited: %v; want none", h.Waited)
	}
	run.Leave(before)
	h := run.Hot()
	if share := h.Waited[1]; len(h.Waited) != 1 || share < 0.9 || share > 1 {
		t.Errorf("got waits %v; want 95 %% of read", h.Waited)
	}
	if h.Samples != 98 || h.Of(2).Samples != 93 || run.Sampled != 103 || run.Outside["net/http"] != 5 {
		t.Errorf("got %d samples, %d in work, %d in all, outside %v; want 98, 93, 103 and 5 in net/http", h.Samples,
			h.Of(2).Samples, run.Sampled, run.Outside)
	}
}

// TestSamplesWhereAZoneBegins: they are of the function, and of none of its lines.
func TestSamplesWhereAZoneBegins(t *testing.T) {
	run := &sampled.Run{Dump: zones(1000, map[string]float64{"work": 900}), Sampled: 90}
	for line, n := range map[int]int{0: 50, 7: 40} {
		run.Samples = append(run.Samples, sampled.Sample{Zone: "main.work", Function: "main.work", File: "main.go",
			Line: line, Count: n})
	}
	hot := run.Hot().Of(1)
	if len(hot.Lines) != 1 || hot.Lines[0].Line != 7 || hot.Samples != 90 || hot.Functions[0].Samples != 90 {
		t.Errorf("got %+v; want line 7, and 90 samples in the function", hot)
	}
}

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
			zone, at, known := report.ZoneID(r.IntN(5)), sampled.Line{Function: "f", File: "a.go", Line: r.IntN(30)},
				r.IntN(2) == 0
			n := 1 + r.IntN(3)
			c.Add(zone, at, n, known)
			zones[zone] += n
			lines[key{zone, at.Line}] += n
			if !known {
				byStack[zone] += n
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
