//go:build !iprof_off

package gather

import (
	"math"
	"testing"
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

// TestChoosingTakesTime has each reading of the clock take 20 ticks.
func TestChoosingTakesTime(t *testing.T) {
	c := useGovernor(t, 40, 0.3)
	calibratedCount.Store(costFraction)
	c.reading = 20
	choose(t, c, 12)
	d := ownDraw(t)
	was := d.spent.Load()
	untimed, again, _, cost := choose(t, c, 50)
	spent := float64(d.spent.Load() - was)
	if want := untimed*d.cost.counted + again*d.cost.again + spent; spent < want/20 || math.Abs(cost/want-1) > 0.02 {
		t.Errorf("%.0f entries counted, %.0f times again, %.0f ticks spent choosing: got %.0f; want %.0f", untimed, again, spent, cost, want)
	}
}
