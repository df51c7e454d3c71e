//go:build !iprof_off && !386 && !arm && !mips && !mipsle

package measure

import "testing"

// Scopes carry a count of entries where words have 64 bits.

// TestStaleEndIsFoundAmongManyEntries ends a scope a second time when up to 127 entries of the same stack have begun
// since.
func TestStaleEndIsFoundAmongManyEntries(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	for since := uint32(1); since < 128; since++ {
		old := zoneA.Begin()
		old.End()
		for range since - 1 {
			zoneA.Begin().End()
		}
		later := zoneA.Begin()
		old.End()
		clock.advance(5)
		later.End()
		want(t, collect(t, &f), "a", 5, 1+since, false)
		if f.Misuse.ExtraEnd != uint64(since) {
			t.Fatalf("%d entries later: got %d extra Ends; want %d", since, f.Misuse.ExtraEnd, since)
		}
	}
}

// TestSecondKeepDecidesNoLaterEntry keeps a hold a second time, at any moment of a later entry of the same stack.
func TestSecondKeepDecidesNoLaterEntry(t *testing.T) {
	for _, kept := range []bool{true, false} {
		clock := useFakeClock(t)
		var f Frame
		Collect(&f)
		for range 3 {
			old := zoneA.Hold()
			old.Keep(kept)
			later := zoneA.Hold()
			zoneB.Begin().End()
			old.Keep(false)
			clock.advance(5)
			inner := zoneB.Begin()
			old.Keep(true)
			inner.End()
			later.Keep(true)
			old.Keep(true)
		}
		got := collect(t, &f)
		entries := uint32(3)
		if kept {
			entries = 6
		}
		want(t, got, "a", 15, entries, false)
		want(t, got, "a/b", 0, 6, false)
		if f.Misuse.ExtraEnd != 9 || f.Misuse.MissingEnd != 0 {
			t.Errorf("got %d extra, %d missing; want 9, 0", f.Misuse.ExtraEnd, f.Misuse.MissingEnd)
		}
	}
}
