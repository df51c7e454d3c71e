//go:build !iprof_off

package gather

import (
	"strings"
	"testing"
)

// enterAs is a host's wrapper: one place, several names.
//
//go:noinline
func enterAs(name string) Scope { s := sited(name); return s }

// mutedPlaces runs frames with so many entries of each kind, and compares what is told with what was entered, for each one of them.
func mutedPlaces(t *testing.T, c *fakeClock, frames, entries int, enter []func() Scope, want map[string]float64) (muted bool) {
	t.Helper()
	var f Frame
	got := map[string]float64{}
	const settle = 100
	for frame := range frames {
		func() {
			defer whole.Begin().End()
			for range entries {
				for _, enter := range enter {
					scoped(c, enter(), 1)
				}
				c.advance(1)
			}
		}()
		c.advance(100)
		rows := collect(t, &f)
		muted = muted || f.Lanes[0].Muted > 0
		for path, r := range rows {
			if r.self < 0 {
				t.Fatalf("frame %d: got %+v; want no time below 0", frame, rows)
			}
			if frame >= settle {
				got[path] += float64(r.count) / float64((frames-settle)*entries)
			}
		}
	}
	for path, each := range want {
		if r := got[path] / each; r < 0.95 || r > 1.05 {
			t.Errorf("%s: got %.3f of its entries; want some 1", path, r)
		}
	}
	return muted
}

// TestMutedZonesSideBySide has draws that begin at the same tick.
func TestMutedZonesSideBySide(t *testing.T) {
	c := useMuting(t)
	if !mutedPlaces(t, c, 2000, 1000, []func() Scope{tiny.Begin, part.Begin}, map[string]float64{"whole/tiny": 1, "whole/part": 1}) {
		t.Error("got nothing muted")
	}
}

func TestNamesOfOnePlaceAreMuted(t *testing.T) {
	c := useMuting(t)
	one, two := func() Scope { return enterAs("one") }, func() Scope { return enterAs("two") }
	if !mutedPlaces(t, c, 400, 300, []func() Scope{one, two}, map[string]float64{"whole/one": 1, "whole/two": 1}) {
		t.Error("got nothing muted")
	}
}

// oneRoom holds two names that have room in one place of the table only. They always lie where they do: at another address they are other names.
var oneRoom = "uno" + strings.Repeat(" ", 253) + "due"

// TestSitesWithRoomInOnePlaceOnly: one of them is not muted.
func TestSitesWithRoomInOnePlaceOnly(t *testing.T) {
	c := useMuting(t)
	uno, due := oneRoom[:3], oneRoom[256:]
	if siteSlot(1000, uno) != siteSlot(1000, due) {
		t.Fatal("got different slots; want one, to test anything")
	}
	enter := []func() Scope{func() Scope { return enterAs(uno) }, func() Scope { return enterAs(due) }}
	if !mutedPlaces(t, c, 400, 300, enter, map[string]float64{"whole/uno": 1, "whole/due": 1}) {
		t.Error("got nothing muted; want one of them")
	}
}

// TestNamesAtSeveralAddressesAreNotMuted: Silent knows a name by where it lies.
func TestNamesAtSeveralAddressesAreNotMuted(t *testing.T) {
	c := useMuting(t)
	names := []string{"copied", strings.Clone("copied")}
	enter := []func() Scope{func() Scope { return enterAs(names[0]) }, func() Scope { return enterAs(names[1]) }}
	mutedPlaces(t, c, 400, 300, enter, map[string]float64{"whole/copied": 2})
}

// TestMutedZonesGetNoMoreThanTheirRegionHas where counting takes less than it is believed to.
func TestMutedZonesGetNoMoreThanTheirRegionHas(t *testing.T) {
	c := useMuting(t)
	var f Frame
	enter := func(z *Zone) {
		s := z.Begin()
		c.advance(2)
		s.End()
		switch {
		case s.n == nil:
		case s.n.flag&flagUntimed != 0:
			c.recount(s)
		default:
			c.advance(2)
		}
	}
	muted := 0
	for range 400 {
		func() {
			defer whole.Begin().End()
			for range 1000 {
				enter(&tiny)
				enter(&part)
			}
		}()
		got := collect(t, &f)
		if f.Lanes[0].Muted > 0 {
			muted++
		}
		if got["whole"].self < 0 || got["whole/tiny"].count < 500 || got["whole/part"].count < 500 {
			t.Fatalf("frame of %d ticks: got %+v; want nothing below 0, and some 1000 entries or more of each", f.Lanes[0].End-f.Lanes[0].Begin, got)
		}
	}
	if muted == 0 {
		t.Error("got nothing muted")
	}
}
