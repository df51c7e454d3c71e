//go:build !iprof_off

package gather

import (
	"math"
	"testing"

	"example.com/iprof/platform"
)

// tinyAndPart demotes both, at the machine's own speed, and enters whole.
func tinyAndPart(t *testing.T) (lane *Lane, w Scope) {
	t.Helper()
	useRealGovernor(t)
	lane = Register("tiny and part")
	t.Cleanup(lane.Close)
	var f Frame
	governedUntil(t, &f, "most of 40,000", func() {
		for range 20_000 {
			tiny.Begin().End()
			part.Begin().End()
		}
	}, func() bool { return f.Lanes[0].Untimed > 36_000 })
	return lane, whole.Begin()
}

// timesNow enters tiny until the lane's slot says that its entries are timed.
func timesNow(t *testing.T, s *platform.Slot) {
	t.Helper()
	for range 1_000_000 {
		tiny.Begin().End()
		if s.Timed() {
			return
		}
	}
	t.Fatal("after 1,000,000 entries: got none timed; want some to be")
}

// TestBlocksAreAsLongAsTheyShould looks how many entries are timed one after the other.
func TestBlocksAreAsLongAsTheyShould(t *testing.T) {
	lane, w := tinyAndPart(t)
	defer w.End()
	const most = int(warmBlocks + 2*blockPairs) // a block to warm up, and others whose leading entries may be next to each other
	row, longest, timed := 0, 0, 0
	const entries = 400_000
	for range entries {
		s := tiny.Begin()
		if s.n.flag&flagUntimed == 0 {
			row, timed = row+1, timed+1
			longest = max(longest, row)
		} else {
			row = 0
		}
		s.End()
	}
	if longest < int(blockLength)/4 || longest > most*int(blockLength) {
		t.Errorf("timed in a row: got up to %d; want at least a quarter of a block of %d, and at most %d blocks", longest, blockLength, most)
	}
	if gap := entries / max(timed, 1); gap < leastGap/2 || gap > 2*int(lane.governed.gap) {
		t.Errorf("got one of %d entries timed; want one of %d", gap, lane.governed.gap+1)
	}
}

// TestTheLastEntryIsTimedLikeTheOthers looks whether the clock is read at once for all that is inside timed entries: if not inside the
// last one of a block, what is told for what is inside would be too long.
func TestTheLastEntryIsTimedLikeTheOthers(t *testing.T) {
	lane, w := tinyAndPart(t)
	defer w.End()
	timed, slow := 0, 0
	for range 400_000 {
		s := tiny.Begin()
		if s.n.flag&flagUntimed == 0 {
			timed++
			if !lane.slot.Timed() {
				slow++
			}
		}
		s.End()
	}
	if timed < 1000 || slow > 0 {
		t.Errorf("%d entries timed: got %d inside which the clock is not read at once; want thousands and none", timed, slow)
	}
}

// TestTheClockIsNotReadForOthersForLong leaves a zone in the middle of a block that is timed, and goes on with another.
func TestTheClockIsNotReadForOthersForLong(t *testing.T) {
	lane, w := tinyAndPart(t)
	timesNow(t, lane.slot)
	for range mostOthers {
		part.Begin().End()
	}
	for timed := true; timed; { // in a block of its own
		s := part.Begin()
		timed = s.n.flag&flagUntimed == 0
		s.End()
	}
	if lane.slot.Timed() {
		t.Errorf("after %d entries of another zone: got the clock still read for it; want it left alone", mostOthers)
	}
	var f Frame
	w.End()
	Collect(&f)
	w = whole.Begin()
	for range 1000 {
		tiny.Begin().End()
	}
	w.End()
	if got := collect(t, &f); got["whole/tiny"].count != 1000 || f.Lanes[0].Untimed < 500 {
		t.Errorf("entered again: got %+v, %d untimed; want 1000 entries, most of them untimed", got, f.Lanes[0].Untimed)
	}
}

// TestOthersAmongTimedEntries has a zone whose calls are counted, so that it is never demoted, entered between the entries of one that is:
// these are timed like any, and tell what timing adds unless there is much else between them.
func TestOthersAmongTimedEntries(t *testing.T) {
	for _, others := range []int{1, 12} {
		useRealGovernor(t)
		part.SetPerCall(true)
		defer part.SetPerCall(false)
		lane := Register("one of many")
		enter := func() (timed bool) {
			s := tiny.Begin()
			timed = s.n.flag&flagUntimed == 0
			s.End()
			for range others {
				part.Begin().End()
			}
			return timed
		}
		var f Frame
		governedUntil(t, &f, "most", func() {
			for range 40_000 / (others + 1) {
				enter()
			}
		}, func() bool { return f.Lanes[0].Untimed > uint64(30_000/(others+1)) })
		w := whole.Begin()
		timed, slow, inVain := 0, 0, uint16(0)
		for range 150_000 / (others + 1) {
			if enter() {
				timed++
				if !lane.slot.Timed() {
					slow++
				}
			}
			inVain = max(inVain, lane.slot.Wasted)
		}
		compared := loadFloat(&ownDraw(t).timed.sums[sumBlocks])
		w.End()
		lane.Close()
		if timed < 500 || slow > 0 || inVain > 1 {
			t.Errorf("%d entries timed, %d others for each: got %d for which the clock is not read at once, and it read in vain %d times; want at least 500, none, and at most once",
				timed, others, slow, inVain)
		}
		if few := others <= fewOthers; few != (compared >= fewBlocks) {
			t.Errorf("%d others for each entry: got %.1f blocks compared; want many if few others, else none", others, compared)
		}
	}
}

// TestTimingEndsWithTheLane: the goroutine's next lane begins without.
func TestTimingEndsWithTheLane(t *testing.T) {
	lane, w := tinyAndPart(t)
	slot := lane.slot
	timesNow(t, slot)
	w.End()
	lane.Close()
	if slot.Timed() {
		t.Error("lane closed: got its slot ask for the time; want it not to")
	}
}

// TestReadingsForOthersAreNoPartOfTiming has a zone entered between the entries of another: while these are timed, the clock is read for
// it in vain, which is half of what timing is.
func TestReadingsForOthersAreNoPartOfTiming(t *testing.T) {
	lane, w := tinyAndPart(t)
	defer w.End()
	for range 400_000 {
		tiny.Begin().End()
		part.Begin().End()
	}
	d := ownDraw(t)
	pairs := float64(d.length - d.lead())
	times := loadFloat(&d.timed.sums[sumX]) / loadFloat(&d.timed.sums[sumBlocks])
	if math.Abs(times/pairs-1.5) > 0.1 {
		t.Errorf("blocks of %v entries compared: got %.2f times what timing adds; want half as many again", pairs, times)
	}
	x := d.members[0].n.extra.Load().twin.extra.Load()
	x.startTiming(10)
	if _, known := x.wasted(10); !known {
		t.Error("nothing else timed: got it unknown how many readings were in vain; want it known")
	}
	lane.slot.Stop++
	if _, known := x.wasted(10); known {
		t.Error("others timed meanwhile: got it known; want it unknown")
	}
	x.startTiming(10)
	lane.slot.Others = 10*fewOthers + 1
	if _, known := x.wasted(10); known {
		t.Error("much else entered and timed: got it known; want it unknown")
	}
	lane.slot.Others, lane.slot.Wasted = mostOthers, mostOthers
	if _, known := x.wasted(10); known {
		t.Error("the clock not read any more: got it known; want it unknown")
	}
}
