//go:build !iprof_off

package gather

import (
	"maps"
	"math"
	"math/rand"
	"testing"
)

// useMuting is useGovernor where a timed entry takes 2 ticks, a counted one 1 and a muted one none.
func useMuting(t *testing.T) *fakeClock {
	c := useGovernor(t, 2, 0.02)
	calibratedCount.Store(costFraction)
	return c
}

// scoped enters a zone and does some work in it, and takes as long for measuring as the governor believes.
func scoped(c *fakeClock, s Scope, work int64) {
	c.advance(work)
	s.End()
	switch {
	case s.n == nil:
	case s.n.flag&flagUntimed != 0:
		c.advance(1)
		c.recount(s)
	default:
		c.advance(2)
	}
}

// mutedNow returns the muted zones' names.
func mutedNow() (names []string) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for id := range registry.updates.muting.zones {
		names = append(names, zones.info(id).Name)
	}
	return names
}

// account is what some frames have of a node, and what was really done.
type account struct{ count, self, variance, entered, spent float64 }

// mutedFrames runs frames in which the node named tiny is entered by enter, 500 to 1500 times.
func mutedFrames(t *testing.T, c *fakeClock, frames int, path string, enter func() Scope) (a account, silent int) {
	t.Helper()
	r := rand.New(rand.NewSource(int64(frames)))
	var f Frame
	for range frames {
		func() {
			defer whole.Begin().End()
			for range 500 + r.Intn(1000) {
				took := r.Int63n(5)
				scoped(c, enter(), took)
				c.advance(1)
				a.entered, a.spent = a.entered+1, a.spent+float64(took)
			}
		}()
		c.advance(100)
		got := collect(t, &f)
		a.count, a.self = a.count+float64(got[path].count), a.self+float64(got[path].self)
		a.variance += varianceOf(&f, "tiny")
		if got["whole"].count != 1 {
			t.Fatalf("whole: got %+v; want 1 entry", got["whole"])
		}
		if f.Lanes[0].Muted > 0 {
			silent++
			if n := nodeOf(&f, "tiny"); n.Estimated != EstimatedCount {
				t.Fatalf("tiny: got %v; want its count estimated", n.Estimated)
			}
		} else if n := nodeOf(&f, "tiny"); n.Estimated == EstimatedCount {
			t.Fatal("tiny in a window: got its count estimated; want it exact")
		}
	}
	return a, silent
}

// cheapFrames runs frames in which tiny is entered once.
func cheapFrames(c *fakeClock, frames int) {
	var f Frame
	for range frames {
		func() {
			defer whole.Begin().End()
			tiny.Begin().End()
			c.advance(50_000)
		}()
		Collect(&f)
	}
}

func (a *account) check(t *testing.T) {
	t.Helper()
	if d := a.count/a.entered - 1; math.Abs(d) > 0.02 {
		t.Errorf("entries: got %.0f; want some %.0f (%+.3f)", a.count, a.entered, d)
	}
	if d := a.self/a.spent - 1; math.Abs(d) > 0.05 {
		t.Errorf("self time: got %.0f; want some %.0f (%+.3f)", a.self, a.spent, d)
	}
	if d := math.Abs(a.self - a.spent); d > 4*math.Sqrt(a.variance) {
		t.Errorf("self time: got an error of %.0f; want little more than the standard error, %.0f", d, math.Sqrt(a.variance))
	}
}

func TestZonesAreMutedWhereEvenCountingIsTooDear(t *testing.T) {
	c := useMuting(t)
	mutedFrames(t, c, 20, "whole/tiny", tiny.Begin)
	if got := mutedNow(); len(got) != 1 || got[0] != "tiny" {
		t.Fatalf("muted: got %q; want tiny", got)
	}
	a, silent := mutedFrames(t, c, 16_000, "whole/tiny", tiny.Begin)
	if silent < 14_000 || silent > 15_960 {
		t.Errorf("frames without counting: got %d of 16,000; want most", silent)
	}
	a.check(t)
	cheapFrames(c, 1000)
	if got := mutedNow(); len(got) != 0 || demotedNow() {
		t.Errorf("after cheap frames: got %q muted, demoted %v; want none", got, demotedNow())
	}
}

