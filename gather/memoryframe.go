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
