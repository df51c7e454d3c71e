//go:build !iprof_off

package measure

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// useGovernor makes a pair cost ticks on the fake clock, by the governor's belief, and sets the limit.
func useGovernor(t testing.TB, pair int64, limit float64) *fakeClock {
	t.Helper()
	c := useFakeClock(t)
	c.advance(1000)
	SetOverheadLimit(limit)
	t.Cleanup(func() { SetOverheadLimit(0) })
	var f Frame
	Collect(&f)
	lastCalibration.Store(governor.Calibration{Pair: platform.Ticks(pair * governor.Fraction)})
	c.pair = pair
	return c
}

// pay takes the time that measuring took, outside of the zone, by a scope that has ended: where it was timed, as long
// as the governor believes.
func (c *fakeClock) pay(s Scope) {
	if s.node() != nil && s.node().flag&flagUntimed == 0 {
		c.advance(c.pair)
	}
}

var (
	whole  = Zone{Name: "whole"}
	tiny   = Zone{Name: "tiny"}
	part   = Zone{Name: "part"}
	seldom = Zone{Name: "seldom"}
)

// busyFrame enters tiny n times for a random time of 0 to 2*mean ticks, and returns the time spent in it.
func busyFrame(c *fakeClock, r *rand.Rand, n int, mean int64) (spent int64) {
	defer whole.Begin().End()
	for range n {
		s := tiny.Begin()
		took := r.Int63n(2*mean + 1)
		c.advance(took)
		spent += took
		s.End()
		c.pay(s)
		c.advance(1)
	}
	return spent
}

// demotedNow reports whether the governor has demoted anything.
func demotedNow() bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return governing
}

func TestHotTinyZonesAreDemotedAndPromotedAgain(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	r := rand.New(rand.NewSource(1))
	var f Frame
	for i := range 6 {
		busyFrame(c, r, 1000, 5)
		got := collect(t, &f)
		if got["whole/tiny"].count != 1000 || got["whole"].count != 1 {
			t.Fatalf("frame %d: got %+v; want exact counts", i, got)
		}
	}
	if !demotedNow() || f.Lanes[0].Untimed < 800 {
		t.Fatalf("after 6 dear frames: got %d entries untimed; want most of 1000", f.Lanes[0].Untimed)
	}
	if n := nodeOf(&f, "tiny"); n.Estimated != EstimatedTime {
		t.Errorf("tiny: got %v; want its time estimated", n.Estimated)
	}
	if n := nodeOf(&f, "whole"); n.Estimated != EstimatedTime {
		t.Errorf("whole, around it: got %v; want its own time estimated", n.Estimated)
	}
	for range 2*governor.Patience + governor.Settling {
		busyFrame(c, r, 10, 5)
		c.advance(10_000)
		Collect(&f)
	}
	if demotedNow() {
		t.Error("after cheap frames: got zones demoted; want none")
	}
	c.advance(10_000)
	spent := busyFrame(c, r, 10, 5)
	got := collect(t, &f)
	want(t, got, "whole/tiny", platform.Ticks(spent), 10, false)
	if n := nodeOf(&f, "tiny"); n.Estimated != EstimatedNone || f.Lanes[0].Untimed != 0 {
		t.Errorf("promoted: got %v, %d untimed; want it exact", n.Estimated, f.Lanes[0].Untimed)
	}
}

// nodeOf returns the first node of a zone in the updater's lane.
func nodeOf(f *Frame, name string) Node {
	for _, n := range f.Lanes[0].Nodes {
		if f.Zones[n.Zone].Name == name {
			return n
		}
	}
	return Node{}
}

func varianceOf(f *Frame, name string) float64 {
	for i, n := range f.Lanes[0].Nodes {
		if f.Zones[n.Zone].Name == name {
			return f.Lanes[0].Extra(i).Variance
		}
	}
	return 0
}

func TestEstimateIsWithinItsStandardError(t *testing.T) {
	if testing.Short() && !platform.Assembly {
		t.Skip("the arithmetic is that of the assembly, and each zone takes a hundred times as long")
	}
	const runs = 60
	within, sum, truth, squares, variances := 0, 0.0, 0.0, 0.0, 0.0
	for seed := range runs {
		c := useGovernor(t, 2, 0.02)
		r := rand.New(rand.NewSource(int64(seed)))
		var f Frame
		for range 10 {
			busyFrame(c, r, 2000, 5)
			Collect(&f)
		}
		estimate, spent, variance := 0.0, 0.0, 0.0
		for range 20 {
			spent += float64(busyFrame(c, r, 2000, 5))
			got := collect(t, &f)
			estimate += float64(got["whole/tiny"].self)
			variance += varianceOf(&f, "tiny")
			if hier := got["whole"].self + got["whole/tiny"].self; hier != f.End-f.Begin {
				t.Fatalf("whole: got %d ticks in all; want the frame's %d", hier, f.End-f.Begin)
			}
		}
		if variance == 0 {
			t.Fatalf("seed %d: got no variance; want some", seed)
		}
		if math.Abs(estimate-spent) < math.Sqrt(variance) {
			within++
		}
		squares, variances = squares+(estimate-spent)*(estimate-spent), variances+variance
		sum, truth = sum+estimate, truth+spent
	}
	if within < runs*45/100 || within > runs*92/100 {
		t.Errorf("runs within one standard error: got %d of %d; want about two in three", within, runs)
	}
	if ratio := math.Sqrt(squares / variances); ratio < 0.5 || ratio > 1.2 {
		t.Errorf("errors in standard errors: got %.2f; want about 1, less as the runs are spread evenly", ratio)
	}
	if d := sum/truth - 1; math.Abs(d) > 0.01 {
		t.Errorf("all runs together: got an error of %.4f; want less than 0.01", d)
	}
}

