//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/platform"
)

// muteZone mutes a zone by its name until the test ends.
func muteZone(t *testing.T, name string) {
	t.Helper()
	for id, z := range zones.all() {
		if z.Name == name {
			SetMuted(ZoneID(id), true)
			t.Cleanup(func() { SetMuted(ZoneID(id), false) })
		}
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

// TestMutedZonesAreCountedExactly enters a muted zone in each way, for 2 ticks each, with 3 of whole behind each.
func TestMutedZonesAreCountedExactly(t *testing.T) {
	for _, test := range []struct {
		name  string
		enter func() Scope
	}{{"public", tiny.Begin}, {"in a lane", func() Scope { return tiny.In(laneFor(true)) }},
		{"site", func() Scope { return sited("tiny") }}} {
		t.Run(test.name, func(t *testing.T) {
			c := useFakeClock(t)
			c.advance(1)
			var f Frame
			frame := func(entries int) map[string]row {
				w := whole.Begin()
				for range entries {
					s := test.enter()
					c.advance(2)
					s.End()
					c.advance(3)
				}
				w.End()
				c.advance(500)
				return collect(t, &f)
			}
			frame(10)
			muteZone(t, "tiny")
			for _, entries := range []int{1000, 7, 0, 20_000} {
				got := frame(entries)
				if entries == 0 {
					continue
				}
				want(t, got, "whole/tiny", platform.Ticks(2*entries), uint32(entries), false)
				want(t, got, "whole", platform.Ticks(3*entries), 1, false)
				if untimed := f.Lanes[0].Untimed; untimed != uint64(entries) {
					t.Errorf("got %d entries untimed; want %d", untimed, entries)
				}
				for _, name := range []string{"tiny", "whole"} {
					if n := nodeOf(&f, name); n.Estimated != EstimatedTime {
						t.Errorf("got %+v; want it marked", n)
					}
				}
			}
			for id, z := range zones.all() {
				if z.Name == "tiny" {
					SetMuted(ZoneID(id), false)
				}
			}
			want(t, frame(12), "whole/tiny", 24, 12, false)
			if nodeOf(&f, "tiny").Estimated != EstimatedNone || f.Lanes[0].Untimed != 0 || State() != Timing {
				t.Errorf("unmuted: got %+v; want it timed as ever", nodeOf(&f, "tiny"))
			}
		})
	}
}

func TestZonesInsideMutedOnes(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	frame := func(entries int) map[string]row {
		w := whole.Begin()
		for range entries {
			s := tiny.Begin()
			p := part.Begin()
			c.advance(5)
			p.End()
			c.advance(2)
			s.End()
			c.advance(3)
		}
		w.End()
		return collect(t, &f)
	}
	frame(10)
	muteZone(t, "tiny")
	got := frame(1000)
	want(t, got, "whole/part", 5000, 1000, false)
	want(t, got, "whole/tiny", 2000, 1000, false)
	want(t, got, "whole", 3000, 1, false)
	muteZone(t, "part") // from now on both
	frame(1000)
	got = frame(1000)
	want(t, got, "whole/part", 5000, 1000, false)
	want(t, got, "whole/tiny", 2000, 1000, false)
}

// TestMutedRecursion counts each entry, and has the time of none twice.
func TestMutedRecursion(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	var descend func(depth int)
	descend = func(depth int) {
		defer tiny.Begin().End()
		if c.advance(2); depth > 1 {
			descend(depth - 1)
		}
	}
	frame := func(times int) map[string]row {
		defer whole.Begin().End()
		for range times {
			descend(5)
			c.advance(10)
		}
		return collect(t, &f)
	}
	frame(1)
	muteZone(t, "tiny")
	frame(1)
	for range 2 {
		got := frame(100)
		want(t, got, "whole/tiny", 1000, 500, false)
	}
}

// The standard error says that the time may be anything.
func TestWithoutBurstsNothingIsEstimated(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	tiny.SetMuted(true)
	t.Cleanup(func() { tiny.SetMuted(false) })
	w := whole.Begin()
	s := tiny.Begin()
	c.advance(1000)
	s.End()
	w.End()
	got := collect(t, &f)
	want(t, got, "whole/tiny", 0, 1, false)
	if x := extraOf(&f, "tiny"); x.Variance != 1000*1000 {
		t.Errorf("got a variance of %v; want a million", x.Variance)
	}
}

// TestMutedIdsThatAreNoZones does nothing.
// Muting many zones one by one does not look at all zones each time.
func TestMutingOneByOneLooksAtOneZone(t *testing.T) {
	useFakeClock(t)
	many := make([]Zone, 500)
	for i := range many {
		many[i].Name = fmt.Sprint("one of many ", i)
		many[i].Begin().End()
	}
	tiny.Begin().End()
	muteZone(t, "tiny")
	looked := zones.zonesRead
	for _, on := range []bool{true, false} {
		for i := range many {
			many[i].SetMuted(on)
			if id, _ := many[i].ID(); Muted(id) != on || many[i].governed&zoneMuted != 0 != on {
				t.Fatalf("zone %d: got muted %t; want %t", i, Muted(id), on)
			}
		}
	}
	if got := zones.zonesRead - looked; got != 2*len(many) {
		t.Errorf("got %d looks at zones; want %d", got, 2*len(many))
	}
}

func TestMutedIdsThatAreNoZones(t *testing.T) {
	for _, id := range []ZoneID{-1, 0, 1 << 30} {
		if SetMuted(id, true); Muted(id) {
			t.Errorf("%d: got it muted", id)
		}
	}
}

// Of each zone on each path the count is exact, and the time over the whole run is within three standard errors of the
// oracle's, which follows the clock by itself; one in 50 may be beyond.
func TestRandomProgramsWithPhases(t *testing.T) {
	programs, beyond, all := 40, 0, 0
	if testing.Short() || raceEnabled || !platform.Assembly {
		programs = 8
	}
	for seed := range programs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b, n := phasesProgram(t, int64(seed))
			beyond, all = beyond+b, all+n
		})
	}
	t.Logf("beyond: %d of %d", beyond, all)
	if beyond > all/50 {
		t.Errorf("%d of %d estimates are beyond three standard errors; want one in 50", beyond, all)
	}
}

