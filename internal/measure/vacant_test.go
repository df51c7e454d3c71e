//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

// A goroutine without zones for many frames enters one more and ends, after the end of a frame has read its lane and
// before it drops lanes. The next frame has the entry. All lanes of the program sleep by then.
func TestLastEntryOfAnIdleLane(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	entered, last, ended := make(chan bool), make(chan bool), make(chan bool)
	var key, id uint64
	var lane *Lane
	go func() {
		defer close(ended)
		key, id = platform.Identity()
		zoneA.Begin().End()
		lane = laneFor(false)
		entered <- true
		<-last
		zoneA.Begin().End()
	}()
	<-entered
	later := newPlayer("later") // its lane is looked at last
	for range 2 * vacantFrames {
		clock.advance(1)
		Collect(&f)
	}
	later.lane.mu.Lock()
	clock.advance(1)
	done := make(chan bool)
	go func() {
		defer close(done)
		Collect(&f)
	}()
	wait(t, func() bool {
		lane.mu.Lock()
		defer lane.mu.Unlock()
		return lane.parked && reportedTo.Load() == int64(platform.Now())
	})
	close(last)
	<-ended
	wait(t, func() bool { return platform.Ended(key, id) || !platform.Assembly })
	later.lane.mu.Unlock()
	<-done
	sum := entriesOf(&f, "a")
	Collect(&f)
	if sum += entriesOf(&f, "a"); sum != 1 {
		t.Errorf("got %d entries; want the last one", sum)
	}
	close(later.orders)
}
