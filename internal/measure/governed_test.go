//go:build !iprof_off

package measure

import (
	"math/rand"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// TestGovernedAtFullSpeed counts each path on the machine's clock, where the governor's own path is taken, with both
// kinds of callers.
func TestGovernedAtFullSpeed(t *testing.T) {
	useRealClock(t)
	was := leastWorth
	leastWorth = 0 // its paths have few entries each
	SetOverheadLimit(1e-6)
	t.Cleanup(func() { SetOverheadLimit(0); leastWorth = was })
	lane := Register("full speed")
	defer lane.Close()
	r := rand.New(rand.NewSource(1))
	var f Frame
	Collect(&f)
	untimed := uint64(0)
	for range 40 {
		want := map[string]uint32{}
		var path []string
		var scopes []Scope
		for range 4_000 {
			if len(scopes) > 0 && (r.Intn(2) == 0 || len(scopes) == 6) {
				scopes[len(scopes)-1].End()
				scopes = scopes[:len(scopes)-1]
				path = path[:len(path)-1]
				continue
			}
			z := &zones40[r.Intn(1+r.Intn(6))]
			switch r.Intn(4) {
			case 0:
				scopes = append(scopes, z.In(lane))
			case 1:
				scopes = append(scopes, sited(z.Name))
			default:
				scopes = append(scopes, z.Begin())
			}
			path = append(path, z.Name)
			want[strings.Join(path, "/")]++
		}
		for _, s := range slices.Backward(scopes) {
			s.End()
		}
		Collect(&f)
		untimed += f.Lanes[0].Untimed
		got := countsByPath(t, &f, &f.Lanes[0])
		for path, count := range want {
			if got[path] != count {
				t.Fatalf("%q: got %+v; want %d entries", path, got[path], count)
			}
		}
		for path, r := range got {
			if path != "" && r != want[path] {
				t.Fatalf("%q: got %+v; want %d entries", path, r, want[path])
			}
		}
	}
	if untimed < 10_000 {
		t.Errorf("entries that were not timed: got %d; want most of 80,000", untimed)
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.OtherLane != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

// countsByPath returns the entries of a lane by the names from the root. A private and a public zone of one name are
// one here.
func countsByPath(t *testing.T, f *Frame, lane *LaneFrame) map[string]uint32 {
	t.Helper()
	paths, counts := make([]string, len(lane.Nodes)), map[string]uint32{}
	var sum platform.Ticks
	for i, n := range lane.Nodes {
		if i > 0 {
			paths[i] = strings.TrimPrefix(paths[n.Parent]+"/"+f.Zones[n.Zone].Name, "/")
		}
		counts[paths[i]] += n.Count
		sum += n.Self
	}
	if sum != lane.End-lane.Begin {
		t.Errorf("lane %q: got self times that sum to %d; want %d", lane.Name, sum, lane.End-lane.Begin)
	}
	return counts
}

// sited enters a private zone as package iprof does while the governor is at work.
//
//go:noinline
func sited(name string) Scope {
	if State() == Governed {
		slot, now, pc := platform.FindCaller()
		return CountSite(slot, now, pc, name)
	}
	slot, now, pc := platform.EnterCaller()
	return OpenSite(slot, now, pc, name)
}

// demote makes whole/tiny demoted, and returns the clock.
func demote(t *testing.T, f *Frame) (*fakeClock, *rand.Rand) {
	t.Helper()
	c, r := useGovernor(t, 2, 0.02), rand.New(rand.NewSource(1))
	for range 6 {
		busyFrame(c, r, 1000, 5)
		Collect(f)
	}
	if !demotedNow() {
		t.Fatal("got nothing demoted; want tiny")
	}
	return c, r
}

func TestMisuseOfUntimedScopes(t *testing.T) {
	var f Frame
	c, _ := demote(t, &f)
	enter := func() (outer, inner Scope) { return untimedEntry(t, c) }
	a, b := enter()
	b.End()
	b.End()
	a.End()
	Collect(&f)
	if f.Misuse.ExtraEnd != 1 {
		t.Errorf("second End: got %+v; want one End too many", f.Misuse)
	}
	a, _ = enter()
	a.End()
	Collect(&f)
	if f.Misuse.MissingEnd != 1 {
		t.Errorf("no End: got %+v; want one missing", f.Misuse)
	}
	a, b = enter()
	var wait sync.WaitGroup
	wait.Go(b.End)
	wait.Wait()
	c.advance(1)
	seldom.Begin().End() // the goroutine comes by
	a.End()
	got := collect(t, &f)
	if f.Misuse.OtherLane != 1 || f.Misuse.MissingEnd != 1 {
		t.Errorf("End elsewhere: got %+v; want one on another lane, and none more missing", f.Misuse)
	}
	if r := got["whole/seldom"]; r.count != 1 {
		t.Errorf("entered after it: got %+v; want it in whole", got)
	}
}

// TestOpenUntimedEntriesAreMarked ends frames in the midst of an entry that is not timed, with another inside that is.
func TestOpenUntimedEntriesAreMarked(t *testing.T) {
	var f Frame
	c, _ := demote(t, &f)
	a, b := untimedEntry(t, c)
	inside := part.Begin()
	for range 3 {
		c.advance(10)
		got := collect(t, &f)
		for _, path := range []string{"whole", "whole/tiny", "whole/tiny/part"} {
			if !got[path].open {
				t.Errorf("%s: got %+v; want it open", path, got[path])
			}
		}
		if n := nodeOf(&f, "tiny"); n.Estimated == EstimatedNone {
			t.Errorf("tiny: got %+v, told exactly; want it estimated", n)
		}
	}
	inside.End()
	b.End()
	c.advance(10)
	got := collect(t, &f)
	if got["whole/tiny"].open || !got["whole"].open {
		t.Errorf("after its End: got %+v; want whole open, and tiny not", got)
	}
	a.End()
}

// untimedEntry enters whole, and tiny until it is not timed.
func untimedEntry(t *testing.T, c *fakeClock) (outer, inner Scope) {
	t.Helper()
	outer = whole.Begin()
	for range 10_000 {
		if inner = tiny.Begin(); inner.node().flag&flagUntimed != 0 {
			return outer, inner
		}
		c.advance(1)
		inner.End()
	}
	t.Fatal("got every entry timed; want some counted only")
	return
}

func TestHoldAndDiscardInsideUntimedScopes(t *testing.T) {
	var f Frame
	c, _ := demote(t, &f)
	kept := 0
	func() {
		defer whole.Begin().End()
		for i := range 500 {
			s := tiny.Begin()
			h := part.Hold()
			c.advance(3)
			h.Keep(i%5 == 0)
			if i%5 == 0 {
				kept++
			}
			s.End()
		}
	}()
	got := collect(t, &f)
	want(t, got, "whole/tiny/part", platform.Ticks(3*kept), uint32(kept), false)
	if r := got["whole/tiny"]; r.count != 500 {
		t.Errorf("tiny: got %+v; want 500 entries", r)
	}
	want(t, got, "whole/tiny/(not kept)", platform.Ticks(3*(500-kept)), uint32(500-kept), false)
}

func TestZonesThatAreNotDemotedStayExactBelowUntimedOnes(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	spent, entered := int64(0), uint32(0)
	func() {
		defer whole.Begin().End()
		for i := range 1000 {
			s := tiny.Begin()
			if i%100 == 0 {
				p := part.Begin()
				took := 500 + r.Int63n(100)
				c.advance(took)
				p.End()
				spent, entered = spent+took, entered+1
			}
			c.advance(2)
			s.End()
		}
	}()
	got := collect(t, &f)
	want(t, got, "whole/tiny/part", platform.Ticks(spent), entered, false)
	if hier := got["whole"].self + got["whole/tiny"].self +
		got["whole/tiny/part"].self; hier != platform.Ticks(spent+2000) {
		t.Errorf("whole: got %d ticks in all; want %d", hier, spent+2000)
	}
}

func TestLanesThatEndWhileDemoted(t *testing.T) {
	var f Frame
	c, _ := demote(t, &f)
	done := make(chan bool)
	go func() {
		lane := Register("ends")
		for range 8 {
			for range 1000 {
				tiny.Begin().End()
				c.advance(1)
			}
			var own Frame
			Collect(&own)
		}
		for range 100 {
			s := tiny.Begin()
			s.End()
		}
		lane.Close()
		done <- true
	}()
	<-done
	Collect(&f)
	if lane := laneNamed(&f, "ends"); lane == nil || rows(t, &f, lane)["tiny"].count != 100 {
		t.Errorf("got %+v; want its last 100 entries", lane)
	}
	SetOverheadLimit(0)
	busyFrame(c, rand.New(rand.NewSource(1)), 10, 5)
	Collect(&f)
	if demotedNow() || f.Lanes[0].Untimed != 0 {
		t.Errorf("limit taken back: got %d entries untimed; want none", f.Lanes[0].Untimed)
	}
}

func TestPerCallOfADemotedZone(t *testing.T) {
	var f Frame
	c, r := demote(t, &f)
	tiny.SetPerCall(true)
	t.Cleanup(func() { tiny.SetPerCall(false) })
	for range 8 * governor.Patience {
		busyFrame(c, r, 1000, 5)
		Collect(&f)
	}
	if f.Lanes[0].Untimed != 0 {
		t.Errorf("got %d entries untimed; want none", f.Lanes[0].Untimed)
	}
	before := callsOf(t, &tiny).Count
	busyFrame(c, r, 1000, 5)
	if got := callsOf(t, &tiny).Count - before; got != 1000 {
		t.Errorf("calls: got %d; want 1000", got)
	}
	tiny.SetPerCall(false)
	for range 8 * governor.Patience {
		busyFrame(c, r, 1000, 5)
		Collect(&f)
	}
	if f.Lanes[0].Untimed < 800 {
		t.Errorf("not counted any more: got %d entries untimed; want most of 1000", f.Lanes[0].Untimed)
	}
}

// Entries inside untimed ones are timed as well when their calls are counted.
func TestPerCallBelowADemotedZone(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	frame := func() { nested(c, func() {}) }
	for range 8 {
		frame()
		Collect(&f)
	}
	if f.Lanes[0].Untimed < 1800 {
		t.Fatalf("got %d entries untimed; want most of 2000", f.Lanes[0].Untimed)
	}
	part.SetPerCall(true)
	t.Cleanup(func() { part.SetPerCall(false) })
	for range 8 {
		frame()
		got := collect(t, &f)
		want(t, got, "whole/tiny/part", 2000, 1000, false)
	}
	if f.Lanes[0].Untimed < 800 || nodeOf(&f, "part").Estimated != EstimatedNone {
		t.Errorf("got %d entries untimed, part %v; want those of tiny only", f.Lanes[0].Untimed,
			nodeOf(&f, "part").Estimated)
	}
	calls, all := uint64(0), zones.all()
	for _, x := range AppendCalls(nil) {
		if all[x.Zone].Name == "part" {
			calls += x.Count
		}
	}
	if calls != 8000 {
		t.Errorf("calls: got %d; want 8000", calls)
	}
}

// timedSlot returns the slot of a new lane with a node that FindTime's readings are for, as in a timed block.
func timedSlot(t *testing.T) (l *Lane, n *node) {
	t.Helper()
	useRealClock(t)
	l = Register("timed")
	t.Cleanup(l.Close)
	zoneA.Begin().End()
	n = l.node(1)
	n.flag |= flagWithin
	l.slot.SetTimed(true)
	if found, _ := platform.FindTime(); found != l.slot {
		t.Skip("the goroutine has no home slot, so it is not governed")
	}
	readInVain(l.slot)
	return l, n
}

// readElsewhere ends a frame on another goroutine and returns the lane's part of it.
func readElsewhere(t *testing.T, f *Frame) LaneFrame {
	t.Helper()
	done := make(chan bool)
	go func() {
		Collect(f)
		close(done)
	}()
	<-done
	lane := laneNamed(f, "timed")
	if lane == nil {
		t.Fatal("got no lane; want the one that waits")
	}
	rows(t, f, lane)
	return *lane
}

// TestReaderBesideATimedEntryThatWaits ends a frame while a goroutine has read the clock for a timed entry and has not
// used the reading.
func TestReaderBesideATimedEntryThatWaits(t *testing.T) {
	l, n := timedSlot(t)
	s, now := platform.FindTime()
	var f Frame
	if lane := readElsewhere(t, &f); lane.End > now {
		t.Errorf("got the lane read up to %d ticks after the reading; want at most 0", lane.End-now)
	}
	if !n.isTimed(s, now) {
		t.Fatal("got the reading refused; want it used")
	}
	n.enterTimed(s, now)
	scopeOf(n).End()
	took := l.lastRead() - now
	lane := readElsewhere(t, &f)
	if got := rows(t, &f, &lane)["a"]; got.count != 1 || got.self != took {
		t.Errorf("got %+v; want one entry of %d ticks", got, took)
	}
	if f.Misuse.ClockBack != 0 {
		t.Errorf("steps back of the clock: got %d; want 0", f.Misuse.ClockBack)
	}
}

// TestReadingInVainDoesNotHoldTheReader has the reading of a timed block not used, as its entry is only counted.
func TestReadingInVainDoesNotHoldTheReader(t *testing.T) {
	timedSlot(t)
	s, _ := platform.FindTime()
	readInVain(s)
	before := platform.Now()
	var f Frame
	if lane := readElsewhere(t, &f); lane.End+platform.Jitter() < before {
		t.Errorf("got the lane read up to %d ticks before now; want 0", before-lane.End)
	}
}

// A frame ends the bursts of the zones that had some in it, and looks at no others.
func TestAFrameEndsTheBurstsThatItHad(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	frame := func(entries int) {
		w := whole.Begin()
		for range entries {
			s := tiny.Begin()
			c.advance(2)
			s.End()
		}
		w.End()
		c.advance(500)
		collect(t, &f)
	}
	frame(10)
	muteZone(t, "tiny")
	for range 5 {
		frame(1000)
		if len(sampled.changed) > 0 || len(sampled.all) == 0 {
			t.Fatalf("got %d zones with bursts that no frame has ended, of %d; want none of some", len(sampled.changed),
				len(sampled.all))
		}
		for _, b := range sampled.all {
			ended := *b
			if ended.EndFrame(); b.number == 0 || ended != *b {
				t.Errorf("got bursts %+v after a frame; want them among the earlier ones, as in %+v", *b, ended)
			}
		}
	}
}