func TestSitesAreMuted(t *testing.T) {
	c := useMuting(t)
	enter := func() Scope { return sited("tiny") }
	mutedFrames(t, c, 20, "whole/tiny", enter)
	a, silent := mutedFrames(t, c, 16_000, "whole/tiny", enter)
	if silent < 14_000 {
		t.Errorf("frames without counting: got %d of 16,000; want most", silent)
	}
	a.check(t)
}

// TestMutedZoneThatIsNotDemotedAnyMore has its calls counted for a while, then hardly enters it.
func TestMutedZoneThatIsNotDemotedAnyMore(t *testing.T) {
	c := useMuting(t)
	mutedFrames(t, c, 60, "whole/tiny", tiny.Begin)
	if len(mutedNow()) == 0 {
		t.Fatal("got nothing muted; want tiny")
	}
	tiny.SetPerCall(true)
	defer tiny.SetPerCall(false)
	cheapFrames(c, 50)
	tiny.SetPerCall(false)
	cheapFrames(c, 50)
	if got := mutedNow(); len(got) != 0 {
		t.Errorf("after cheap frames: got %q muted; want none", got)
	}
}

// TestPeekChangesNothingOfMutedZones runs the same frames with and without.
func TestPeekChangesNothingOfMutedZones(t *testing.T) {
	var told [2][]map[string]row
	for peeks := range told {
		c := useMuting(t)
		r := rand.New(rand.NewSource(5))
		var f, peek Frame
		for range 200 {
			func() {
				defer whole.Begin().End()
				for range 500 + r.Intn(1000) {
					scoped(c, tiny.Begin(), r.Int63n(5))
					c.advance(1)
				}
			}()
			for range 3 * peeks {
				Peek(&peek)
			}
			told[peeks] = append(told[peeks], collect(t, &f))
		}
	}
	for frame := range told[0] {
		if a, b := told[0][frame], told[1][frame]; !maps.Equal(a, b) {
			t.Fatalf("frame %d: got %+v without Peeks and %+v with them; want the same", frame, a, b)
		}
	}
}

func TestNoLimitNothingMuted(t *testing.T) {
	c := useMuting(t)
	mutedFrames(t, c, 30, "whole/tiny", tiny.Begin)
	SetOverheadLimit(0)
	var f Frame
	Collect(&f)
	a, silent := mutedFrames(t, c, 10, "whole/tiny", tiny.Begin)
	if silent > 0 || a.count != a.entered || len(mutedNow()) > 0 {
		t.Errorf("limit taken back: got %v entries, %d silent frames; want all %v", a.count, silent, a.entered)
	}
}

func TestLongerZonesAndThoseAroundOthersAreNotMuted(t *testing.T) {
	c := useMuting(t)
	var f Frame
	for frame := range 60 {
		func() {
			defer whole.Begin().End()
			for i := range 1000 {
				s := tiny.Begin() // has another inside that is too long
				if i%100 == 0 {
					scoped(c, part.Begin(), 200)
				}
				scoped(c, s, 1)
				scoped(c, rare.Begin(), 20) // counting takes a twentieth of it
			}
		}()
		got := collect(t, &f)
		if got["whole/tiny"].count != 1000 || got["whole/rare"].count != 1000 || got["whole/tiny/part"].count != 10 {
			t.Fatalf("frame %d: got %+v; want exact counts", frame, got)
		}
	}
	if got := mutedNow(); len(got) > 0 || !demotedNow() {
		t.Errorf("got %q muted; want none, but zones demoted", got)
	}
}

