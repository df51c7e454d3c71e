//go:build !iprof_off

package measure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

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
