//go:build !iprof_off

package measure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/platform"
)

// wanderer is a random program whose stacks change all the time: more of them than its lane has room for. It keeps
// account of itself.
type wanderer struct {
	clock   *fakeClock
	rng     *rand.Rand
	entered uint64
	events  map[platform.Ticks]string // by the time of the event: the zone's name, with a "-" at its end
	old     []Scope                   // that have ended
}

// nest enters zones from the first of a range on, up to some depth.
func (w *wanderer) nest(first, depth int) {
	for range 1 + w.rng.IntN(3) {
		z := &zones40[first+w.rng.IntN(10)]
		w.clock.advance(1)
		w.events[platform.Now()] = z.Name
		w.entered++
		s := z.Begin()
		if w.clock.advance(1 + w.rng.Int64N(5)); depth > 1 {
			w.nest(first, depth-1)
		}
		w.clock.advance(1)
		w.events[platform.Now()] = "-" + z.Name
		s.End()
		w.old = append(w.old[max(0, len(w.old)-100):], s)
	}
}

// What is evicted is in "(other)": the sums of all frames are exact, and so are the times of zones that are entered in
// every frame. Old scopes of evicted nodes close nothing. Events keep their zones.
func TestSumsWithEvictions(t *testing.T) {
	for _, events := range []int{0, 64, 4096} {
		for _, frames := range []int{1, 200} {
			t.Run(fmt.Sprint("events=", events, ",frames=", frames), func(t *testing.T) {
				w := &wanderer{clock: useFakeClock(t), rng: rand.New(rand.NewPCG(1, uint64(events+frames)))}
				SetLimits(Limits{NodesPerLane: 300})
				SetEvents(events)
				w.events = map[platform.Ticks]string{}
				wander(t, w, frames)
			})
		}
	}
}

func wander(t *testing.T, w *wanderer, frames int) {
	var f Frame
	w.clock.advance(10)
	Collect(&f)
	var extra uint64
	for frame := range frames {
		entered, begin := w.entered, platform.Now()
		hot := zoneA.Begin()
		from := platform.Now()
		for range longtest.Pick(4000, 1000) / frames {
			w.nest(10*(frame/50%4), 5)
			if len(w.old) > 0 && w.rng.IntN(10) == 0 {
				extra++
				w.old[w.rng.IntN(len(w.old))].End()
			}
		}
		w.clock.advance(1)
		inside := platform.Now() - from
		hot.End()
		checkEvents(t, w, OwnLane(), begin)
		got := collect(t, &f)
		var hier platform.Ticks
		var sum uint64
		for path, r := range got {
			if sum += uint64(r.count); strings.HasPrefix(path, "a") {
				hier += r.self
			}
			if r.open {
				t.Fatalf("frame %d: got %q open; want all closed", frame, path)
			}
		}
		if sum != w.entered-entered+1 || hier != inside || got["a"].count != 1 {
			t.Fatalf("frame %d: got %d entries, %d ticks in a; want %d, %d", frame, sum, hier, w.entered-entered+1,
				inside)
		}
	}
	if nodes := len(registry.lanes[len(registry.lanes)-1].base); nodes > 900 {
		t.Errorf("got %d nodes; want at most three times the limit of 300", nodes)
	}
	if f.Misuse.ExtraEnd != extra || f.Misuse.MissingEnd+f.Misuse.OtherLane > 0 {
		t.Errorf("got %+v; want %d extra ends", f.Misuse, extra)
	}
}

func checkEvents(t *testing.T, w *wanderer, lane LaneID, since platform.Ticks) {
	t.Helper()
	all := zones.all()
	for _, e := range AppendEvents(nil, lane, since, platform.MaxTicks) {
		name := all[e.Zone].Name
		if e.End {
			name = "-" + name
		}
		if want, known := w.events[e.Time]; known && name != want && !strings.HasSuffix(name, otherName) {
			t.Fatalf("event at %d: got %q; want %q", e.Time, name, want)
		}
	}
}

