package gather

import (
	"time"

	"example.com/iprof/platform"
)

// MemoryFrame has the Go heap's figures for a frame, from runtime/metrics. With a Mode below MemoryHeapPerFrame, all
// others are 0.
type MemoryFrame struct {
	AllocBytes, AllocObjects uint64         // allocated during the frame
	HeapLive                 uint64         // bytes in live objects when it ended
	Cycles                   uint32         // garbage collections that ended in it
	Pause                    time.Duration  // their stop-the-world pauses
	RunQueue, LockWait       time.Duration  // of all goroutines for a processor, for locks; 0 before 2 ms are full
	Mode                     MemoryMode     // the mode in which the frame was measured
	Cost                     platform.Ticks // the time that these readings took
}

// MostMarks bounds the marks of one frame.
const MostMarks = 256

// MarkInfo is one call of Mark: something happened in the program at that moment.
type MarkInfo struct {
	Time platform.Ticks // on the clock of package platform
	Lane LaneID         // of the goroutine that called Mark; 0 if it had no lane
	Text string         // any bytes, at most 1,024
}

// ForeignScope is one scope of a ForeignLane.
type ForeignScope struct {
	Zone       *Zone          // of its own, not one that goroutines enter: reports add up what has the same path
	Begin, End int64          // readings of the foreign clock
	Level      int            // number of scopes around it: 0 is outermost
	Issued     platform.Ticks // platform.Now when the program gave the work to the device
}
