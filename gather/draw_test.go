//go:build !iprof_off

package gather

import (
	"math"
	"math/rand"
	"testing"

	"example.com/iprof/platform"
)

// ownDraw returns the draw of the calling goroutine's node whole/tiny.
func ownDraw(t *testing.T) *draw {
	t.Helper()
	l := laneFor(false)
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.find(l.find(l.root, zoneKey(&whole)), zoneKey(&tiny))
	if n == nil || n.flag&flagTop == 0 {
		t.Fatal("got tiny not demoted; want it demoted")
	}
	return n.extra.Load().draw
}

// recounted is how often entries were counted again.
func recounted(g *governed) uint64 {
	return (*node)(g.spare.Cur).kids[zoneKey(&calibratedZone)>>kidShift%kidSlots].count
}

// recount takes the time of what was counted again since it was last called, by a scope that was not timed, where to count takes one
// tick: nothing of the program's hides it, so twice as much.
func (c *fakeClock) recount(s Scope) {
	before := c.recounted
	c.recounted = recounted((*Lane)(s.n.slot.Lane).governed)
	c.advance(2 * int64(c.recounted-before))
}

// TestWhatMeasuringTakesIsFoundInPlace has counting an entry last 5 ticks, and timing it 6, outside of what it times, where the
// governor believes that counting takes 3.15 in a loop, and timing 2: where to count again takes 6, five of counting are left. Now and
// then something else comes between.
func TestWhatMeasuringTakesIsFoundInPlace(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	calibratedCount.Store(costFraction * 315 / 100 / 2) // half of it is believed to be left
	d := ownDraw(t)
	work := func(entries int) {
		defer whole.Begin().End()
		for range entries {
			before := recounted(d.lane.governed)
			s := tiny.Begin()
			c.advance(r.Int63n(11) + 6*int64(recounted(d.lane.governed)-before))
			timed := s.n.flag&flagUntimed == 0
			s.End()
			if timed {
				c.advance(6)
			} else {
				c.advance(5)
			}
			if r.Intn(5000) == 0 {
				c.advance(1_000_000)
			}
		}
	}
	work(200_000)
	if got := d.costs(); math.Abs(got.pair-6) > 0.5 || math.Abs(got.counted-5) > 0.4 {
		t.Errorf("ticks that timing and counting take: got %.2f and %.2f; want 6 and 5", got.pair, got.counted)
	}
	Collect(&f)
	if l := &f.Lanes[0]; math.Abs(float64(l.ScopeCost)/costFraction-6) > 0.5 || math.Abs(float64(l.CountCost)/costFraction-5) > 0.4 {
		t.Errorf("the frame says: got %d and %d; want 6 and 5 ticks of %d", l.ScopeCost, l.CountCost, costFraction)
	}
	if timed, again := loadFloat(&d.timed.sums[sumBlocks]), loadFloat(&d.again.sums[sumBlocks]); timed < 100 || again < 50 {
		t.Errorf("runs compared: got %.0f and %.0f; want hundreds", timed, again)
	}
}

// TestAProcessorMayHideTheClock has a pair that takes 20 ticks in a loop, of which a program that does something else feels 3, and 2 of
// them where it is only counted.
func TestAProcessorMayHideTheClock(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	calibrated.Store(20 * costFraction)
	calibratedCount.Store(2 * costFraction)
	d := ownDraw(t)
	func() {
		defer whole.Begin().End()
		for range 200_000 {
			before := recounted(d.lane.governed)
			s := tiny.Begin()
			c.advance(r.Int63n(11) + 4*int64(recounted(d.lane.governed)-before))
			timed := s.n.flag&flagUntimed == 0
			s.End()
			if c.advance(2); timed {
				c.advance(1)
			}
		}
	}()
	Collect(&f)
	if got := float64(f.Lanes[0].ScopeCost) / costFraction; math.Abs(got-3) > 0.5 {
		t.Errorf("ticks that timing takes: got %.2f; want 3", got)
	}
}

// TestPairsMayTakeLessThanATick has a clock that ticks every 40 ns, and nothing compared yet.
func TestPairsMayTakeLessThanATick(t *testing.T) {
	useGovernor(t, 1, 0.02)
	calibrated.Store(costFraction * 7 / 10)
	calibratedInside.Store(costFraction * 3 / 10)
	calibratedCount.Store(costFraction / 10)
	if got := new(draw).costs(); math.Abs(got.pair-0.7) > 0.01 || math.Abs(got.inside-0.3) > 0.01 || math.Abs(got.counted-0.1) > 0.01 {
		t.Errorf("got %.2f ticks a pair, %.2f inside, %.2f counted; want 0.7, 0.3 and 0.1, as believed", got.pair, got.inside, got.counted)
	}
}

