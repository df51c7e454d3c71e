//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"testing"

	"example.com/iprof/platform"
)

// A goroutine may claim a lane between the moment in which SetClock takes all home slots back and the moment in which
// the new clock counts. Then the next lane of another goroutine drops it. It must get a new lane, and not find the
// dropped one for ever.
func TestLaneClaimedWhileTheClockIsReplaced(t *testing.T) {
	useRealClock(t)
	defer forget()
	zoneA.Begin().End()
	atomic.StoreUint32(&finding.epoch, platform.Epoch()-1)
	done := make(chan bool)
	go func() {
		zoneA.Begin().End()
		done <- true
	}()
	<-done
	named("after the clock was replaced").End()
	zoneB.Begin().End()
	var f Frame
	Collect(&f)
	entries := 0
	for _, l := range f.Lanes {
		for _, n := range l.Nodes {
			entries += int(n.Count)
		}
	}
	if entries != 3 {
		t.Errorf("got %d entries; want 3 in the lanes of the new clock", entries)
	}
}