// spent is what the oracle knows of a path: its entries and its time.
type spent struct {
	count uint64
	ticks int64
}

// phasesProgram plays a program on a goroutine and in a lane of its own, and returns how many of its estimates are
// beyond three standard errors.
func phasesProgram(t *testing.T, seed int64) (beyond, all int) {
	r, c := rand.New(rand.NewSource(seed)), useFakeClock(t)
	c.advance(1)
	muted := map[string]bool{}
	for i := range 5 {
		if zones40[i].Begin().End(); r.Intn(2) == 0 {
			muted[zones40[i].Name] = true
			muteZone(t, zones40[i].Name)
		}
	}
	var f Frame
	Collect(&f)
	truth, told, variance := map[string]spent{}, map[string]spent{}, map[string]float64{}
	var enter func(path string, level int, slow int64)
	enter = func(path string, level int, slow int64) {
		z := &zones40[r.Intn(5)]
		below := path + "/" + z.Name
		if muted[z.Name] {
			below = path
		}
		own := path + "/" + z.Name
		s := z.Begin()
		took := r.Int63n(slow)
		if c.advance(took); level < 3 && r.Intn(3) == 0 {
			enter(below, level+1, slow)
		}
		s.End()
		x := truth[own]
		truth[own] = spent{x.count + 1, x.ticks + took}
	}
	for range 2 + r.Intn(4) {
		slow := 1 + r.Int63n(40)
		for range 20 + r.Intn(40) {
			for range r.Intn(400) {
				enter("", 0, slow)
				gap := r.Int63n(20)
				c.advance(gap)
			}
			Collect(&f)
			addTold(t, &f, told, variance)
		}
	}
	for path, want := range truth {
		got, at := told[path], strings.LastIndex(path, "/")
		if got.count != want.count {
			t.Errorf("%s: got %d entries; want %d", path, got.count, want.count)
		}
		if muted[path[at+1:]] {
			if all++; math.Abs(float64(got.ticks-want.ticks)) > 3*math.Sqrt(variance[path])+1 {
				beyond++
				t.Logf("%s: got %d ticks +- %.0f; want %d", path, got.ticks, math.Sqrt(variance[path]), want.ticks)
			}
		}
	}
	return beyond, all
}

// addTold adds the frame's rows to the sums by path. No self time may be below 0, and all of them are the frame.
func addTold(t *testing.T, f *Frame, told map[string]spent, variance map[string]float64) {
	t.Helper()
	l := &f.Lanes[0]
	paths, sum := make([]string, len(l.Nodes)), platform.Ticks(0)
	for i, n := range l.Nodes {
		if sum += n.Self; n.Self < 0 {
			t.Errorf("%s: got %d ticks; want none below 0", f.Zones[n.Zone].Name, n.Self)
		}
		if n.Parent >= 0 {
			paths[i] = paths[n.Parent] + "/" + f.Zones[n.Zone].Name
		}
		x := told[paths[i]]
		told[paths[i]] = spent{x.count + uint64(n.Count), x.ticks + int64(n.Self)}
		variance[paths[i]] += l.Extra(i).Variance
	}
	if sum != l.End-l.Begin {
		t.Errorf("got %d ticks in all; want %d", sum, l.End-l.Begin)
	}
}

// All are counted, whichever slot a goroutine has, however soon it ends, and where its lane is full.
func TestMutedEntriesOfGoroutinesThatEnd(t *testing.T) {
	for name, limits := range map[string]Limits{"with room": {}, "full": {NodesPerLane: 4}} {
		t.Run(name, func(t *testing.T) {
			useRealClock(t)
			SetLimits(limits)
			t.Cleanup(func() { SetLimits(Limits{}) })
			for i := range 4 {
				zones40[i].SetMuted(true)
				t.Cleanup(func() { zones40[i].SetMuted(false) })
			}
			var f Frame
			Collect(&f)
			told := uint64(0)
			add := func() {
				Collect(&f)
				for i := range f.Lanes {
					for _, n := range f.Lanes[i].Nodes {
						if z := f.Zones[n.Zone].Name; strings.HasPrefix(z, "z") || z == otherName {
							told += uint64(n.Count)
						}
					}
				}
			}
			var all sync.WaitGroup
			const goroutines, entries = 600, 500
			for g := range goroutines {
				all.Go(func() {
					r := rand.New(rand.NewSource(int64(g)))
					for range entries / 2 {
						s := zones40[r.Intn(8)].Begin()
						zones40[r.Intn(8)].Begin().End()
						s.End()
					}
				})
				if g%100 == 0 {
					add()
				}
			}
			all.Wait()
			add()
			add()
			if want := uint64(goroutines * entries); told != want || f.Misuse.ExtraEnd+f.Misuse.MissingEnd != 0 {
				t.Errorf("got %d entries, %+v; want %d", told, f.Misuse, want)
			}
		})
	}
}
