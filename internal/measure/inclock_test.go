//go:build !iprof_off

package measure

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/platform"
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
	for !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "measure.beginSlow") {
		time.Sleep(time.Millisecond)
	}
	read := loadTicks(&lane.slot.Read)
	lane.mu.Unlock()
	<-done
	if read > 2000 {
		t.Errorf("the slot's reading: got %d; want the clock's, 1000 and a few", read)
	}
}

// A muted one reads none but in a burst.
func TestAZoneReadsTheClockTwice(t *testing.T) {
	clock := useFakeClock(t)
	clock.reading = 1
	var f Frame
	lane := Register("readings")
	defer lane.Close()
	named := func() { named("by name").End() }
	for name, enter := range map[string]func(){
		"variable": func() { zoneA.Begin().End() }, "lane": func() { zoneB.In(lane).End() }, "name": named,
	} {
		enter() // makes the node
		Collect(&f)
		const entries = 1000
		before := clock.now.Load()
		for range entries {
			enter()
		}
		if got := clock.now.Load() - before; got != 2*entries {
			t.Errorf("%s: %d entries read the clock %d times; want %d", name, entries, got, 2*entries)
		}
	}
	if platform.Find() == nil {
		t.Skip("this goroutine has no home slot: there a muted entry reads the clock once")
	}
	zoneA.SetMuted(true)
	defer zoneA.SetMuted(false)
	Collect(&f)
	const entries = 100_000
	before := clock.now.Load()
	for range entries {
		zoneA.Begin().End()
	}
	if got := clock.now.Load() - before; got > entries/4 {
		t.Errorf("muted: %d entries read the clock %d times; want a few in bursts", entries, got)
	}
}