// TestWhatIsEnteredLaterIsDemotedAsWell has a zone entered inside a demoted one only some frames later.
func TestWhatIsEnteredLaterIsDemotedAsWell(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	for i := range 20 {
		func() {
			defer whole.Begin().End()
			for range 1000 {
				s := tiny.Begin()
				if i >= 8 {
					p := part.Begin()
					c.advance(2)
					p.End()
				}
				c.advance(5)
				s.End()
			}
		}()
		got := collect(t, &f)
		if inside := got["whole/tiny/part"].count; got["whole/tiny"].count != 1000 || i >= 8 && inside != 1000 {
			t.Fatalf("frame %d: got %+v; want 1000 entries of each", i, got)
		}
	}
	if got := f.Lanes[0].Untimed; got < 1800 {
		t.Errorf("got %d entries untimed; want most of 2000", got)
	}
}

// TestWhatIsFirstEnteredUntimedIsOneNode has a zone met for the first time inside an entry that is not timed.
func TestWhatIsFirstEnteredUntimedIsOneNode(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	for i := range 40 {
		spent, before := int64(0), c.now.Load()
		func() {
			defer whole.Begin().End()
			for range 1000 {
				s := tiny.Begin()
				if r.Intn(1000) < 25*i {
					p := part.Begin()
					c.advance(20)
					p.End()
					c.pay(p)
					spent += 20
				}
				c.advance(5)
				s.End()
				c.pay(s)
			}
		}()
		got := collect(t, &f) // which sees to it that there are no two of a path
		if in := got["whole/tiny/part"]; in.count != uint32(spent/20) {
			t.Fatalf("frame %d: got %+v; want %d entries", i, in, spent/20)
		}
		if all := got["whole"].self + got["whole/tiny"].self +
			got["whole/tiny/part"].self; all != platform.Ticks(c.now.Load()-before) {
			t.Fatalf("frame %d: got %d ticks in all; want %d", i, all, c.now.Load()-before)
		}
	}
	if n := nodeOf(&f, "part"); n.Estimated != EstimatedTime || math.Abs(float64(n.Self)/float64(20*n.Count)-1) > 0.02 {
		t.Errorf("part: got %+v; want some 20 ticks an entry, estimated", n)
	}
}

// TestLimitIsKeptByWhatMeasuringTakesInside has counting take half of the limit, and timing half as much again as the
// governor believes.
func TestLimitIsKeptByWhatMeasuringTakesInside(t *testing.T) {
	const limit, pair = 0.02, 20
	c := useGovernor(t, pair, limit)
	lastCalibration.Store(governor.Calibration{Pair: pair * governor.Fraction, Counted: governor.Fraction})
	r := rand.New(rand.NewSource(1))
	var f Frame
	measuring, all := int64(0), int64(0)
	for i := range 200 {
		before, spent := c.now.Load(), int64(0)
		func() {
			defer whole.Begin().End()
			for range 2000 {
				s := tiny.Begin()
				c.advance(r.Int63n(200))
				s.End()
				began := c.now.Load()
				if s.node().flag&flagUntimed == 0 {
					c.advance(pair * 3 / 2)
				} else {
					c.advance(1)
				}
				spent += c.now.Load() - began
			}
		}()
		if Collect(&f); i >= 20 {
			measuring, all = measuring+spent, all+c.now.Load()-before
		}
	}
	if got := float64(measuring) / float64(all); got > limit || got < limit/2 {
		t.Errorf("measuring: got %.4f of the time; want most of %v, and not more", got, limit)
	}
}

// TestEstimatesOfAProgramThatIsInterrupted has the processor taken away for about a frame's length, in one of so many
// entries, wherever that falls. Estimates of single frames are rarely beyond three standard errors, and no entry's
// interruption stands for others.
func TestEstimatesOfAProgramThatIsInterrupted(t *testing.T) {
	if testing.Short() && !platform.Assembly {
		t.Skip("the arithmetic is that of the assembly, and each zone takes a hundred times as long")
	}
	for _, every := range []int{1000, 4000, 100_000} {
		beyond, all, told, spent := 0, 0, 0.0, 0.0
		for seed := range int64(5) {
			c, r := useGovernor(t, 2, 0.02), rand.New(rand.NewSource(seed))
			var f Frame
			for frame := range 230 {
				w, inside, before := whole.Begin(), int64(0), c.now.Load()
				for range 1000 {
					s, took := tiny.Begin(), r.Int63n(11)
					if r.Intn(every) == 0 {
						took += 4000 + r.Int63n(8000)
					}
					c.advance(took)
					inside += took
					s.End()
					c.pay(s)
					c.advance(1)
				}
				w.End()
				got := collect(t, &f)
				if frame < 30 {
					continue
				}
				around := c.now.Load() - before - inside
				for path, truth := range map[string]int64{"whole/tiny": inside, "whole": around} {
					_, name, _ := strings.Cut("/"+path, "/")
					if name == "whole/tiny" {
						name = "tiny"
					}
					all++
					if off := math.Abs(float64(got[path].self) - float64(truth)); off > 3*math.Sqrt(varianceOf(&f,
						name)) {
						beyond++
					}
				}
				told, spent = told+float64(got["whole/tiny"].self), spent+float64(inside)
			}
		}
		t.Logf("one in %d: %d of %d beyond, %.3f told", every, beyond, all, told/spent)
		if beyond > all/100 {
			t.Errorf("one interruption in %d entries: got %d of %d estimates beyond three standard errors; want one "+
				"in 100", every, beyond, all)
		}
		if told > 1.1*spent {
			t.Errorf("one interruption in %d entries: got %.0f ticks; want at most the %.0f spent", every, told, spent)
		}
	}
}
