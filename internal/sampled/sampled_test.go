package sampled_test

import (
	"maps"
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
