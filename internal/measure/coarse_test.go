//go:build !iprof_off

package measure

import (
	"testing"
	"time"

	"example.com/iprof/platform"
)

var repeated = Zone{Name: "repeated"}

// On a coarse clock, an End often reads the same time as the Begin before it. Here a frame ends while a goroutine is
// stopped inside such an End. Its reading is compared but not used yet. The frame must not count later time, because
// the End will not count it.
func TestFrameInsideAnEndThatRepeatsAReading(t *testing.T) {
	lane := Register("repeated")
	defer lane.Close()
	slot := lane.slot
	var f Frame
	repeated.Begin().End()
	collectElsewhere(&f)
	scope := repeated.Begin()
	n := lane.at()
	read := platform.Leave(slot)
	storeTicks(&n.acc, n.acc+slot.Last-read) // as if Begin had read the same time
	storeTicks(&slot.Last, read)
	time.Sleep(time.Millisecond)
	collectElsewhere(&f)
	if took := selfOf(&f, "repeated"); took != 0 {
		t.Errorf("time of a scope that began and ended in one tick: got %d ticks; want 0", took)
	}
	scope.End()
}

// collectElsewhere ends a frame on another goroutine: Collect's own lane has nothing in progress.
func collectElsewhere(f *Frame) {
	done := make(chan bool)
	go func() {
		Collect(f)
		close(done)
	}()
	<-done
}

func selfOf(f *Frame, zone string) (took platform.Ticks) {
	for _, l := range f.Lanes {
		for _, n := range l.Nodes {
			if f.Zones[n.Zone].Name == zone {
				took += n.Self
			}
		}
	}
	return took
}
