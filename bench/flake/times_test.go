package main

import (
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

// TestZonesAddUpToTheProgramWithoutThem has accounts in which measuring takes what the profiler believes of timing, and twice what
// it believes of counting.
func TestZonesAddUpToTheProgramWithoutThem(t *testing.T) {
	full := account{Zones: map[string]zoneAccount{"tiny": {Self: 5 + 1, Timed: 1}, "around": {Self: 3 + 2, Timed: 2}}, Cost: 3}
	some := account{Zones: map[string]zoneAccount{
		"tiny":   {Self: 5 + 0.5, Timed: 0.25, Counted: 0.25, Estimated: true},
		"around": {Self: 3 + 0.75, Timed: 0.25, Counted: 0.25, Around: true},
	}, Cost: 1}
	g := governedTimes{times: times{{{8e9}}, {{9.25e9}}, {{11e9}}, {{11e9}}}, accounts: [4]account{1: some, 2: full, 3: full}}
	for program := 1; program < len(governed); program++ {
		if tiny, around := g.self("tiny", program), g.self("around", program); tiny != 5 || around != 3 {
			t.Errorf("program %d: got %v in tiny and %v around; want 5 and 3", program, tiny, around)
		}
	}
}
