package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/iprof/internal/workload"
)

func TestQuickestOfEachLineCounts(t *testing.T) {
	all := times{{{10, 20}, {12, 18}, {11, 30}}, {{20, 40}, {30, 36}, {22, 60}}}
	if got := all.quickest(0, 0, 1); got != 28 {
		t.Errorf("quickest of all runs: got %v; want 10 + 18", got)
	}
	if got := all.quickest(0, 0, 2); got != 30 {
		t.Errorf("quickest of every other run: got %v; want 10 + 20", got)
	}
	if got := all.median(1); got != 66 {
		t.Errorf("median: got %v; want 66", got)
	}
	if least, greatest := all.spread(1, 0); least != 2 || greatest != 2.2 {
		t.Errorf("spread: got %v to %v; want 2 to 2.2", least, greatest)
	}
}

func TestEveryProgramTracesEveryLine(t *testing.T) {
	got := measure(workload.NewFlake(3, 16), 2)
	for p := range programs {
		if len(got[p]) != 2 || len(got[p][0]) != 16 || got.quickest(p, 0, 1) <= 0 {
			t.Errorf("%s: got %v; want times of 2 runs of 16 lines", programs[p].name, got[p])
		}
	}
}

// TestZonesAddUpToTheProgramWithoutThem has measuring take twice what the profiler believes.
func TestZonesAddUpToTheProgramWithoutThem(t *testing.T) {
	r := result{plain: 8, zones: 8 + 2*3, account: account{Cost: 3,
		Zones: map[string]zoneAccount{"tiny": {Self: 5 + 2*1, Cost: 1}, "around": {Self: 3 + 2*2, Cost: 2}}}}
	tiny := r.self("tiny")
	around := r.self("around")
	if tiny != 5.0/8 || around != 3.0/8 {
		t.Errorf("got %v in tiny and %v around; want 5/8 and 3/8", tiny, around)
	}
}

func TestDisturbedBlocksDoNotCount(t *testing.T) {
	g := governedTimes{}
	for p := range g.programs {
		g.programs[p].times = make(times, 2)
		for run := range 3 {
			took := slices.Repeat([]float64{1e9}, block+1) // of two blocks
			if p == 1 && run == 1 {
				took[block] = 1.6e9
			}
			zones := []account{{Cost: 1, Length: 2},
				{Cost: 3, Zones: map[string]zoneAccount{"zone": {Entries: 5, Self: 4, Variance: 1}}}}
			g.programs[p].times[0] = append(g.programs[p].times[0], took)
			g.programs[p].times[1] = append(g.programs[p].times[1], slices.Repeat([]float64{2e9}, block+1))
			g.programs[p].accounts = append(g.programs[p].accounts, zones)
		}
	}
	counts := g.undisturbed()
	if got := fmt.Sprint(counts); got != "[[true true] [true false] [true true]]" {
		t.Errorf("got %v; want all but the second block of the second run", got)
	}
	r := g.programs[0].result(counts, -1)
	if z := r.account.Zones["zone"]; math.Abs(r.plain-(3*block+2)) > 1e-6 || math.Abs(r.zones-2*r.plain) > 1e-6 ||
		r.account.Cost != 9 || r.account.Length != 6 || z.Entries != 10 || z.Self != 8 || z.Variance != 2 {
		t.Errorf("got %+v; want the sums of five blocks", r)
	}
}
