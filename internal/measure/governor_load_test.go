//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"example.com/iprof/platform"
)

// load is what other programs do to one: the processor is away for a mean of so many ticks after a mean of so many, and
// up to so much slower in between, in stretches of a frame's length.
type load struct {
	away, on int
	slower   float64
}

// loadedClock is a clock of a program under load.
type loadedClock struct {
	*fakeClock
	load
	r             *rand.Rand
	speed         float64
	steady, until float64 // ticks until the speed changes, and until the processor is away
}

// work passes the time that so much work takes, and returns it.
func (c *loadedClock) work(ticks float64) int64 {
	took := ticks * c.speed
	if c.steady -= took; c.steady < 0 {
		c.speed, c.steady = 1+c.r.Float64()*c.slower, c.r.ExpFloat64()*6000
	}
	if c.until -= took; c.until < 0 {
		took += c.r.ExpFloat64() * float64(c.away)
		c.until = c.r.ExpFloat64() * float64(c.on)
	}
	n := int64(took + c.r.Float64())
	c.advance(n)
	return n
}

// frame enters tiny 1,000 times, and returns the time spent inside, and in whole around it.
func (c *loadedClock) frame() (inside, around int64) {
	before := c.now.Load()
	w := whole.Begin()
	for range 1000 {
		s := tiny.Begin()
		inside += c.work(10 * c.r.Float64())
		s.End()
		if s.node() != nil && s.node().flag&flagUntimed == 0 {
			c.work(float64(c.pair))
		}
		c.work(1)
	}
	w.End()
	return inside, c.now.Load() - before - inside
}

// tried is how many estimates were compared with the truth, and how many were beyond three standard errors.
type tried struct{ all, beyond int }

func (n *tried) add(estimate, truth, variance float64) {
	if n.all++; math.Abs(estimate-truth) > 3*math.Sqrt(variance) {
		n.beyond++
	}
}

// seedsUnderLoad returns how many random programs to run.
func seedsUnderLoad() int64 {
	switch {
	case !platform.Assembly: // where each entry takes microseconds
		return 1
	case testing.Short() || raceEnabled:
		return 2
	}
	return 5
}

// estimatesUnder compares estimates of single frames, and of 20 frames together, under a load.
func estimatesUnder(t *testing.T, l load) (one, twenty tried) {
	const frames = 20
	for seed := range seedsUnderLoad() {
		r := rand.New(rand.NewSource(seed))
		c := &loadedClock{fakeClock: useGovernor(t, 2, 0.02), load: l, r: r, speed: 1}
		var f Frame
		for range 30 {
			c.frame()
			Collect(&f)
		}
		if f.Lanes[0].Untimed < 500 {
			t.Fatalf("%+v: got %d entries untimed; want most of 1000", l, f.Lanes[0].Untimed)
		}
		for range 200 / frames {
			var truth, estimate, variance [2]float64
			for range frames {
				inside, around := c.frame()
				got := collect(t, &f)
				for i, x := range []struct {
					name, path string
					truth      int64
				}{{"tiny", "whole/tiny", inside}, {"whole", "whole", around}} {
					e, v := float64(got[x.path].self), varianceOf(&f, x.name)
					one.add(e, float64(x.truth), v)
					truth[i], estimate[i], variance[i] = truth[i]+float64(x.truth), estimate[i]+e, variance[i]+v
				}
			}
			for i := range truth {
				twenty.add(estimate[i], truth[i], variance[i])
			}
		}
	}
	return one, twenty
}

// TestZonesThatWereNotEnteredShowNoTime ends frames, under load, in which a demoted zone was not entered. Nothing of
// what earlier frames owed it comes up without a mark: a Reset between the two leaves only these frames.
func TestZonesThatWereNotEnteredShowNoTime(t *testing.T) {
	for seed := range seedsUnderLoad() {
		r := rand.New(rand.NewSource(seed))
		c := &loadedClock{fakeClock: useGovernor(t, 2, 0.02), load: load{6000, 6000, 1}, r: r, speed: 1}
		var f Frame
		for i := range 60 {
			entered := i < 30 || r.Intn(2) == 0
			if entered {
				c.frame()
			} else {
				w := whole.Begin()
				c.work(3000)
				w.End()
			}
			Collect(&f)
			for _, n := range f.Lanes[0].Nodes {
				name := f.Zones[n.Zone].Name
				if n.Count == 0 && n.Self != 0 && n.Parent >= 0 && n.Estimated == EstimatedNone {
					t.Errorf("seed %d, frame %d: got %q with %d ticks, 0 entries and no mark", seed, i, name, n.Self)
				}
				if name == "tiny" && !entered && n.Self != 0 {
					t.Errorf("seed %d, frame %d: got %d ticks of tiny, which was not entered; want 0", seed, i, n.Self)
				}
			}
		}
	}
}

// A frame of 6,000 ticks stands for five milliseconds. Where eight programs share a processor, each runs for some
// milliseconds, and waits for many. The time away passes in counted entries mostly, and it is not known in which.
// Estimates beyond three standard errors are rare, of single frames and of many together.
func TestEstimatesUnderLoad(t *testing.T) {
	loads := []load{
		{0, 1000, 0}, {0, 1000, 1}, {300, 1000, 1}, {1000, 1000, 0}, {6000, 6000, 0}, {6000, 30_000, 1},
		{40_000, 6000, 0}, {40_000, 6000, 1}, {40_000, 30_000, 0}, {6000, 2000, 0}, {12_000, 2000, 0},
		{12_000, 2000, 1},
	}
	if !platform.Assembly {
		t.Skip("the statistics are the same without assembly, where each entry takes microseconds")
	}
	for _, l := range loads {
		t.Run(fmt.Sprintf("away=%d,on=%d,slower=%v", l.away, l.on, l.slower), func(t *testing.T) {
			one, twenty := estimatesUnder(t, l)
			t.Logf("single frames %+v, 20 frames %+v", one, twenty)
			if one.beyond > one.all/100 {
				t.Errorf("single frames: got %d of %d beyond three standard errors; want one in 100", one.beyond,
					one.all)
			}
			if twenty.beyond > twenty.all/100 {
				t.Errorf("20 frames: got %d of %d beyond three standard errors; want one in 100", twenty.beyond,
					twenty.all)
			}
		})
	}
}
