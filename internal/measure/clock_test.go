//go:build !iprof_off

package measure

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/platform"
)

// TestClockJumpIsNoReaderThatWaits has the reader wait between reading the frame's end and comparing the clocks.
func TestClockJumpIsNoReaderThatWaits(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	if !platform.Direct() || !platform.Assembly {
		t.Skip("the clock is the system's own")
	}
	l := laneFor(true)
	l.mu.Lock()
	done := make(chan bool)
	go func() {
		defer close(done)
		Collect(&f)
	}()
	time.Sleep(1200 * time.Millisecond)
	l.mu.Unlock()
	<-done
	Collect(&f)
	if f.Misuse.ClockJump != 0 {
		t.Errorf("clock jumps: got %d; want 0", f.Misuse.ClockJump)
	}
}

// TestClockReplacedWhileZonesAreOpen replaces the clock over and over while goroutines enter zones and a reader ends
// frames. The clocks are far from each other. No lane may last longer than the test.
func TestClockReplacedWhileZonesAreOpen(t *testing.T) {
	useRealClock(t)
	defer forget()
	var stop atomic.Bool
	done := make(chan bool)
	const goroutines = 4
	for range goroutines {
		go func() {
			lane := Register("replaced")
			for !stop.Load() {
				a := zoneA.Begin()
				b := zoneB.In(lane)
				named("c").End()
				Units(1)
				b.End()
				zoneC.Begin().End()
				a.End()
				runtime.Gosched()
			}
			lane.Close()
			done <- true
		}()
	}
	start := time.Now()
	go replaceClocks(start, &stop, done)
	var f Frame
	bad := 0
	for time.Since(start) < time.Second {
		Collect(&f)
		bad += badTimes(&f, time.Since(start).Seconds()+1)
	}
	stop.Store(true)
	for range goroutines + 1 {
		<-done
	}
	if bad > 0 {
		t.Errorf("times that cannot be: got %d; want 0", bad)
	}
}

// replaceClocks replaces the clock every few milliseconds: by ones that begin at 0, and far on, and by the machine's.
func replaceClocks(start time.Time, stop *atomic.Bool, done chan<- bool) {
	for i := 0; !stop.Load(); i++ {
		from := [...]int64{0, 1 << 60, 1 << 40}[i%3]
		if i%4 == 3 {
			platform.SetClock(nil, 0)
		} else {
			platform.SetClock(func() int64 { return from + int64(time.Since(start)) }, 1e9)
		}
		time.Sleep(time.Millisecond)
	}
	done <- true
}

// badTimes counts times below 0 and those above so many seconds.
func badTimes(f *Frame, seconds float64) (bad int) {
	is := func(t platform.Ticks) {
		if t < 0 || float64(t) > seconds*f.TicksPerSecond {
			bad++
		}
	}
	is(f.End - f.Begin)
	for i := range f.Lanes {
		is(f.Lanes[i].End - f.Lanes[i].Begin)
		for _, n := range f.Lanes[i].Nodes {
			is(n.Self)
		}
	}
	return bad
}

// TestEndAfterTheClockWasReplaced ends zones that were begun on another clock: each is a mistake, and closes nothing.
func TestEndAfterTheClockWasReplaced(t *testing.T) {
	for _, from := range []string{"machine", "fake"} {
		useRealClock(t)
		if from == "fake" {
			useFakeClock(t)
		}
		outer, inner := zoneA.Begin(), zoneB.Begin()
		c := useFakeClock(t)
		later := zoneA.Begin()
		inner.End()
		outer.End()
		c.advance(7)
		later.End()
		var f Frame
		want(t, collect(t, &f), "a", 7, 1, false)
		if f.Misuse.ExtraEnd != 2 || f.Misuse.MissingEnd != 0 {
			t.Errorf("%s clock: got %+v; want two Ends too many", from, f.Misuse)
		}
	}
}

// TestHomeSlotsAreKeptForTheirGoroutines replaces the clock while a goroutine may be in the middle of a Begin, and will
// write to its slot. No other goroutine may get that slot; the goroutine itself gets it again.
func TestHomeSlotsAreKeptForTheirGoroutines(t *testing.T) {
	useRealClock(t)
	if !platform.Assembly || !platform.Direct() {
		t.Skip("goroutines have no home slots that others could get")
	}
	zoneA.Begin().End()
	key, _ := platform.Identity()
	home := platform.Home(key)
	if platform.HomeKey(key).Load() != key {
		t.Skip("another goroutine has the home slot")
	}
	other := key + 1
	for platform.Home(other) != home {
		other++
	}
	useRealClock(t)
	registry.mu.Lock()
	got := freeSlot(other, true)
	finding.slots.Clear()
	registry.mu.Unlock()
	if got == home {
		t.Error("another goroutine: got the home slot of the one that may write to it")
	}
	zoneA.Begin().End()
	if s := platform.Find(); s != home {
		t.Errorf("the goroutine itself: got slot %p; want %p", s, home)
	}
}
