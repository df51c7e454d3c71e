package governor

import (
	"math"
	"slices"
	"testing"

	"example.com/iprof/platform"
)

func bursts(times ...platform.Ticks) []platform.Ticks { return slices.Repeat(times, 8) }

func TestQuickBurstsGiveTheCosts(t *testing.T) {
	c := FromBursts(10, bursts(400, 400, 4000, 900), bursts(100, 100, 1000, 225), bursts(50, 50, 300, 70))
	if want := (Calibration{Pair: 40 * Fraction, Inside: 10 * Fraction, Counted: 6 * Fraction}); c != want {
		t.Errorf("got %v; want %v", c, want)
	}
	if got, want := c.Cost(), (Cost{40, 10, 6, 40}); got != want {
		t.Errorf("in ticks: got %v; want %v", got, want)
	}
	slow := Calibration{Pair: 50, Inside: 20, Counted: 2}
	quick := Calibration{Pair: 40, Inside: 10, Counted: 3}
	for _, got := range []Calibration{slow.Least(quick), quick.Least(slow)} {
		if want := (Calibration{Pair: 40, Inside: 10, Counted: 2}); got != want {
			t.Errorf("the least: got %v; want %v", got, want)
		}
	}
}

func TestCalibrationIsRepeatedForAWhile(t *testing.T) {
	var r Repeats
	if !r.IsDue(1000, 100, false) {
		t.Error("without a calibration: got false; want true")
	}
	if r.IsDue(1000, 100, true) {
		t.Error("at once: got true; want false")
	}
	now, times := platform.Ticks(1000), 0
	for ; times < 1000 && r.IsDue(now+25, 100, true); times++ {
		now += 25
		if r.Done(now); r.IsDue(now+24, 100, true) {
			t.Fatalf("after less than a quarter of a second: got true; want false")
		}
	}
	if times != mostRepeats {
		t.Errorf("got %d repeats; want %d", times, mostRepeats)
	}
}

func TestCostInPlaceComesFromPairsOfBlocks(t *testing.T) {
	calibrated := Cost{Pair: 40, Inside: 10, Counted: 10, Doubt: 40}
	pairs := func(n int, more float64) (r Ratio) {
		for range n {
			r = r.Plus(1, Burst(more, 1, more))
		}
		return r
	}
	var scattered Ratio
	for i := range 16 {
		off := float64(120 - 240*(i%2))
		scattered = scattered.Plus(1, Burst(60+off, 1, 60))
	}
	for _, c := range []struct {
		name string
		of   Ratio
		want Cost
	}{
		{"few pairs", pairs(fewPairs-1, 60), Cost{40, 10, 10, 30}},
		{"twice the calibrated cost", pairs(fewPairs, 60), Cost{70, 17.5, 10, 0}},
		{"half the calibrated cost", pairs(fewPairs, 15), Cost{25, 6.25, 10, 0}},
		{"beyond the most", pairs(fewPairs, 3000), Cost{130, 32.5, 10, 0}},
		{"halfway to twice, with an error as large as the cost", scattered, Cost{55, 13.75, 10, 30 * math.Sqrt(0.5)}},
		{"below 0", pairs(fewPairs, -5), Cost{10, 2.5, 10, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := calibrated.InPlace(c.of); got != c.want {
				t.Errorf("got %v; want %v", got, c.want)
			}
		})
	}
	var m Mean
	if m.Cost() != (Cost{}) {
		t.Errorf("mean of none: got %v; want zeros", m.Cost())
	}
	m.Add(1, Cost{Pair: 10, Counted: 2})
	m.Add(3, Cost{Pair: 30, Counted: 6})
	if got, want := m.Cost(), (Cost{Pair: 25, Counted: 5}); got != want {
		t.Errorf("mean: got %v; want %v", got, want)
	}
}

func TestInterruptionsAreNoCost(t *testing.T) {
	c := Calibration{Pair: 60 * Fraction}
	for _, x := range []struct{ took, want platform.Ticks }{{-5, 0}, {500, 500}, {30_000_000, 60 * MaxChoosing}} {
		if got := c.Uninterrupted(x.took, MaxChoosing); got != x.want {
			t.Errorf("%d ticks: got %d; want %d", x.took, got, x.want)
		}
	}
	if got := (Calibration{}).Uninterrupted(30_000_000, MaxChoosing); got != 30_000_000 {
		t.Errorf("without a calibration: got %d; want all", got)
	}
}

// A burst takes 37 ticks and the clock moves by 1,000; or it does not move.
func TestCostsByAClockOfSteps(t *testing.T) {
	for _, step := range []platform.Ticks{1, 1000, 1 << 40} {
		var at platform.Ticks
		now := func() platform.Ticks { return at / step * step }
		c := FromSteps(10, now, func() { at += 37 }, func() { at += 8 })
		want := Calibration{Pair: 37 * Fraction / 10, Inside: 37 * Fraction / 20, Counted: 8 * Fraction * 12 / 100}
		if step > 1e6 {
			want = Calibration{}
		}
		for _, p := range [][2]platform.Ticks{{c.Pair, want.Pair}, {c.Inside, want.Inside}, {c.Counted, want.Counted}} {
			if p[0] < p[1]*96/100 || p[0] > p[1]*104/100 {
				t.Errorf("steps of %d: got %+v; want %+v", step, c, want)
			}
		}
	}
}
