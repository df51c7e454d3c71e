package governor

import (
	"math"
	"slices"
	"testing"

	"example.com/iprof/platform"
)

// The oracle computes each sum from the list of bursts.
func TestRatioIsThatOfAllBursts(t *testing.T) {
	bursts := [][2]float64{{100, 10}, {240, 20}, {90, 10}, {0, 5}, {700, 50}}
	var r Ratio
	var ticks, entries, squares float64
	for _, b := range bursts {
		off := b[0] - ticks/max(entries, 1e-9)*b[1]
		squares += off * off
		r = r.Plus(1, Burst(b[0], b[1], r.Mean()))
		ticks, entries = ticks+b[0], entries+b[1]
	}
	if r.Bursts != 5 || r.Mean() != ticks/entries || math.Abs(r.Error()-math.Sqrt(squares)/entries) > 1e-12 {
		t.Errorf("got %v, mean %v, error %v; want the mean %v", r, r.Mean(), r.Error(), ticks/entries)
	}
	if half := r.Plus(0.5, Ratio{}); half.Mean() != r.Mean() || half.Error() != r.Error() || half.Bursts != 2.5 {
		t.Errorf("faded: got %v; want the same mean and error, and half the bursts", half)
	}
	if (Ratio{}).Mean() != 0 || (Ratio{}).Error() != 0 {
		t.Error("empty: got a figure; want 0")
	}
}

func TestRandomReachesEachNumber(t *testing.T) {
	r, seen := Random(1), map[uint32]int{}
	for range 9000 {
		seen[r.UpTo(8)]++
	}
	for n := range uint32(9) {
		if seen[n] < 800 || seen[n] > 1200 {
			t.Errorf("%d: got it %d times; want about 1000", n, seen[n])
		}
	}
	if len(seen) != 9 || r.UpTo(0) != 0 {
		t.Errorf("got %d numbers; want 0 to 8", len(seen))
	}
}

func TestQuartilesLeaveOutTheFarTimes(t *testing.T) {
	whole := []platform.Ticks{-50, 10, 12, 11, 13, 900, 10, 12}
	part := []platform.Ticks{-40, 5, 6, 5, 7, 1, 6, 7}
	if got := Quick(whole); got != 10 {
		t.Errorf("quick: got %d; want 10", got)
	}
	if got, want := Share(part, whole), (6.0+5+6+7)/(10+11+12+12); got != want {
		t.Errorf("share: got %v; want %v", got, want)
	}
	if got := Quick([]platform.Ticks{-3, -2, 5, 9}); got != 0 {
		t.Errorf("a clock that went back: got %d; want 0", got)
	}
}

func TestBiasSumsToTheSquareOfTheSum(t *testing.T) {
	var b Bias
	sum := 0.0
	for range 10 {
		peeked := b.Add(3, false)
		added := b.Add(3, true)
		if peeked != added {
			t.Errorf("not kept: got %v; want %v", peeked, added)
		} else {
			sum += added
		}
	}
	if sum < 0.95*900 || sum > 900 {
		t.Errorf("ten errors of 3: got %v; want a little less than 900, as earlier ones fade", sum)
	}
}

// An error has half its weight after 177 others.
func TestBiasFades(t *testing.T) {
	var b Bias
	b.Add(1, true)
	for range 177 {
		b.Add(0, true)
	}
	if left := (b.Add(1, false) - 1) / 2; math.Abs(left-0.5) > 0.01 {
		t.Errorf("got %v of an error; want half", left)
	}
}

// A time far above the usual one is an interruption, in any unit.
func TestInterruptionsHaveNoUnit(t *testing.T) {
	for _, unit := range []float64{1e-3, 1, 1e6} {
		var u Usual
		for range 20 {
			u.Exceeds(unit)
		}
		if u.Exceeds(8*unit) || !u.Exceeds(32*unit) {
			t.Errorf("unit %g: got an interruption at 8 times the usual, or none at 32 times", unit)
		}
	}
}

// The first three of eleven entries do not count, nor does one that is given up, nor an interruption: it is long, and
// longer than usual for each of the entries that it stands for.
func TestBurstsOfMutedZones(t *testing.T) {
	for least, want := range map[float64]float64{200: 250.0 / 13, 201: 450.0 / 14} {
		var e Entries
		var zone Sample
		e.Gap(0, 0, 1)
		for i, self := range []float64{1000, 1000, 1000, 10, 10, 10, 10, 200, 200} {
			entries := 1.0
			if i == 7 {
				entries = 8
			}
			if e.Add(self, entries, least) {
				t.Fatalf("the burst ends after entry %d; want 11", i+1)
			}
		}
		if e.Drop() {
			t.Fatal("the burst ends when its tenth entry is given up; want 11 entries")
		}
		if !e.Add(10, 1, least) {
			t.Fatal("the burst goes on after 11 entries")
		}
		e.Finish(&zone)
		for _, s := range []*Sample{&e.Sample, &zone} {
			if got := s.Latest().Mean(); math.Abs(got-want) > 1e-9 {
				t.Errorf("interruptions from %g ticks on: got a mean of %v; want %v", least, got, want)
			}
		}
	}
}

func TestLeastForgets(t *testing.T) {
	var l Least
	for _, x := range []float64{5, 2, 8} {
		l.Note(x)
	}
	if l < 2 || l > 2.1 {
		t.Errorf("least of 5, 2, 8: got %v; want 2 and a little more", l)
	}
	for range 200 {
		l.Note(8)
	}
	if l != 8 {
		t.Errorf("after many of 8: got %v; want 8", l)
	}
}

