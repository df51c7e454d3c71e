//go:build !iprof_off

package gather

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestInReadsTheClockInUse stops a goroutine inside In, where the reader may come between, on a clock of the program's
// own. The slot's reading must not be the processor's counter: the reader takes it for a time.
func TestInReadsTheClockInUse(t *testing.T) {
	useFakeClock(t).advance(1000)
	lanes, done := make(chan *Lane), make(chan bool)
	go func() {
		defer close(done)
		lane := Register("in")
		defer lane.Close()
		zoneA.Hold().Keep(true)
		defer zoneA.In(lane).End()
		lanes <- lane
		lanes <- nil
		zoneB.In(lane).End()
	}()
	lane := <-lanes
	lane.mu.Lock()
	<-lanes
	stacks := make([]byte, 1<<20)
	for !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "gather.beginSlow") {
		time.Sleep(time.Millisecond)
	}
	read := loadTicks(&lane.slot.Read)
	lane.mu.Unlock()
	<-done
	if read > 2000 {
		t.Errorf("the slot's reading: got %d; want the clock's, 1000 and a few", read)
	}
}
