//go:build !iprof_off

package measure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

// chargesByZone sums up what the updater's nodes did besides, by zone.
func chargesByZone(f *Frame) map[string]NodeExtra {
	got := map[string]NodeExtra{}
	for i, n := range f.Lanes[0].Nodes {
		x := f.Lanes[0].Extra(i)
		if x == (NodeExtra{Node: int32(i)}) {
			continue
		}
		sum := got[f.Zones[n.Zone].Name]
		x.Node, x.Variance, x.Estimated = 0, 0, 0
		sum.Add(&x)
		got[f.Zones[n.Zone].Name] = sum
	}
	return got
}

// Random programs of zones, holds and charges: each zone has what was charged while it was the innermost, frame by
// frame.
func TestChargesAgreeWithANaiveProfiler(t *testing.T) {
	c := useFakeClock(t)
	rng := rand.New(rand.NewPCG(7, 8))
	named := map[*Zone]string{&zoneA: "a", &zoneB: "b"}
	var f Frame
	Collect(&f)
	for frame := range 100 {
		want := map[string]NodeExtra{}
		var run func(at string, depth int)
		run = func(at string, depth int) {
			for range rng.IntN(5) {
				c.advance(1)
				sum, n := want[at], rng.IntN(2000)-100
				switch rng.IntN(4) {
				case 0:
					Alloc(n)
					sum.Allocs, sum.AllocBytes = sum.Allocs+1, sum.AllocBytes+uint64(max(n, 0))
				case 1:
					Free(n)
					sum.Frees, sum.FreeBytes = sum.Frees+1, sum.FreeBytes+uint64(max(n, 0))
				case 2:
					Units(n)
					sum.Units += uint64(max(n, 0))
				case 3:
					if depth == 0 {
						continue
					}
					z := &zoneA
					if rng.IntN(2) == 0 {
						z = &zoneB
					}
					if rng.IntN(4) == 0 {
						h := z.Hold()
						run(named[z], depth-1)
						h.Keep(true)
						continue
					}
					s := z.Begin()
					run(named[z], depth-1)
					s.End()
					continue
				}
				if want[at] = sum; sum == (NodeExtra{}) {
					delete(want, at)
				}
			}
		}
		run(rootName, 4)
		Collect(&f)
		got := chargesByZone(&f)
		if len(got) != len(want) {
			t.Fatalf("frame %d: got %+v; want %+v", frame, got, want)
		}
		for name, sum := range want {
			if got[name] != sum {
				t.Fatalf("frame %d: %s: got %+v; want %+v", frame, name, got[name], sum)
			}
		}
	}
}

// Entries that the governor does not time are charged like all others.
func TestChargesOfDemotedZonesAreExact(t *testing.T) {
	c := useGovernor(t, 2, 0.02)
	var f Frame
	for range 8 {
		s := whole.Begin()
		for i := range 1000 {
			in := tiny.Begin()
			Alloc(i)
			Units(2)
			c.advance(5)
			in.End()
			c.advance(1)
		}
		s.End()
		Collect(&f)
		got := chargesByZone(&f)["tiny"]
		got.Estimated, got.Variance = EstimatedNone, 0
		if want := (NodeExtra{Allocs: 1000, AllocBytes: 999 * 500, Units: 2000}); got != want {
			t.Fatalf("got %+v; want %+v", got, want)
		}
	}
	if !demotedNow() && platform.Assembly {
		t.Error("got nothing demoted; want tiny to be")
	}
}

// chargeBook has the units that a random program charged, by zone, and those that frames reported.
type chargeBook struct {
	rng               *rand.Rand
	frame             Frame
	charged, reported map[string]uint64
	steps             strings.Builder
}

// collect ends a frame and adds up its units of work.
func (b *chargeBook) collect() {
	Peek(&b.frame)
	Collect(&b.frame)
	for i := range b.frame.Lanes {
		lane := &b.frame.Lanes[i]
		for _, x := range lane.Extras {
			b.reported[b.frame.Zones[lane.Nodes[x.Node].Zone].Name] += x.Units
		}
	}
}

// run does random things on the calling goroutine: at most deep more zones inside the one that is open.
func (b *chargeBook) run(clock *fakeClock, open string, deep int) {
	for range b.rng.IntN(6) {
		what := b.rng.IntN(12)
		fmt.Fprintf(&b.steps, "%d ", what)
		switch z := [...]*Zone{&zoneA, &zoneB, &zoneC}[b.rng.IntN(3)]; {
		case what < 4:
			n := 1 + b.rng.IntN(9)
			Units(n)
			if Recording() {
				b.charged[open] += uint64(n)
			}
		case what < 7 && deep > 0:
			if !Recording() {
				continue
			}
			s := z.Begin()
			b.run(clock, z.Name, deep-1)
			s.End()
		case what == 7 && deep > 0:
			if !Recording() {
				continue
			}
			h := z.Hold()
			b.run(clock, z.Name, deep-1)
			h.Keep(true)
		case what == 8 && deep > 0 && Recording():
			done := make(chan bool)
			go func() {
				defer close(done)
				lane := Register("short")
				b.run(clock, "(root)", deep-1)
				lane.Close()
			}()
			<-done
		case what == 9 && b.rng.IntN(2) == 0:
			SetRecording(!Recording())
		case what == 9:
			clock.advance(b.rng.Int64N(3))
		case what > 9:
			b.collect()
		}
	}
}

// TestChargesOnAClockThatHardlyMoves charges zones in random programs whose clock stands still most of the time.
func TestChargesOnAClockThatHardlyMoves(t *testing.T) {
	for seed := range uint64(3000) {
		clock := useFakeClock(t)
		clock.advance(1000)
		b := chargeBook{rng: rand.New(rand.NewPCG(seed, 1))}
		b.charged, b.reported = map[string]uint64{}, map[string]uint64{}
		b.run(clock, "(root)", 4)
		SetRecording(true)
		b.collect()
		b.collect()
		for zone, n := range b.charged {
			if b.reported[zone] != n {
				t.Fatalf("program %d, %q: got %d units; want %d\n%s", seed, zone, b.reported[zone], n, b.steps.String())
			}
		}
	}
}
