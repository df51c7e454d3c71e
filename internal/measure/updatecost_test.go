//go:build !iprof_off

package measure

import (
	"testing"
	"time"

	"example.com/iprof/platform"
)

// TestUpdatesAreOverhead has Updates of 50 ticks, one that is interrupted, and a Collect without an Update. The frame
// after an Update has its time, on the lane that updates.
func TestUpdatesAreOverhead(t *testing.T) {
	c := useFakeClock(t)
	enter, entered := make(chan bool), make(chan bool)
	go func() {
		defer close(entered)
		lane := Register("other")
		defer lane.Close()
		for range enter {
			tiny.Begin().End()
			entered <- true
		}
	}()
	defer func() { close(enter); <-entered }()
	var f Frame
	Collect(&f)
	EndUpdate(Scope{})
	Collect(&f)
	for i, x := range []struct{ took, want platform.Ticks }{{50, 50}, {50, 50}, {5000, 0}, {50, 50}, {0, 0}} {
		c.advance(int64(x.took))
		if x.took > 0 {
			EndUpdate(Scope{})
		}
		tiny.Begin().End()
		enter <- true
		<-entered
		c.advance(10)
		Peek(&f)
		peeked := f.Lanes[0].Slow
		Collect(&f)
		got := f.Lanes[0].Slow
		if got != peeked || x.took == 5000 && (got < 50 || got > 150) || x.took != 5000 && got != x.want {
			t.Errorf("Update %d: got %d ticks, %d before the frame's end; want %d", i, got, peeked, x.want)
		}
		if l := laneNamed(&f, "other"); l == nil || l.Slow != 0 {
			t.Errorf("Update %d: got %+v on another lane; want none", i, l)
		}
	}
}

// The first Update waits until the clock's rate is measured. Only the time that the process had of processors is its
// cost.
func TestTheFirstUpdatesWaitsAreNoOverhead(t *testing.T) {
	useRealClock(t)
	if platform.CPUTime() == 0 {
		t.Skip("the system does not tell the processor time")
	}
	var f Frame
	tiny.Begin().End()
	Collect(&f)
	registry.mu.Lock()
	reading.usual = 0
	registry.mu.Unlock()
	before := platform.CPUTime()
	Collect(&f)
	time.Sleep(50 * time.Millisecond)
	EndUpdate(Scope{})
	most := platform.CPUTime() - before + time.Millisecond
	Collect(&f)
	got := time.Duration(float64(f.Lanes[0].Slow) / f.TicksPerSecond * float64(time.Second))
	if got <= 0 || got > most {
		t.Errorf("an Update that slept for 50 ms: got an overhead of %v; want some, at most %v", got, most)
	}
}
