//go:build linux && !iprof_off

package measure_test

import (
	"runtime"
	"testing"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// laneOf returns the part of a lane in a frame.
func laneOf(f *measure.Frame, id measure.LaneID) (lane measure.LaneFrame) {
	for _, l := range f.Lanes {
		if l.ID == id {
			lane = l
		}
	}
	return lane
}

// spend uses processor time of the calling goroutine's thread.
func spend(thread int, d time.Duration) {
	for begun := platform.ThreadTime(thread); platform.ThreadTime(thread)-begun < d; {
	}
}

// A goroutine that was locked to its thread before Register has that thread's processor time in each frame. Frames that
// are peeked at end no reading. The frame has that of the process.
func TestLockedLanesHaveProcessorTime(t *testing.T) {
	const some = 20 * time.Millisecond
	z, go1, done := &measure.Zone{Name: "spend"}, make(chan bool), make(chan *measure.Lane)
	begun := make(chan time.Duration)
	var thread int
	go func() {
		runtime.LockOSThread() // it stays locked: the thread ends with the goroutine
		thread = platform.LockedThread()
		lane := measure.Register("locked")
		begun <- platform.ThreadTime(thread)
		for range go1 {
			s := z.Begin()
			spend(thread, some)
			s.End()
			done <- lane
		}
	}()
	var f measure.Frame
	start := <-begun // of the thread's time: what no frame has
	measure.Collect(&f)
	for range 3 {
		before := platform.CPUTime()
		go1 <- true
		id := (<-done).ID()
		measure.Peek(&f)
		peeked := laneOf(&f, id).CPU
		measure.Collect(&f)
		got, all := laneOf(&f, id).CPU, platform.ThreadTime(thread)-start
		if got < some || got < peeked || got > all {
			t.Errorf("got %v, and %v before the frame's end; want %v to %v", got, peeked, some, all)
		}
		if most := platform.CPUTime() - before + some; f.CPU < some || f.CPU > most {
			t.Errorf("process: got %v; want %v to about %v", f.CPU, some, most)
		}
		start += got
	}
	close(go1)
}

// A goroutine that is not locked has no processor time of its own. The one that ends frames is looked at again later.
func TestUnlockedLanesHaveNoProcessorTime(t *testing.T) {
	finished := make(chan bool)
	go func() {
		defer close(finished)
		lane := measure.Register("may be locked")
		defer lane.Close()
		var f measure.Frame
		frames := func() (any bool) {
			for range 130 { // the goroutine is looked at every 64 frames
				for begun := platform.CPUTime(); platform.CPUTime()-begun < 100*time.Microsecond; {
				}
				measure.Collect(&f)
				any = any || laneOf(&f, lane.ID()).CPU > 0
			}
			return any
		}
		if frames() {
			t.Error("not locked: got processor time")
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if !frames() {
			t.Error("locked: got none in 130 frames")
		}
	}()
	<-finished
}