// TestMutedBelowMuted has a muted zone inside a muted one, both in frames and in none: their tree stays what it is.
func TestMutedBelowMuted(t *testing.T) {
	c := useMuting(t)
	run := func(frames int) (outer, inner, entered float64) {
		var f Frame
		for range frames {
			for range 500 {
				s := tiny.Begin()
				scoped(c, part.Begin(), 2)
				scoped(c, s, 1)
				entered++
			}
			got := collect(t, &f)
			outer, inner = outer+float64(got["tiny"].count), inner+float64(got["tiny/part"].count)
			if r, stray := got["part"]; stray {
				t.Fatalf("part: got %+v below the root; want it in tiny", r)
			}
		}
		return
	}
	run(30)
	if got := mutedNow(); len(got) != 2 {
		t.Fatalf("muted: got %q; want both", got)
	}
	outer, inner, entered := run(300)
	if math.Abs(outer/entered-1) > 0.02 || math.Abs(inner/entered-1) > 0.02 {
		t.Errorf("entries: got %.0f and %.0f; want some %.0f", outer, inner, entered)
	}
}

// TestLanesWithNothingButMutedZonesAreTold: nothing else says that the goroutine did anything.
func TestLanesWithNothingButMutedZonesAreTold(t *testing.T) {
	c := useMuting(t)
	p := newPlayer("all muted")
	work := func() {
		for range 1000 {
			scoped(c, tiny.Begin(), 2)
		}
	}
	var f Frame
	told := 0
	for frame := range 100 {
		p.do(work)
		Collect(&f)
		if lane := laneNamed(&f, "all muted"); frame >= 50 && lane != nil && rows(t, &f, lane)["tiny"].count > 500 {
			told++
		}
	}
	if told != 50 {
		t.Errorf("frames that tell of it: got %d; want all 50", told)
	}
	close(p.orders)
	<-p.done
	for range 2000 {
		c.advance(100)
		Collect(&f)
	}
	if got := mutedNow(); len(got) > 0 {
		t.Errorf("lane gone: got %q muted; want none", got)
	}
}

func TestHeldZonesAreNotMuted(t *testing.T) {
	c := useMuting(t)
	var f Frame
	kept := uint32(0)
	for range 60 {
		func() {
			defer whole.Begin().End()
			for i := range 1000 {
				scoped(c, tiny.Begin(), 1)
				if i == 500 {
					h := tiny.Hold()
					c.advance(1)
					h.Keep(true)
				}
			}
		}()
		got := collect(t, &f)
		kept += got["whole/tiny"].count
	}
	if kept != 60*1001 || len(mutedNow()) > 0 {
		t.Errorf("got %d entries, %q muted; want %d, none", kept, mutedNow(), 60*1001)
	}
}

// TestOtherLanesWithAMutedZone: one lane has a zone muted that another enters now and then, and nothing else.
func TestOtherLanesWithAMutedZone(t *testing.T) {
	c := useMuting(t)
	p := newPlayer("other")
	defer func() { close(p.orders); <-p.done }()
	count, frames := 0.0, 300
	var f Frame
	for frame := range 40 + frames {
		p.do(func() {
			for range 20 {
				scoped(c, tiny.Begin(), 2)
			}
		})
		for range 1000 {
			scoped(c, tiny.Begin(), 2)
		}
		c.advance(35_000) // else frames without counting would be far shorter, and the other lane's part of them larger
		Collect(&f)
		if lane := laneNamed(&f, "other"); frame >= 40 && lane != nil {
			count += float64(rows(t, &f, lane)["tiny"].count)
		}
	}
	if got := mutedNow(); len(got) != 1 {
		t.Fatalf("muted: got %q; want tiny", got)
	}
	if want := float64(20 * frames); math.Abs(count/want-1) > 0.05 {
		t.Errorf("entries on the other lane: got %.0f; want some %.0f", count, want)
	}
}

// TestOtherLanesMayObject: on another lane the zone has one inside that is not muted, whose place in the tree would change.
func TestOtherLanesMayObject(t *testing.T) {
	c := useMuting(t)
	p := newPlayer("other")
	defer func() { close(p.orders); <-p.done }()
	var f Frame
	for range 60 {
		p.do(func() {
			s := tiny.Begin()
			scoped(c, part.Begin(), 2)
			scoped(c, s, 2)
		})
		for range 1000 {
			scoped(c, tiny.Begin(), 2)
		}
		if got := collect(t, &f)["tiny"].count; got != 1000 {
			t.Fatalf("got %d entries; want 1000", got)
		}
	}
	if got := mutedNow(); len(got) > 0 {
		t.Errorf("muted: got %q; want none", got)
	}
}