// TestAroundGivesWhatItHas asks a zone for more than its self time, and later for less.
func TestAroundGivesWhatItHas(t *testing.T) {
	var a Encloser
	for i, c := range []struct{ there, estimates, share, excess float64 }{
		{100, 80, 1, 20},     // the first rest is not known
		{60, 80, 0.75, 0},    // 20 are owed
		{200, 80, 1.25, 100}, // and given
		{100, 80, 1, 20},
	} {
		share, excess := a.Give(c.there, c.estimates, 0)
		if share != c.share || math.Abs(excess-c.excess) > 1 {
			t.Errorf("frame %d: got share %v, excess %v; want %v, %v", i, share, excess, c.share, c.excess)
		}
	}
	if _, excess := a.Give(100, 80, 25); math.Abs(excess-10) > 1 {
		t.Errorf("with an error of 5: got excess %v; want about 10", excess)
	}
	a = Encloser{}
	a.Give(0, 1000, 0)
	for range 50 {
		a.Give(0, 100, 0)
	}
	if share, _ := a.Give(1e6, 100, 0); share != 9 {
		t.Errorf("after many without time: got share %v; want 9, as at most 8 estimates are owed", share)
	}
}

func TestSampleFadesByFrames(t *testing.T) {
	var s Sample
	s.Start(7)
	if got := s.Latest(); got.Mean() != 7 || got.Bursts != 0 || got.Variance(3, 21) != 441 {
		t.Errorf("at the start: got mean %v, variance %v; want 7, 441", got.Mean(), got.Variance(3, 21))
	}
	for range 50 {
		s.Add(100, 10)
		s.Add(0, 0)
		s.EndFrame()
	}
	if s.Start(7); math.Abs(s.Latest().Mean()-10) > 1e-3 {
		t.Errorf("got mean %v; want 10, as the start has faded", s.Latest().Mean())
	}
	s.Add(300, 10)
	if got, want := s.Latest().Mean(), (0.8*5*100+300)/(0.8*5*10+10); math.Abs(got-want) > 1e-3 {
		t.Errorf("within the next frame: got mean %v; want %v", got, want)
	}
	before := s.Latest()
	if s.EndFrame(); s.Latest() != before {
		t.Errorf("after that frame: got %v; want %v", s.Latest(), before)
	}
}

func TestVarianceGrowsWithTheScatterAndWithFewBursts(t *testing.T) {
	var steady, scattered, few Sample
	for _, s := range []*Sample{&steady, &scattered, &few} {
		s.Start(10)
	}
	for i := range 32 {
		steady.Add(100, 10)
		scattered.Add(float64(50+100*(i%2)), 10)
	}
	for i := range 4 {
		few.Add(float64(50+100*(i%2)), 10)
	}
	a, b, c := steady.Latest().Variance(1000, 0), scattered.Latest().Variance(1000, 0), few.Latest().Variance(1000, 0)
	if a > 1 || b < 1000 || c < 4*b {
		t.Errorf("steady, scattered, few: got %v, %v, %v; want none, some, more", a, b, c)
	}
}

// After a long phase of the program the estimate follows the next phase within some frames, whatever number of bursts
// the long one had.
func TestEstimatesFollowANewPhase(t *testing.T) {
	var s Sample
	frame := func(bursts int, ticks float64) {
		for range bursts {
			s.Add(ticks, 1)
		}
		s.EndFrame()
	}
	for range 100 {
		frame(1000, 100)
	}
	for range 3 {
		frame(10, 200)
	}
	if got := s.Latest().Mean(); got < 180 {
		t.Errorf("got %.0f ticks an entry; want about 200, as in the last frames", got)
	}
}

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

// TestBlocksFindTheCostOfTiming compares blocks of 10 entries. Timing one takes 5 ticks, and the work varies.
func TestBlocksFindTheCostOfTiming(t *testing.T) {
	var b Blocks
	random := Random(1)
	block := func(timed, stalled bool) {
		took := 1000 + float64(random.UpTo(100))
		if stalled {
			took *= 100
		}
		if timed {
			took += 50
		}
		if far := b.Interrupted(took); timed {
			b.Add(true, took, 10, far)
		} else {
			b.Add(false, took, 0, far)
		}
	}
	const pairs = 4000
	for i := range pairs {
		b.BeginPair()
		block(i%3 == 0, i%50 == 49)
		block(i%3 != 0, false)
		b.EndPair(false)
	}
	if got := b.Cost.Mean(); math.Abs(got-5) > 4*b.Cost.Error() || b.Cost.Error() > 0.5 {
		t.Errorf("got a cost of %v, error %v; want 5", got, b.Cost.Error())
	}
}

func TestBlocksLeaveOut(t *testing.T) {
	var b Blocks
	b.BeginPair()
	b.Add(true, 100, 10, false)
	b.Add(false, 50, 0, true)
	b.EndPair(false)
	b.BeginPair()
	b.Add(true, 100, 0, false)
	b.Add(false, 50, 0, false)
	b.EndPair(false)
	b.BeginPair()
	b.Add(true, 100, 10, false)
	b.Add(false, 50, 0, false)
	b.EndPair(true)
	b.BeginPair()
	b.Add(true, 100, 10, false)
	if b.Cost.Bursts != 0 {
		t.Errorf("interrupted, without entries, left out: got %v pairs; want none", b.Cost.Bursts)
	}
	b.BeginPair()
	b.Add(false, 50, 0, false)
	b.Add(true, 100, 10, false)
	if b.EndPair(false); b.Cost.Bursts != 1 || b.Cost.Mean() != 5 {
		t.Errorf("got %v pairs, cost %v; want 1, 5", b.Cost.Bursts, b.Cost.Mean())
	}
}

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
