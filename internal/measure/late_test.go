//go:build (amd64 || arm64) && gc && !purego && !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

// An End of another goroutine may have to wait for the scopes inside. Meanwhile time passes in these scopes, and each
// frame reports its part.
func TestEndElsewhereThatWaitsIsToldFrameByFrame(t *testing.T) {
	clock := useFakeClock(t)
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

func TestEndOnAnotherGoroutineAtFullSpeed(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	for range 1000 {
		s := zoneA.Begin()
		elsewhere(t, s.End)
		zoneB.Begin().End()
	}
	got := collect(t, &f)
	if got["a"].count != 1000 || got["b"].count != 1000 || len(got) != 3 || f.Misuse.OtherLane != 1000 {
		t.Errorf("got %v, %d on another lane; want a and b 1000 times each at the root", got, f.Misuse.OtherLane)
	}
}

// poke may be lost while the lane's goroutine is between reading its latest timestamp and writing the next.
func TestWordLeftForTheOwnerIsRepeated(t *testing.T) {
	useRealClock(t)
	var f Frame
	zoneB.Begin().End()
	s := zoneA.Begin()
	zoneB.Begin().End()
	elsewhere(t, s.End)
	l := laneFor(true)
	l.slot.Last = l.last // lost
	Collect(&f)
	zoneB.Begin().End()
	if got := collect(t, &f); len(got) != 2 || got["b"].count != 1 {
		t.Errorf("rows: got %v; want b once, at the root", got)
	}
}

func TestEndElsewhereOfAnOuterScopeWaitsForTheInner(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	b := zoneB.Begin()
	clock.advance(1)
	elsewhere(t, a.End)
	clock.advance(2)
	b.End()
	clock.advance(4)
	zoneC.Begin().End()
	got := collect(t, &f)
	want(t, got, "a/b", 3, 1, false)
	want(t, got, "a", 0, 1, false)
	want(t, got, "c", 0, 1, false)
	want(t, got, "", 4, 0, false)
}

// A lane is closed while an End from elsewhere waits. The goroutine's next lane has its slot, and keeps its own time.
func TestLateEndOfAClosedLaneIsNotTheNextOnes(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	p := newPlayer("first")
	var outer Scope
	p.do(func() { outer = zoneA.Begin(); zoneB.Begin() })
	clock.advance(1)
	outer.End() // waits, as b is open
	first := p.lane
	first.Close()
	p.do(func() { p.lane = Register("second"); zoneC.Begin().End() })
	clock.advance(1)
	Collect(&f)
	p.do(func() { zoneC.Begin().End() })
	clock.advance(1)
	Collect(&f)
	if l := laneNamed(&f, "second"); f.Misuse.ClockBack > 0 || l == nil || l.End-l.Begin != 1 {
		t.Errorf("got %+v, lane %+v; want a lane of one tick, and no clock that went back", f.Misuse, l)
	}
	close(p.orders)
}
