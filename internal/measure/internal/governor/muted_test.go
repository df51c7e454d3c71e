package governor

import (
	"math"
	"testing"
)

// burst plays the entries of a burst, each of so many ticks, and ends it.
func burst(e *Entries, zone *Sample, ticks float64) {
	for !e.Add(ticks, 1, 0) {
	}
	e.Finish(zone)
}

func TestBurstsStandForTheGapBeforeThem(t *testing.T) {
	var e Entries
	var zone Sample
	e.Gap(0, 0, 1)
	burst(&e, &zone, 10) // stands for 8 entries and its own
	e.Gap(1000, 0, 1)
	burst(&e, &zone, 20) // for 4096 and its own
	few, many := float64(firstGap+warming+timed), float64(lastGap+warming+timed)
	want := (few*10 + many*20) / (few + many)
	if got := zone.Latest().Mean(); math.Abs(got-want) > 0.01 {
		t.Errorf("got a mean of %v; want %v", got, want)
	}
}

func TestGapsAreRandomAndHaveTheirMean(t *testing.T) {
	var e Entries
	sum, least, most := 0.0, math.Inf(1), 0.0
	for range 10_000 {
		g := float64(e.Gap(1000, manyBelow, 7))
		sum, least, most = sum+g/10_000, min(least, g), max(most, g)
	}
	if math.Abs(sum-2*lastGap) > 200 || least > 100 || most < 4*lastGap-100 || most > 4*lastGap {
		t.Errorf("got gaps from %v to %v with a mean of %v; want from 0 to %v, %v", least, most, sum,
			4*lastGap, 2*lastGap)
	}
}

func TestInterruptionsStandForNothing(t *testing.T) {
	var e Entries
	var zone Sample
	for range 100 {
		e.Gap(1000, 0, 1)
		burst(&e, &zone, 10)
	}
	e.Gap(1000, 0, 1)
	for n := 0; ; n++ {
		took := 10.0
		if n == 5 {
			took = 1e6
		}
		if e.Add(took, 1, 1000) {
			break
		}
	}
	e.Finish(&zone)
	if got := zone.Latest().Mean(); math.Abs(got-10) > 0.01 {
		t.Errorf("got a mean of %v; want 10", got)
	}
}

func TestEstimatesOfMutedEntries(t *testing.T) {
	var e Entries
	var zone Sample
	if _, _, known := e.Estimate(100, &zone, 0, false); known {
		t.Error("without bursts: got an estimate; want none")
	}
	for i := range 100 { // bursts of the zone's other nodes
		var other Entries
		other.Gap(1000, 0, 1)
		burst(&other, &zone, float64(10+20*(i%2)))
	}
	one, spread, _ := e.Estimate(100, &zone, 0, false)
	all, narrow, _ := e.Estimate(100, &zone, 0, true)
	if math.Abs(one-2000) > 300 || one != all || spread < 50*narrow || spread < 500*500 {
		t.Errorf("got %v with a variance of %v, all of the zone %v with %v; want 2000, with all of the scatter", one,
			spread, all, narrow)
	}
	if _, doubted, _ := e.Estimate(100, &zone, 8, true); doubted < narrow+400*400 {
		t.Errorf("got a variance of %v; want that of half of a reading of 8 ticks, too", doubted)
	}
}

func TestTimingIsTakenOffShortEntriesOnly(t *testing.T) {
	for took, want := range map[float64]float64{0: 0, 4: 0, 10: 5, 50: 49, 1000: 999.95} {
		if got := withoutTiming(took, 10); math.Abs(got-want) > 0.01 {
			t.Errorf("%v ticks: got %v; want %v", took, got, want)
		}
	}
}

// A sample looks at all zones beside it. A gap has entries enough to pay for that, however little is known.
func TestGapsPayForTheLooksOfABurst(t *testing.T) {
	for _, beside := range []int{1, 30, 1000} {
		var e Entries
		sum := 0.0
		for range 1000 {
			sum += float64(e.Gap(0, beside, 7)) / 1000
		}
		if least := looksPaid * float64(beside-1); sum < 0.9*least || beside == 1 && sum > 2*firstGap {
			t.Errorf("beside %d zones: got a mean gap of %v entries; want at least %v", beside, sum, least)
		}
	}
}
