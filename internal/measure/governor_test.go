//go:build !iprof_off

package measure

import (
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/must"
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
	within := 0
	sum := 0.0
	truth := 0.0
	squares := 0.0
	variances := 0.0
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
		beyond := 0
		all := 0
		told := 0.0
		spent := 0.0
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

// governedUntil runs frames at the machine's own speed while the governor is at work, until something is so.
func governedUntil(t *testing.T, f *Frame, what string, body func(), so func() bool) {
	t.Helper()
	for range 400 {
		func() {
			defer whole.Begin().End()
			body()
		}()
		if Collect(f); so() {
			return
		}
	}
	t.Errorf("after 400 frames: got %d entries untimed; want %s", f.Lanes[0].Untimed, what)
}

func useRealGovernor(t *testing.T) {
	t.Helper()
	useRealClock(t)
	SetOverheadLimit(0.02)
	t.Cleanup(func() { SetOverheadLimit(0) })
}

// TestManySiblingsAreCounted has more zones demoted in one place than Begin looks at; one of them stops being for a
// while.
func TestManySiblingsAreCounted(t *testing.T) {
	useRealGovernor(t)
	var many [100]Zone
	odd := &many[3]
	odd.Name = "odd"
	var f Frame
	const entries = 480 // where timing them costs less than half a microsecond, a zone is not demoted
	body := func() {
		for range entries {
			for i := range many {
				many[i].Begin().End()
			}
			for range 4 { // so that none is demoted before it
				odd.Begin().End()
			}
		}
	}
	isDemoted := func() bool { return nodeOf(&f, "odd").Estimated != EstimatedNone }
	most := func() bool {
		estimated := 0
		for _, n := range f.Lanes[0].Nodes[2:] {
			if n.Estimated != EstimatedNone {
				estimated++
			}
			if n.Count != entries && n.Count != 5*entries {
				t.Errorf("got %d entries; want %d", n.Count, entries)
			}
		}
		return estimated > 80
	}
	governedUntil(t, &f, "most zones demoted", body, most)
	governedUntil(t, &f, "odd demoted", body, isDemoted)
	odd.SetPerCall(true)
	governedUntil(t, &f, "odd timed", body, func() bool { return !isDemoted() })
	odd.SetPerCall(false)
	governedUntil(t, &f, "odd demoted again", body, isDemoted)
}

// asStranger calls body on a goroutine whose place in the table of slots another has.
func asStranger(t *testing.T, body func()) {
	t.Helper()
	end := make(chan bool)
	defer close(end)
	for range 1000 {
		answer := make(chan bool)
		go func() {
			whole.Begin().End()
			stranger := platform.Find() == nil
			if stranger {
				body()
			}
			answer <- stranger
			<-end
		}()
		if <-answer {
			return
		}
	}
	t.Error("no two of 1000 goroutines have the same place; want some to have")
}

// TestWhatWasTimedBelowUntimedEntriesMayBeDemotedToo enters a zone seldom inside one that is demoted, and then each
// time.
func TestWhatWasTimedBelowUntimedEntriesMayBeDemotedToo(t *testing.T) {
	useRealGovernor(t)
	t.Run("at home", demotedBelow)
	t.Run("stranger", func(t *testing.T) { asStranger(t, func() { demotedBelow(t) }) })
}

func demotedBelow(t *testing.T) {
	var f Frame
	const entries = 1600
	every := entries / 4
	body := func() {
		for i := range entries {
			s := part.Begin()
			if i%every == 0 {
				tiny.Begin().End()
			}
			s.End()
		}
	}
	governedUntil(t, &f, "nearly all of part's", body, func() bool { return f.Lanes[0].Untimed >= entries*8/10 })
	every = 1
	governedUntil(t, &f, "nearly all", body, func() bool { return f.Lanes[0].Untimed >= 2*entries*8/10 })
}

var unended = [2]Zone{{Name: "unended 0"}, {Name: "unended 1"}}

// TestLimitActsWithoutFrames has a program whose first frame never ends. Most of its entries are to be counted only,
// and none lost.
func TestLimitActsWithoutFrames(t *testing.T) {
	useRealGovernor(t)
	const rounds, entries = 30, 3_000
	var f Frame
	Collect(&f)
	for range rounds {
		for i := range entries {
			func() {
				defer unended[0].Begin().End()
				unended[i%2].Begin().End()
			}()
		}
		governFrame()
	}
	Collect(&f)
	var sum, untimed uint64
	for _, l := range f.Lanes {
		untimed += l.Untimed
		for i, n := range l.Nodes {
			if z := f.Zones[n.Zone].Name; z == unended[0].Name || z == unended[1].Name {
				sum += uint64(n.Count) + uint64(l.Extra(i).More)<<32
			}
		}
	}
	if want := uint64(2 * rounds * entries); sum != want || untimed < want/2 {
		t.Errorf("got %d entries, %d of them counted only; want %d, most of them counted only", sum, untimed, want)
	}
}

// TestTheLimitRestsWhileAllWait waits until the governor's beats rest, and then enters a zone.
func TestTheLimitRestsWhileAllWait(t *testing.T) {
	useRealGovernor(t)
	if !knowsWaits() {
		t.Skip("this Go does not tell how many goroutines run")
	}
	unended[0].Begin().End()
	must.Until(t, "the beat rests while all goroutines wait", func() bool {
		time.Sleep(1500 * time.Millisecond) // a goroutine that looks each millisecond is often awake at a beat
		return beat.Resting()
	})
	unended[0].Begin().End()
	if beat.Resting() {
		t.Error("got rest after an entry; want beats")
	}
}

// knowsWaits reports whether OthersWait can know that all others wait.
func knowsWaits() bool {
	for range 1000 {
		if platform.OthersWait() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