// longFrames enters tiny many times a frame, of which one in rare takes 20,000 ticks longer, and returns what was spent in it, and
// told of it, from the tenth frame on.
func longFrames(t *testing.T, frames, rare int) (spent, told float64, freaks int) {
	t.Helper()
	var f Frame
	c, r := demote(t, &f)
	for i := range frames {
		before := c.now.Load()
		func() {
			defer whole.Begin().End()
			for range 2000 {
				s := tiny.Begin()
				c.advance(r.Int63n(11))
				if r.Intn(rare) == 0 {
					c.advance(20_000)
					if s.n.flag&flagUntimed == 0 {
						freaks++
					}
				}
				s.End()
				c.pay(s)
			}
		}()
		if Collect(&f); i >= 10 {
			spent += float64(c.now.Load() - before)
			told += float64(nodeOf(&f, "tiny").Self)
		}
	}
	return spent, told, freaks
}

// TestFreaksAreToldOnce has a few entries last very long. Those that happen to be timed would be told for dozens of others.
func TestFreaksAreToldOnce(t *testing.T) {
	const frames = 500
	_, told, freaks := longFrames(t, frames, 20_000)
	if most := frames*2000*5.2 + float64(freaks)*20_000; freaks == 0 || freaks > fewFreaks || told > most {
		t.Errorf("got %.0f ticks told, with %d freaks timed; want one to four freaks, and at most %.0f ticks", told, freaks, most)
	}
}

// TestWhatIsLongAgainAndAgainIsNoFreak has entries last very long that are most of the program's time.
func TestWhatIsLongAgainAndAgainIsNoFreak(t *testing.T) {
	spent, told, freaks := longFrames(t, 600, 500)
	if math.Abs(told/spent-1) > 0.1 {
		t.Errorf("got %.0f ticks told, with %d long entries timed; want some %.0f", told, freaks, spent)
	}
}

// TestRunsAreSpreadEvenly enters what a draw is asked about, and looks where it times: as much as its gap says, never far apart,
// and equally often wherever a program that does the same every 40 entries is.
func TestRunsAreSpreadEvenly(t *testing.T) {
	useFakeClock(t)
	l := &Lane{governed: &governed{gap: 9, length: 4, spare: spareSlot()}, seen: make([]seen, 1)}
	top, counts := &node{slot: new(platform.Slot), parent: new(node)}, &node{}
	d := l.newDraw(top, nil)
	x := &extra{twin: top, draw: d, skip: d.draw()}
	top.extra.Store(&extra{twin: counts})
	counts.extra.Store(x)
	d.random = 1
	const rhythm, turns = (9 + 1) * 4, 20_000
	var places [rhythm]int
	last, furthest := 0, 0
	for at := range rhythm * turns {
		if x.skip > 0 {
			x.skip--
		} else if x.due() {
			top.count++
			places[at%rhythm]++
			furthest = max(furthest, at-last)
			last = at
		}
	}
	all := 0
	for at, n := range places {
		all += n
		if math.Abs(float64(n)/2000-1) > 0.2 {
			t.Errorf("place %d of %d: got it timed %d times; want some 2000", at, rhythm, n)
		}
	}
	if math.Abs(float64(all)/80_000-1) > 0.02 {
		t.Errorf("timed: got %d entries; want some 80,000", all)
	}
	const between, counted = (9*timedBlocks - otherBlocks) * 4, (2*countPairs+2+calmBlocks+runBlocks)*4 + 1
	if most := 3*between + counted; furthest > most {
		t.Errorf("entries between two runs: got up to %d; want at most %d", furthest, most)
	}
}

// TestTimingIsDearerHereThanThere compares blocks of two kinds: a few entries that are all alike, where timing adds 40 ticks a
// pair, and more that are not, where it adds 30. Both count for as many pairs as they have.
func TestTimingIsDearerHereThanThere(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var c comparison
	for range 40_000 {
		counted := block{took: 2000, pairs: 24}
		timed := block{took: 2000 + 24*40, pairs: 24}
		if r.Intn(2) == 0 {
			counted.pairs, timed.pairs = 36+uint64(r.Intn(10)), 36+uint64(r.Intn(10))
			counted.took = platform.Ticks(4000 + 200*counted.pairs + uint64(r.Intn(4000)))
			timed.took = platform.Ticks(4000 + 200*timed.pairs + uint64(r.Intn(4000)) + 30*timed.pairs)
		}
		c.add(timed, counted, float64(timed.pairs))
	}
	const want = (24*40 + 40.5*30) / (24 + 40.5)
	if got, _ := c.estimate(0, 1e9); math.Abs(got-want) > 0.5 {
		t.Errorf("ticks that a pair takes more: got %.2f; want %.2f", got, want)
	}
}
