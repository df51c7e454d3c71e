//go:build !iprof_off

package measure

import "example.com/iprof/platform"

// readHeap returns the heap's figures since the last call with move, and the cost of reading them.
func (r *reader) readHeap(now platform.Ticks, rate float64, move bool) MemoryFrame {
	mode := Memory()
	if mode < MemoryHeapPerFrame {
		r.memory.Stop()
		return MemoryFrame{Mode: mode}
	}
	d := r.memory.Read(now, rate, move)
	return MemoryFrame{Mode: mode, AllocBytes: d.Bytes, AllocObjects: d.Objects, HeapLive: d.Live, Cycles: d.Cycles,
		Pause: d.Pause, Assist: d.Assist,
		RunQueue: d.RunQueue, LockWait: d.LockWait, Cost: d.Cost + zoneHeap.Cost(move)}
}
