package platform

import (
	"math"
	"testing"
	"time"
)

// TestCounterIsJudgedAgainstTheMachinesClock moves both clocks in steps of a tenth of a second.
func TestCounterIsJudgedAgainstTheMachinesClock(t *testing.T) {
	const step, rate = int64(time.Second / 10), 2e9
	type part struct {
		steps int
		rate  float64 // of the counter meanwhile
		jump  Ticks   // of the counter at the beginning
		back  bool    // readings of two processors were out of order
	}
	for _, c := range []struct {
		name   string
		parts  []part
		jumps  int
		failed bool
		better float64
	}{
		{"steady", []part{{steps: 100, rate: rate}}, 0, false, 0},
		{"slewed by NTP", []part{{steps: 50, rate: rate * (1 + 5e-4)}}, 0, false, 0},
		{"suspended", []part{{10, rate, 0, false}, {50, rate, 3600e9, false}}, 1, false, 0},
		{"set back", []part{{10, rate, 0, false}, {50, rate, -1e9, false}}, 1, false, 0},
		{"moved to a quicker host", []part{{10, rate, 0, false}, {50, 1.5 * rate, 0, false}}, 1, false, 1.5 * rate},
		{"moved three times within a minute", []part{{10, rate, 0, false}, {50, 1.5 * rate, 0, false},
			{50, 1.2 * rate, 0, false}, {10, 0.8 * rate, 0, false}}, 2, true, 0.8 * rate},
		{"moved three times in two minutes", []part{{10, rate, 0, false}, {500, 1.5 * rate, 0, false},
			{500, 1.2 * rate, 0, false}, {50, 0.8 * rate, 0, false}}, 3, false, 0.8 * rate},
		{"out of order once", []part{{10, rate, 0, false}, {1, rate, 0, true}, {50, rate, 0, false}}, 1, false, 0},
		{"out of order again and again", []part{{10, rate, 0, false}, {5, rate, 0, true}}, 2, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w watch
			now, ticks, known := int64(1), 1e12, rate
			jumps, failed := 0, false
			for _, p := range c.parts {
				ticks += float64(p.jump)
				for range p.steps {
					now += step
					ticks += p.rate * 0.1
					found, better := w.judge(pair{Ticks(ticks), now}, known, p.back)
					if better != 0 {
						known = better
					}
					if found == ClockJumped {
						jumps++
					}
					failed = failed || found == ClockFailed
				}
			}
			want := c.better
			if want == 0 {
				want = rate
			}
			if jumps < c.jumps || !c.failed && jumps != c.jumps || failed != c.failed || math.Abs(known/want-1) > 1e-6 {
				t.Errorf("got %d jumps, failed %v, rate %g; want %d, %v, %g", jumps, failed, known, c.jumps, c.failed,
					want)
			}
		})
	}
}

// TestCounterThatIsWild never has the same rate twice.
func TestCounterThatIsWild(t *testing.T) {
	var w watch
	now, ticks, last := int64(1), 1e12, ClockSteady
	for i := range 30 {
		now += 1e8
		ticks += 1e8 * (1 + float64(i%7)/3)
		found, _ := w.judge(pair{Ticks(ticks), now}, 1e9, false)
		last = max(last, found)
	}
	if last != ClockFailed {
		t.Errorf("got finding %d; want %d", last, ClockFailed)
	}
}

// TestLeavingTheCounterKeepsTheTicks reads on after the change: not back, at the same rate.
func TestLeavingTheCounterKeepsTheTicks(t *testing.T) {
	SetClock(nil, 0)
	defer SetClock(nil, 0)
	rate := TicksPerSecond()
	if Chosen().Source != SourceCounter {
		t.Skip("the clock is not the counter")
	}
	epoch, before, wall := Epoch(), Now(), time.Now()
	LeaveCounter(before + Ticks(rate/1000))
	after := Now()
	if least := before + Ticks(rate/1000); after < least || Chosen().Source != SourceGo || Epoch() != epoch {
		t.Errorf("got %d from %v, epoch %d; want at least %d from Go's clock, epoch %d", after, Chosen(), Epoch(),
			least, epoch)
	}
	time.Sleep(10 * time.Millisecond)
	took, most := float64(Now()-after)/TicksPerSecond(), time.Since(wall).Seconds()
	if took < 0.0095 || took > most {
		t.Errorf("10 ms later: got %v s; want 0.01 to %v", took, most)
	}
	if got := TicksPerSecond(); math.Abs(got/rate-1) > 1e-3 {
		t.Errorf("rate: got %g; want %g", got, rate)
	}
}
