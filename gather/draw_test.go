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

// TestWhatTimingTakesIsFoundInPlace has timed entries last 6 ticks more, outside of what they time, where the governor believes
// that they take 2. Now and then something else comes between.
func TestWhatTimingTakesIsFoundInPlace(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	work := func(entries int) {
		defer whole.Begin().End()
		for range entries {
			s := tiny.Begin()
			c.advance(r.Int63n(11))
			timed := s.n.flag&flagUntimed == 0
			s.End()
			if timed {
				c.advance(6)
			}
			if r.Intn(5000) == 0 {
				c.advance(1_000_000)
			}
		}
	}
	work(200_000)
	d := ownDraw(t)
	if got := d.costs().pair; math.Abs(got-6) > 1 {
		t.Errorf("ticks that timing takes: got %.2f; want 6", got)
	}
	if runs := loadFloat(&d.found.sums[sumBlocks]); runs < 100 {
		t.Errorf("runs compared: got %.0f; want hundreds", runs)
	}
}

// TestRunsAreSpreadEvenly enters what a draw is asked about, and looks where it times: as much as its gap says, never far apart,
// and equally often wherever a program that does the same every 40 entries is.
func TestRunsAreSpreadEvenly(t *testing.T) {
	useFakeClock(t)
	l := &Lane{governed: &governed{gap: 9, length: 4}, seen: make([]seen, 1)}
	d := l.newDraw(&node{slot: new(platform.Slot)})
	x := &extra{draw: d}
	d.random = 1
	const rhythm, turns = (9 + 1) * 4, 20_000
	var places [rhythm]int
	last, furthest := 0, 0
	for at := range rhythm * turns {
		if x.skip > 0 {
			x.skip--
		} else if x.due() {
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
	const between, counted = (9*timedBlocks - blockPairs) * 4, 2*4 + 1
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
		c.add(timed, counted)
	}
	const want = (24*40 + 40.5*30) / (24 + 40.5)
	if got := c.estimate(0, 1e9); math.Abs(got-want) > 0.5 {
		t.Errorf("ticks that a pair takes more: got %.2f; want %.2f", got, want)
	}
}
