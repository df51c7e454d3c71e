//go:build !iprof_off

package gather

import (
	"math"
	"testing"

	"example.com/iprof/platform"
)

// choose enters tiny many times, which itself takes 3 ticks, and its entries 1 to count, 2 to count again, and 10 to time. It returns how
// many were counted, how often again, what was told of tiny, and what counting and choosing is said to have taken.
func choose(t *testing.T, c *fakeClock, frames int) (untimed, again, told, cost float64) {
	t.Helper()
	var f Frame
	was := c.recounted
	for range frames {
		func() {
			defer whole.Begin().End()
			for range 1000 {
				s := tiny.Begin()
				c.advance(3)
				s.End()
				if s.n.flag&flagUntimed != 0 {
					untimed++
					c.advance(1)
					c.recount(s)
				} else {
					c.advance(10)
				}
			}
		}()
		told += float64(collect(t, &f)["whole/tiny"].self)
		cost += float64(f.Lanes[0].CountCost) / costFraction * float64(f.Lanes[0].Untimed)
	}
	return untimed, float64(c.recounted - was), told, cost
}

func TestChoosingIsNotToldForTheZoneAround(t *testing.T) {
	c := useGovernor(t, 10, 0.5)
	calibratedCount.Store(costFraction)
	choose(t, c, 12) // the governor makes up its mind
	const frames = 100
	untimed, again, told, cost := choose(t, c, frames)
	if want := untimed + 2*again; again < untimed/20 || math.Abs(cost/want-1) > 0.02 {
		t.Errorf("%.0f entries counted, %.0f times again: got %.0f ticks; want %.0f", untimed, again, cost, want)
	}
	if want := 3*1000*frames + cost/2; math.Abs(told/want-1) > 0.01 {
		t.Errorf("tiny: got %.0f ticks; want its own and half of what counting and choosing take, %.0f", told, want)
	}
}

// TestWhatRunsTakeIsFound has each reading of the clock take 20 ticks, of which choosing knows of half: what measuring takes is all that
// entries last longer than the quickest one that is counted, and what that one takes to count.
func TestWhatRunsTakeIsFound(t *testing.T) {
	for _, entries := range []int{200, 4000} { // so that blocks are of a few entries, and of many
		c := useGovernor(t, 16, 0.06)
		calibratedCount.Store(costFraction)
		c.reading = 20
		var f Frame
		var least, took int64
		var told float64
		for frame := range 130 {
			if frame == 30 { // until then the governor makes up its mind
				least, took, told = math.MaxInt64, 0, 0
			}
			w := whole.Begin()
			for range entries {
				was := c.now.Load()
				s := tiny.Begin()
				c.advance(40)
				s.End()
				if s.n.flag&flagUntimed != 0 {
					c.advance(1)
					c.recount(s)
					least = min(least, c.now.Load()-was)
				} else {
					c.advance(10)
				}
				took += c.now.Load() - was
			}
			w.End()
			Collect(&f)
			l := &f.Lanes[0]
			told += (float64(l.CountCost)*float64(l.Untimed) + float64(l.ScopeCost)*float64(uint64(entries)-l.Untimed)) / costFraction
		}
		if want := float64(took - 100*int64(entries)*(least-1)); math.Abs(told/want-1) > 0.02 {
			t.Errorf("%d entries a frame: got %.0f ticks told; want %.0f", entries, told, want)
		}
	}
}

// TestRunsOfOtherLengthsAreForgotten: each takes less for each entry the longer it is.
func TestRunsOfOtherLengthsAreForgotten(t *testing.T) {
	useFakeClock(t)
	l := &Lane{governed: &governed{gap: 9, length: 4, spare: spareSlot()}, seen: make([]seen, 1)}
	top := &node{slot: new(platform.Slot), parent: new(node)}
	d := l.newDraw(top, nil)
	for range 2 * fewBlocks {
		d.whole.add(block{took: 200, pairs: 10}, block{took: 100, pairs: 10}, 10)
	}
	if got, _ := l.newDraw(top, d).whole.estimate(3, 1e9); math.Abs(got-10) > 0.1 {
		t.Errorf("begun anew: got %.1f ticks for each that is timed; want 10, as before", got)
	}
	l.governed.length = 8
	if got, _ := l.newDraw(top, d).whole.estimate(3, 1e9); got != 3 {
		t.Errorf("longer runs: got %.1f ticks for each that is timed; want 3, which is believed", got)
	}
}