// A program that goes on to other stacks has rows for them, although its lane is full of those before. What it enters
// in every frame keeps its row.
func TestNewStacksInAFullLane(t *testing.T) {
	clock := useFakeClock(t)
	SetLimits(Limits{NodesPerLane: 1000})
	var f Frame
	Collect(&f)
	var hot NodeID
	for level := range 4 {
		for frame := range 200 {
			s := zoneA.Begin()
			clock.advance(1)
			s.End()
			for i := range 600 {
				s := zones40[10*level+i%10].Begin()
				inner := zones40[i/10%40].Begin()
				clock.advance(1)
				inner.End()
				s.End()
			}
			got := collect(t, &f)
			for _, n := range f.Lanes[0].Nodes {
				if f.Zones[n.Zone].Name == "a" {
					if hot != n.ID && level+frame > 0 {
						t.Fatalf("level %d, frame %d: got another node for a; want the first", level, frame)
					}
					hot = n.ID
				}
			}
			if frame < 199 {
				continue
			}
			for path, r := range got {
				if strings.HasSuffix(path, otherName) && r.count > 0 {
					t.Errorf("level %d: got %d entries in %q; want a row for each stack", level, r.count, path)
				}
			}
		}
	}
}

// Without frames the stacks with the least time fold, and the deepest first: a zone that comes late has its row.
func TestLateZoneAfterADeepRecursion(t *testing.T) {
	clock := useFakeClock(t)
	SetLimits(Limits{NodesPerLane: 1000})
	rng := rand.New(rand.NewPCG(1, 2))
	var recurse func(depth int)
	recurse = func(depth int) {
		for range 2 {
			s := zones40[rng.IntN(20)].Begin()
			if clock.advance(1); depth > 1 {
				recurse(depth - 1)
			}
			s.End()
		}
	}
	enter := func() {
		for range 100 {
			s := zoneC.Begin()
			clock.advance(20)
			s.End()
		}
	}
	for range 20 {
		recurse(12)
	}
	for range 20 {
		enter()
		recurse(12)
	}
	var f Frame
	Peek(&f)
	got := rows(t, &f, &f.Lanes[0])
	if c := got["c"]; c.count < 1800 || c.self < 36_000 {
		t.Errorf("got %+v of the late zone; want nearly 2,000 entries, 40,000 ticks", c)
	}
	deep := 0
	for path := range got {
		deep = max(deep, strings.Count(path, "/")+1)
	}
	t.Logf("%d rows, down to level %d, %d entries folded", len(got), deep, f.Dropped.Nodes)
}

// enterMany enters zones at random, down to some depth, and passes time in them. It returns the number of entries, and
// of those without a scope.
func enterMany(rng *rand.Rand, depth int, pass func(ticks int64)) (entered, lost uint64) {
	for range 1 + rng.IntN(3) {
		s := zones40[rng.IntN(40)].Begin()
		if entered++; s == (Scope{}) {
			lost++
		}
		if pass(1 + rng.Int64N(5)); depth > 1 {
			n, none := enterMany(rng, depth-1, pass)
			entered, lost = entered+n, lost+none
		}
		pass(1)
		s.End()
	}
	return entered, lost
}

// wanderMore is enterMany with the clock of a test.
func wanderMore(clock *fakeClock, rng *rand.Rand, depth int) (entered uint64) {
	entered, _ = enterMany(rng, depth, clock.advance)
	return entered
}

// fillLane makes the lane full, so that it evicts all the time.
func fillLane(t *testing.T, nodes int) (clock *fakeClock, rng *rand.Rand) {
	t.Helper()
	clock, rng = useFakeClock(t), rand.New(rand.NewPCG(1, uint64(nodes)))
	SetLimits(Limits{NodesPerLane: nodes})
	var f Frame
	Collect(&f)
	for range 50 {
		for range 50 {
			wanderMore(clock, rng, 4)
		}
		Collect(&f)
	}
	return clock, rng
}

// countFolded sums the entries of rows: of all, and of those named "(other)".
func countFolded(got map[string]row) (all, other uint64) {
	for path, r := range got {
		if all += uint64(r.count); strings.HasSuffix(path, otherName) {
			other += uint64(r.count)
		}
	}
	return all, other
}

// The calls of "(other)" are kept for as long as they are counted.
func TestCallsOfOtherAreKept(t *testing.T) {
	clock, rng := fillLane(t, 60)
	other := zones.own(otherName)
	SetPerCallOf(other, true)
	defer SetPerCallOf(other, false)
	var f Frame
	before := uint64(0)
	for range 50 {
		for range 50 {
			wanderMore(clock, rng, 4)
		}
		Collect(&f)
		calls := uint64(0)
		for _, c := range AppendCalls(nil) {
			calls += c.Count
		}
		if calls < before {
			t.Fatalf("got %d calls; want at least the %d of the frame before", calls, before)
		}
		before = calls
	}
	SetPerCallOf(other, false)
	wanderMore(clock, rng, 1)
	if held := MemoryUsed().Calls; before == 0 || held != 0 {
		t.Errorf("got %d calls, and then %d bytes held; want some, and none", before, held)
	}
}

