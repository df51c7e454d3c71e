//go:build !iprof_off

package measure

import (
	"testing"
	"time"

	"example.com/iprof/platform"
)

// TestLeavingTheCounter goes on with Go's clock while zones are open: nothing is lost, and no time is false.
func TestLeavingTheCounter(t *testing.T) {
	useRealClock(t)
	defer useRealClock(t)
	var f Frame
	Collect(&f)
	if f.Clock.Source != ClockCounter {
		t.Skip("the clock is not the counter")
	}
	begin, rate := time.Now(), f.TicksPerSecond
	outer := zoneA.Begin()
	time.Sleep(2 * time.Millisecond)
	registry.mu.Lock()
	reading.clock.found = platform.ClockFailed
	registry.mu.Unlock()
	first := collect(t, &f)
	between := f.End
	inner := zoneB.Begin()
	time.Sleep(2 * time.Millisecond)
	inner.End()
	outer.End()
	second := collect(t, &f)
	ms := func(r row) float64 { return float64(r.self) / rate * 1000 }
	most := float64(time.Since(begin).Microseconds()) / 1000
	if f.Clock.Source != ClockGo || f.Clock.Why == "" || f.TicksPerSecond < 0.99*rate || f.TicksPerSecond > 1.01*rate {
		t.Errorf("afterwards: got %+v at %g; want Go's clock at %g", f.Clock, f.TicksPerSecond, rate)
	}
	if f.Begin != between {
		t.Errorf("the frame afterwards: got it from %d; want %d", f.Begin, between)
	}
	for _, c := range []struct {
		name string
		got  row
		ms   float64
		is   row
	}{
		{"a before", first["a"], 2, row{count: 1, open: true}},
		{"a afterwards", second["a"], 0, row{}},
		{"b", second["a/b"], 2, row{count: 1}},
	} {
		if ms(c.got) < 0.9*c.ms || ms(c.got) > most || c.got.count != c.is.count || c.got.open != c.is.open {
			t.Errorf("%s: got %v ms, %+v; want %v to %v, %+v", c.name, ms(c.got), c.got, c.ms, most, c.is)
		}
	}
	if m := f.Misuse; m.ClockJump != 1 || m.ExtraEnd+m.MissingEnd+m.OtherLane != 0 {
		t.Errorf("misuse: got %+v; want one jump of the clock", m)
	}
	if f.ScopeCost <= 0 {
		t.Error("cost of a zone: got none; want that of the new clock")
	}
}

// TestJumpMarksItsFrame has a jump that was found in the frame.
func TestJumpMarksItsFrame(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	reading.clock.found = platform.ClockJumped
	Collect(&f)
	if f.Misuse.ClockJump != 1 || len(f.Marks) != 1 || f.Marks[0].Time != f.End {
		t.Errorf("got %d jumps and marks %+v; want one of each", f.Misuse.ClockJump, f.Marks)
	}
	if Collect(&f); f.Misuse.ClockJump != 1 || len(f.Marks) != 0 {
		t.Errorf("the next frame: got %d jumps and marks %+v; want no other", f.Misuse.ClockJump, f.Marks)
	}
}
