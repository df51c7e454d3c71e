//go:build !iprof_off

package gather

import (
	"testing"

	"example.com/iprof/platform"
)

// An End of another goroutine may have to wait for the scopes inside. Meanwhile time passes in these scopes, and each
// frame reports its part.
func TestEndElsewhereThatWaitsIsToldFrameByFrame(t *testing.T) {
	clock := useFakeClock(t)
	if !platform.Assembly {
		t.Skip("the Go twin does not ask who ends a scope")
	}
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	b := zoneB.Begin()
	clock.advance(1)
	elsewhere(t, a.End)
	for range 3 {
		clock.advance(9)
		want(t, collect(t, &f), "a/b", map[bool]platform.Ticks{true: 10, false: 9}[f.Index == 1],
			map[bool]uint32{true: 1}[f.Index == 1], true)
	}
	b.End()
	c := zoneC.Begin()
	clock.advance(5)
	c.End()
	clock.advance(2)
	got := collect(t, &f)
	want(t, got, "c", 5, 1, false)
	want(t, got, "", 2, 0, false)
	if f.Misuse.ClockBack != 0 {
		t.Errorf("steps back of the clock: got %d; want none", f.Misuse.ClockBack)
	}
}

// Ends of other goroutines may come in another order than the scopes are nested. That does not count as a clock that
// goes back.
func TestEndsElsewhereInTheWrongOrder(t *testing.T) {
	clock := useFakeClock(t)
	if !platform.Assembly {
		t.Skip("the Go twin does not ask who ends a scope")
	}
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	b := zoneB.Begin()
	clock.advance(1)
	elsewhere(t, a.End)
	clock.advance(10_000)
	collect(t, &f)
	elsewhere(t, b.End)
	clock.advance(10_000)
	got := collect(t, &f)
	want(t, got, "a/b", 0, 0, false)
	want(t, got, "", 10_000, 0, false)
	zoneC.Begin().End()
	clock.advance(3)
	got = collect(t, &f)
	want(t, got, "", 3, 0, false)
	if len(got) != 2 || f.Misuse.ClockBack != 0 {
		t.Errorf("got rows %v, %d steps back; want c and the root, 0", got, f.Misuse.ClockBack)
	}
}

// The reader reports a folded scope that another goroutine ended as open until its own goroutine carries the End out.
func TestEndElsewhereOfAFold(t *testing.T) {
	clock := useFakeClock(t)
	if !platform.Assembly {
		t.Skip("the Go twin does not ask who ends a scope")
	}
	SetLimits(Limits{Depth: 1})
	defer SetLimits(Limits{})
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	b := zoneB.Begin()
	elsewhere(t, b.End)
	clock.advance(10_000)
	want(t, collect(t, &f), "a/(other)", 10_000, 1, true)
	a.End()
	clock.advance(3)
	got := collect(t, &f)
	want(t, got, "", 3, 0, false)
	if f.Misuse.ClockBack != 0 {
		t.Errorf("steps back of the clock: got %d; want none", f.Misuse.ClockBack)
	}
}