// A hold that begins in a pause has no entries of the stacks that had its nodes before.
func TestHoldInAPauseOfAFullLane(t *testing.T) {
	clock, rng := fillLane(t, 60)
	SetLimits(Limits{NodesPerLane: 80})
	var f Frame
	CollectPaused(&f, true)
	h := zoneA.Hold()
	for range 20 {
		wanderMore(clock, rng, 4)
	}
	CollectPaused(&f, false)
	entered := uint64(0)
	for range 20 {
		entered += wanderMore(clock, rng, 4)
	}
	h.Keep(true)
	if all, _ := countFolded(collect(t, &f)); all != entered {
		t.Errorf("got %d entries; want the %d after the pause", all, entered)
	}
}

// A full lane has rows for new stacks after its limit is lowered, and after it gets another log of events, too.
func TestNewStacksAfterAChange(t *testing.T) {
	for name, change := range map[string]func(){
		"lower limit": func() { SetLimits(Limits{NodesPerLane: 100}) },
		"more events": func() { SetEvents(128) },
	} {
		t.Run(name, func(t *testing.T) {
			SetEvents(64)
			clock, rng := fillLane(t, 1000)
			SetEvents(64)
			for range 20_000 {
				wanderMore(clock, rng, 3)
			}
			var f Frame
			Collect(&f)
			change()
			for frame := range 40 {
				for i := range 500 {
					s := zones40[i%5].Begin()
					clock.advance(1)
					named(fmt.Sprint("late", i%50/5)).End()
					s.End()
				}
				all, other := countFolded(collect(t, &f))
				if all != 1000 {
					t.Errorf("frame %d: got %d entries; want 1000", frame, all)
				}
				if frame == 39 && other > 0 {
					t.Errorf("got %d of %d entries in %q; want a row for each stack", other, all, otherName)
				}
			}
		})
	}
}

// Several goroutines with full lanes run beside Collect: each entry is in one frame, in its own row or in "(other)".
// Where other lanes have taken all that the process may have, even for that, Begin returns the zero Scope.
func TestFullLanesBesideCollect(t *testing.T) {
	for name, limits := range map[string]Limits{
		"nodes": {NodesPerLane: 200}, "process": {Nodes: 2000}, "bytes": {Bytes: 4_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			useRealClock(t)
			if limits.Nodes > 0 {
				limits.Nodes += nodeIDs.inUse()
			}
			if limits.Bytes > 0 {
				limits.Bytes += int(MemoryUsed().Total())
			}
			SetLimits(limits)
			var f Frame
			Collect(&f)
			const goroutines, each = 8, 20_000 // entries, so that lanes get full on a busy machine, too
			var entered, lost, ended atomic.Uint64
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					defer ended.Add(1)
					rng := rand.New(rand.NewPCG(1, uint64(g)))
					for done := uint64(0); done < each; {
						n, none := enterMany(rng, 5, func(int64) {})
						done += n
						entered.Add(n)
						lost.Add(none)
					}
				})
			}
			told, frames := uint64(0), 0
			for last := false; !last; frames++ {
				last = ended.Load() == goroutines
				Collect(&f)
				for i := range f.Lanes {
					for _, n := range f.Lanes[i].Nodes {
						told += uint64(n.Count)
					}
				}
			}
			all.Wait()
			none := lost.Load() - f.Dropped.Lanes // those of goroutines without a lane are counted
			if told+none != entered.Load() || f.Dropped.Nodes == 0 {
				t.Errorf("got %d entries in %d frames, %d nowhere; want %d in all, and some folded: %+v", told,
					frames, none, entered.Load(), f.Dropped)
			}
			if limits.NodesPerLane > 0 && none > 0 {
				t.Errorf("got %d entries nowhere; want none", none)
			}
			if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.OtherLane+m.DeferInLoop > 0 && none == 0 {
				t.Errorf("misuse: got %+v; want none", m)
			}
			t.Logf("%d entries, %d nowhere, %d folded, %d frames", told, none, f.Dropped.Nodes, frames)
		})
	}
}
