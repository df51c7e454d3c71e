//go:build (amd64 || arm64) && gc && !purego && !iprof_off

package measure

import (
	"testing"
)

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
