//go:build !iprof_off

package gather

import (
	"testing"
	"time"

	"example.com/iprof/gather/internal/governor"
	"example.com/iprof/platform"
)

// mutedFrame enters tiny so many times, for 2 ticks each, and 3 of whole behind each, and returns the frame's rows.
func mutedFrame(t *testing.T, c *fakeClock, f *Frame, entries int, enter func() Scope) map[string]row {
	t.Helper()
	w := whole.Begin()
	for range entries {
		s := enter()
		c.advance(2)
		s.End()
		c.advance(3)
	}
	w.End()
	c.advance(500)
	return collect(t, f)
}

// mute mutes a zone by its name until the test ends.
func mute(t *testing.T, name string) {
	t.Helper()
	for id, z := range zones.all() {
		if z.Name == name {
			SetMuted(ZoneID(id), true)
			t.Cleanup(func() { SetMuted(ZoneID(id), false) })
		}
	}
}

func TestMutedZonesShowTheirLastMeasurement(t *testing.T) {
	for _, test := range []struct {
		name  string
		enter func() Scope
	}{{"public", tiny.Begin}, {"in a lane", func() Scope { return tiny.In(laneFor(true)) }},
		{"site", func() Scope { return sited("tiny") }}} {
		t.Run(test.name, func(t *testing.T) {
			c := useFakeClock(t)
			c.advance(1)
			var f Frame
			mutedFrame(t, c, &f, 10, test.enter)
			mute(t, "tiny")
			got := mutedFrame(t, c, &f, 11, test.enter) // the frame in which it is muted
			want(t, got, "whole/tiny", 22, 11, false)
			age := platform.Ticks(0)
			for range 2 { // 550 of 1,000 ticks a second
				got := mutedFrame(t, c, &f, 10, test.enter)
				want(t, got, "whole/tiny", 22, 11, false)
				want(t, got, "whole", 28, 1, false)
				age += 550
				if n, x := nodeOf(&f, "tiny"), extraOf(&f, "tiny"); n.Estimated != EstimatedCount || x.Age != age {
					t.Errorf("got %+v, %+v; want it marked, %d ticks old", n, x, age)
				}
				if n, x := nodeOf(&f, "whole"), extraOf(&f, "whole"); n.Estimated != EstimatedTime ||
					x.Variance != 22*22 {
					t.Errorf("got %+v, %+v; want it marked", n, x)
				}
			}
			for nodeOf(&f, "tiny").Estimated != EstimatedNone && age < 2*governor.MeasureEvery*1000 {
				got = mutedFrame(t, c, &f, 7, test.enter)
				age += 550
			}
			if want(t, got, "whole/tiny", 14, 7, false); age < governor.MeasureEvery*500 {
				t.Errorf("measured again after %d ticks; want a second or more", age)
			}
			got = mutedFrame(t, c, &f, 10, test.enter)
			want(t, got, "whole/tiny", 14, 7, false)
		})
	}
}

func extraOf(f *Frame, name string) NodeExtra {
	for i, n := range f.Lanes[0].Nodes {
		if f.Zones[n.Zone].Name == name {
			return f.Lanes[0].Extra(i)
		}
	}
	return NodeExtra{}
}

func TestUnmutedZonesAreMeasured(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	tiny.SetMuted(true)
	for range 5 {
		mutedFrame(t, c, &f, 10, tiny.Begin)
	}
	id, _ := zones.of(&tiny)
	if nodeOf(&f, "tiny").Estimated != EstimatedCount || !Muted(id) {
		t.Error("got tiny measured; want it muted")
	}
	tiny.SetMuted(false)
	got := mutedFrame(t, c, &f, 12, tiny.Begin)
	want(t, got, "whole/tiny", 24, 12, false)
	for range 3 {
		got := mutedFrame(t, c, &f, 9, tiny.Begin)
		want(t, got, "whole/tiny", 18, 9, false)
	}
	if nodeOf(&f, "tiny").Estimated != EstimatedNone || Muted(id) || State() != Timing {
		t.Error("got tiny muted; want it measured as ever")
	}
}

