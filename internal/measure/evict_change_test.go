//go:build !iprof_off

package measure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// enterMany enters zones at random, down to some depth, and passes time in them. It returns the number of entries, and
// of those without a scope.
func enterMany(rng *rand.Rand, depth int, pass func(ticks int64)) (entered, lost uint64) {
	for range 1 + rng.IntN(3) {
		s := zones40[rng.IntN(40)].Begin()
		if entered++; s == (Scope{}) {
			lost++
		}
		if pass(1 + rng.Int64N(5)); depth > 1 {
			n, none := enterMany(rng, depth-1, pass)
			entered, lost = entered+n, lost+none
		}
		pass(1)
		s.End()
	}
	return entered, lost
}

// wanderMore is enterMany with the clock of a test.
func wanderMore(clock *fakeClock, rng *rand.Rand, depth int) (entered uint64) {
	entered, _ = enterMany(rng, depth, clock.advance)
	return entered
}

// fillLane makes the lane full, so that it evicts all the time.
func fillLane(t *testing.T, nodes int) (clock *fakeClock, rng *rand.Rand) {
	t.Helper()
	clock, rng = useFakeClock(t), rand.New(rand.NewPCG(1, uint64(nodes)))
	SetLimits(Limits{NodesPerLane: nodes})
	var f Frame
	Collect(&f)
	for range 50 {
		for range 50 {
			wanderMore(clock, rng, 4)
		}
		Collect(&f)
	}
	return clock, rng
}

// countFolded sums the entries of rows: of all, and of those named "(other)".
func countFolded(got map[string]row) (all, other uint64) {
	for path, r := range got {
		if all += uint64(r.count); strings.HasSuffix(path, otherName) {
			other += uint64(r.count)
		}
	}
	return all, other
}

// The calls of "(other)" are kept for as long as they are counted.
func TestCallsOfOtherAreKept(t *testing.T) {
	clock, rng := fillLane(t, 60)
	other := zones.own(otherName)
	SetPerCallOf(other, true)
	defer SetPerCallOf(other, false)
	var f Frame
	before := uint64(0)
	for range 50 {
		for range 50 {
			wanderMore(clock, rng, 4)
		}
		Collect(&f)
		calls := uint64(0)
		for _, c := range AppendCalls(nil) {
			calls += c.Count
		}
		if calls < before {
			t.Fatalf("got %d calls; want at least the %d of the frame before", calls, before)
		}
		before = calls
	}
	SetPerCallOf(other, false)
	wanderMore(clock, rng, 1)
	if held := MemoryUsed().Calls; before == 0 || held != 0 {
		t.Errorf("got %d calls, and then %d bytes held; want some, and none", before, held)
	}
}

// A hold that begins in a pause has no entries of the stacks that had its nodes before.
func TestHoldInAPauseOfAFullLane(t *testing.T) {
	clock, rng := fillLane(t, 60)
	SetLimits(Limits{NodesPerLane: 80})
	var f Frame
	CollectPaused(&f, true)
	h := zoneA.Hold()
	for range 20 {
		wanderMore(clock, rng, 4)
	}
	CollectPaused(&f, false)
	entered := uint64(0)
	for range 20 {
		entered += wanderMore(clock, rng, 4)
	}
	h.Keep(true)
	if all, _ := countFolded(collect(t, &f)); all != entered {
		t.Errorf("got %d entries; want the %d after the pause", all, entered)
	}
}

// A full lane has rows for new stacks after its limit is lowered, and after it gets another log of events, too.
func TestNewStacksAfterAChange(t *testing.T) {
	for name, change := range map[string]func(){
		"lower limit": func() { SetLimits(Limits{NodesPerLane: 100}) },
		"more events": func() { SetEvents(128) },
	} {
		t.Run(name, func(t *testing.T) {
			SetEvents(64)
			clock, rng := fillLane(t, 1000)
			SetEvents(64)
			for range 20_000 {
				wanderMore(clock, rng, 3)
			}
			var f Frame
			Collect(&f)
			change()
			for frame := range 40 {
				for i := range 500 {
					s := zones40[i%5].Begin()
					clock.advance(1)
					named(fmt.Sprint("late", i%50/5)).End()
					s.End()
				}
				all, other := countFolded(collect(t, &f))
				if all != 1000 {
					t.Errorf("frame %d: got %d entries; want 1000", frame, all)
				}
				if frame == 39 && other > 0 {
					t.Errorf("got %d of %d entries in %q; want a row for each stack", other, all, otherName)
				}
			}
		})
	}
}

// A lane whose limit is lowered loses no entries: it has room for "(other)" below each stack that it has.
func TestNoEntryIsLostBelowALoweredLimit(t *testing.T) {
	clock, rng := fillLane(t, 1000)
	SetEvents(4096)
	for range 100 {
		wanderMore(clock, rng, 4)
	}
	var f Frame
	Collect(&f)
	SetLimits(Limits{NodesPerLane: 20})
	for frame := range 20 {
		entered := uint64(0)
		for range 50 {
			entered += wanderMore(clock, rng, 4)
		}
		if all, _ := countFolded(collect(t, &f)); all != entered {
			t.Errorf("frame %d: got %d entries; want %d", frame, all, entered)
		}
	}
}
