//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

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
