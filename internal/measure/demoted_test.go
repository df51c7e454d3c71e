//go:build !iprof_off

package measure

import (
	"sync"
	"testing"
)

// untimedAtSpeed enters tiny until it is not timed, and will not be next time.
func untimedAtSpeed(t *testing.T) (s Scope) {
	t.Helper()
	for range 1_000_000 {
		if s = tiny.Begin(); s.node().flag&flagUntimed != 0 && s.node().extra.Load().skip > 100 {
			return s
		}
		s.End()
	}
	t.Fatal("got every entry timed; want some counted only")
	return
}

// TestCountedEntriesFollowSettings promotes a lane while its next timed entry is far away.
func TestCountedEntriesFollowSettings(t *testing.T) {
	useRealGovernor(t)
	var f Frame
	lane := Register("hears")
	defer lane.Close()
	governedUntil(t, &f, "most of 20,000", func() {
		for range 20_000 {
			tiny.Begin().End()
		}
	}, func() bool { return f.Lanes[0].Untimed > 15_000 })
	w := whole.Begin()
	untimedAtSpeed(t).End()
	registry.mu.Lock()
	lane.mu.Lock()
	lane.promote()
	lane.mu.Unlock()
	registry.mu.Unlock()
	if s := tiny.Begin(); s.node().flag&flagUntimed != 0 {
		t.Error("the first entry after all were to be timed: got it counted only")
	} else {
		s.End()
	}
	w.End()
}

// TestEndElsewhereOfAnUntimedScope goes on with entries that are counted only.
func TestEndElsewhereOfAnUntimedScope(t *testing.T) {
	useRealGovernor(t)
	var f Frame
	governedUntil(t, &f, "most of 60,000", func() {
		for range 20_000 {
			s := tiny.Begin()
			part.Begin().End()
			s.End()
			part.Begin().End()
		}
	}, func() bool { return f.Lanes[0].Untimed > 50_000 })
	w := whole.Begin()
	s := untimedAtSpeed(t)
	if p := part.Begin(); p.node().flag&flagUntimed == 0 {
		t.Fatal("got part timed in an untimed entry; want it counted only")
	} else {
		p.End()
	}
	Collect(&f)
	var wait sync.WaitGroup
	wait.Go(s.End)
	wait.Wait()
	for range 20 {
		part.Begin().End()
	}
	w.End()
	if got := collect(t, &f); got["whole/part"].count != 20 || got["whole/tiny/part"].count != 0 {
		t.Errorf("got %+v; want 20 entries of part below whole, none below tiny, which is closed", got)
	}
}

// nested is a frame in which part is entered in tiny a thousand times, and more in that.
func nested(c *fakeClock, more func()) {
	defer whole.Begin().End()
	for range 1000 {
		s := tiny.Begin()
		p := part.Begin()
		c.advance(2)
		more()
		p.End()
		c.advance(1)
		s.End()
	}
}

// TestPerCallAgainAndAgain has the calls of a zone counted and not, which must not make nodes each time.
func TestPerCallAgainAndAgain(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	defer part.SetPerCall(false)
	lane := Register("again and again")
	defer lane.Close()
	var f Frame
	inPart := func() { seldom.Begin().End() }
	for range 10 {
		nested(c, inPart)
		Collect(&f)
	}
	before := len(lane.base)
	for i := range 20 {
		part.SetPerCall(i%2 == 0)
		for range 4 {
			nested(c, inPart)
			if got := collect(t, &f); got["whole/tiny/part/seldom"].count != 1000 {
				t.Fatalf("change %d: got %+v; want 1000 entries of rare", i, got)
			}
		}
	}
	if after := len(lane.base); after > before+8 {
		t.Errorf("after 20 changes: got %d nodes; want little more than %d", after, before)
	}
}

// TestNothingIsReportedTwice enters rare below part in two ways, each time in an untimed tiny: it has no timed node
// there.
func TestNothingIsReportedTwice(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	for range 10 {
		nested(c, func() {})
		Collect(&f)
	}
	for _, held := range []bool{false, true} {
		a, b := untimedEntry(t, c)
		if held {
			h := part.Hold()
			seldom.Begin().End()
			h.Keep(true)
		} else {
			p := part.Begin()
			seldom.Begin().End()
			p.End()
		}
		b.End()
		a.End()
	}
	Collect(&f)
	type place struct {
		parent int32
		zone   ZoneID
	}
	told, seen := 0, map[place]bool{}
	for _, n := range f.Lanes[0].Nodes {
		child := place{n.Parent, n.Zone}
		if seen[child] {
			t.Errorf("%s: got it twice below one parent, in %+v", f.Zones[n.Zone].Name, f.Lanes[0].Nodes)
		} else {
			seen[child] = true
		}
		if f.Zones[n.Zone].Name == "seldom" {
			told += int(n.Count)
		}
	}
	if told != 2 {
		t.Errorf("rare: got %d entries; want 2", told)
	}
}

// Nothing has less than no time.
func TestClockThatGoesBackWhileDemoted(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	for frame := range 100 {
		func() {
			defer whole.Begin().End()
			for i := range 1000 {
				s := tiny.Begin()
				c.advance(2)
				s.End()
				if i == 700 && frame%3 == 0 {
					c.advance(-1500)
				}
			}
		}()
		if frame%5 == 0 {
			c.advance(-1200)
		}
		for path, r := range collect(t, &f) {
			if r.self < 0 {
				t.Fatalf("frame %d: got %d ticks of %q; want none below 0", frame, r.self, path)
			}
		}
		c.advance(1000)
	}
}
