//go:build !iprof_off

package measure

import (
	"runtime"
	"testing"
	"time"

	"example.com/iprof/platform"
)

func TestCalibrateOnAClockThatStandsStill(t *testing.T) {
	useFakeClock(t)
	if got := Calibrate(); got != 0 {
		t.Errorf("cost of a pair: got %d; want 0", got)
	}
}

// TestCalibrateOnAClockThatGoesBack has the clock go back in some of the bursts.
func TestCalibrateOnAClockThatGoesBack(t *testing.T) {
	now, reads := int64(1_000_000), 0
	platform.SetClock(func() int64 {
		now += 7
		if reads++; reads%1997 == 0 {
			now -= 300
		}
		return now
	}, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	forget()
	Calibrate()
	if c := calibrated().Cost(); c.Pair < 7 || c.Inside < 7 || c.Inside > c.Pair {
		t.Errorf("costs: got %+v; want a pair of two readings, and one of them inside", c)
	}
}

// TestCalibrateOnACoarseClock has a clock that steps every fifty pairs only.
func TestCalibrateOnACoarseClock(t *testing.T) {
	reads := int64(0)
	platform.SetClock(func() int64 {
		reads++
		return 1_000_000 + reads/101*101*7
	}, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	forget()
	Calibrate()
	if c := calibrated().Cost(); c.Inside < c.Pair/3 || c.Inside > c.Pair*2/3 {
		t.Errorf("costs: got %+v; want half of a pair inside", c)
	}
}

// at calls do that deep down a stack.
//
//go:noinline
func at(depth int, do func()) (used byte) {
	var frame [64]byte
	if depth > 0 {
		used = at(depth-1, do)
	} else {
		do()
	}
	return used + frame[depth%len(frame)]
}

// TestCalibrateOnAStackThatMoves has the garbage collector make the stack small again meanwhile.
func TestCalibrateOnAStackThatMoves(t *testing.T) {
	useRealClock(t)
	times, least := 500, 0.1
	if platform.TicksPerSecond() < 1e9 { // pairs between two steps of the clock seem to take nothing
		least = 0
	}
	if !platform.Assembly { // each takes long, and nearly all of it outside
		times, least = 20, 0
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := range times {
			if i%20 == 0 {
				at(1000, func() {})
			}
			Calibrate()
			if c := calibrated().Cost(); c.Inside <= least*c.Pair || c.Inside > c.Pair {
				t.Errorf("calibration %d: got %+v; want a part of what a pair takes inside", i, c)
				return
			}
		}
	}()
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			runtime.GC()
		}
	}
}