// TestZonesInsideMutedOnes: they are shown below the zone around, and sums stay exact.
func TestZonesInsideMutedOnes(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	enter := func() Scope {
		s := tiny.Begin()
		p := part.Begin()
		c.advance(5)
		p.End()
		return s
	}
	mutedFrame(t, c, &f, 10, enter)
	mute(t, "tiny")
	want(t, mutedFrame(t, c, &f, 10, enter), "whole/tiny/part", 50, 10, false)
	got := mutedFrame(t, c, &f, 10, enter)
	want(t, got, "whole/part", 50, 10, false)
	want(t, got, "whole/tiny", 20, 10, false)
	want(t, got, "whole", 30, 1, false)
}

// TestMutedNeverTakesMoreThanThereIs: the zone around has less in this frame than the muted one had.
func TestMutedNeverTakesMoreThanThereIs(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	mutedFrame(t, c, &f, 10, tiny.Begin)
	mute(t, "tiny")
	mutedFrame(t, c, &f, 1000, tiny.Begin)
	got := mutedFrame(t, c, &f, 10, tiny.Begin)
	want(t, got, "whole/tiny", 50, 1000, false)
	want(t, got, "whole", 0, 1, false)
}

// TestZonesMutedOneAfterAnother: the second one is measured until the end of its frame, the first one is not.
func TestZonesMutedOneAfterAnother(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	enter := func() Scope {
		s := tiny.Begin()
		c.advance(2)
		s.End()
		return part.Begin()
	}
	mutedFrame(t, c, &f, 10, enter)
	mute(t, "tiny")
	mutedFrame(t, c, &f, 10, enter)
	mute(t, "part")
	for _, entries := range []uint32{12, 11} {
		got := mutedFrame(t, c, &f, int(entries), enter)
		want(t, got, "whole/tiny", 20, 10, false)
		want(t, got, "whole/part", 24, 12, false)
	}
	if n := nodeOf(&f, "part"); n.Estimated != EstimatedCount || f.Lanes[0].Untimed != 22 {
		t.Errorf("got %+v, %d entries that were not timed; want it marked, and 22", n, f.Lanes[0].Untimed)
	}
}

// TestMutedIdsThatAreNoZones does nothing.
func TestMutedIdsThatAreNoZones(t *testing.T) {
	for _, id := range []ZoneID{-1, 0, 1 << 30} {
		if SetMuted(id, true); Muted(id) {
			t.Errorf("%d: got it muted", id)
		}
	}
}

// TestDeepMutedRecursionIsQuickToCollect: each node's time comes from the zone around all muted ones, and is looked for
// once. Four times the depth takes about four times as long, not sixteen times.
func TestDeepMutedRecursionIsQuickToCollect(t *testing.T) {
	took := map[int]time.Duration{}
	for _, depth := range []int{1_500, 6_000} {
		c := useFakeClock(t)
		c.advance(1)
		zone := Zone{Name: "deep and muted"}
		var down func(n int)
		down = func(n int) {
			defer zone.Begin().End()
			if n > 1 {
				down(n - 1)
			}
		}
		var f Frame
		took[depth] = time.Hour
		for n := range 6 {
			s := whole.Begin()
			if n < 2 {
				down(depth)
			}
			c.advance(10)
			s.End()
			begin := time.Now()
			Collect(&f)
			if n > 1 { // it is measured, then muted
				took[depth] = min(took[depth], time.Since(begin))
			}
			if n == 0 {
				mute(t, zone.Name)
			}
		}
		if n := nodeOf(&f, zone.Name); n.Estimated != EstimatedCount {
			t.Fatalf("it is not shown as muted: %+v", n)
		}
	}
	if short, long := took[1_500], took[6_000]; long > 9*short {
		t.Errorf("a frame takes %v at a depth of 1,500 and %v at 6,000", short, long)
	}
}
