//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

// Alloc charges an allocation from one of the host's own allocators to the innermost open zone of the calling
// goroutine. A negative size counts as 0. It does nothing in MemoryOff. Any goroutine may call it; it never blocks
// after the goroutine's first zone. Cost: BenchmarkCharge.
//
//go:norace
func Alloc(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(sumAllocs, bytes)
	}
}

// Free charges memory given back to such an allocator. Otherwise it is like Alloc.
//
//go:norace
func Free(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(sumFrees, bytes)
	}
}

// Units adds n units of work (entities, rays, bytes parsed) to the innermost open zone of the calling goroutine.
// Reports show the zone's time per unit. A negative n counts as 0. Any goroutine may call it.
//
//go:norace
func Units(n int) {
	if off != 0 {
		return
	}
	if l := charged(); l != nil {
		l.at().more().sums.bump(sumUnits, uint64(max(n, 0)))
		l.wakeNow()
	}
}

//go:norace
func charge(what, bytes int) {
	l := charged()
	if l == nil {
		return
	}
	x := l.at().more()
	x.sums.bump(what, 1)
	x.sums.bump(what+1, uint64(max(bytes, 0)))
	l.wakeNow()
}

// charged returns the lane whose innermost open node is charged, or nil if the calling goroutine is not measured.
//
//go:norace
func charged() *Lane {
	if l := here(); l != nil {
		return l
	}
	return locate()
}

// here returns the calling goroutine's lane if the quick lookup finds it, else nil.
//
//go:norace
func here() *Lane {
	if s := platform.Find(); s != nil {
		return (*Lane)(s.Lane)
	}
	return nil
}

// memoryMode is the MemoryMode. Alloc and Free read it plainly.
var memoryMode = uint32(MemoryHeapPerFrame)

// SetMemoryMode chooses how much of the program's memory use is measured. A value out of range is MemoryHeapPerZone.
// Lanes follow MemoryHeapPerZone at their next Begin or End. Any goroutine may call it.
func SetMemoryMode(m MemoryMode) {
	m = min(m, MemoryHeapPerZone)
	if m == MemoryHeapPerZone {
		zoneHeap.Take()
	}
	atomic.StoreUint32(&memoryMode, uint32(m))
	settingsChanged()
}

// Memory returns the memory mode. Any goroutine may call it.
func Memory() MemoryMode { return MemoryMode(atomic.LoadUint32(&memoryMode)) }

// readHeap returns the heap's figures since the last call with move, and the cost of reading them.
func (u *updates) readHeap(now platform.Ticks, rate float64, move bool) MemoryFrame {
	mode := Memory()
	if mode < MemoryHeapPerFrame {
		u.memory.Stop()
		return MemoryFrame{Mode: mode}
	}
	d := u.memory.Read(now, rate, move)
	return MemoryFrame{Mode: mode, AllocBytes: d.Bytes, AllocObjects: d.Objects, HeapLive: d.Live, Cycles: d.Cycles,
		Pause: d.Pause, Assist: d.Assist,
		RunQueue: d.RunQueue, LockWait: d.LockWait, Cost: d.Cost + zoneHeap.Cost(move)}
}

// In MemoryHeapPerZone, each Begin and End reads the heap's counts. The reading lane charges the growth to its
// innermost zone, so the sum over all zones is the frame's figure. All lanes share the meter.
var zoneHeap heap.Meter

// meter charges the allocations since the last reading to a node of the lane. Only the lane's goroutine calls it.
//
//go:norace
func (l *Lane) meter(n *node) {
	if off != 0 {
		return
	}
	if bytes, objects := zoneHeap.Take(); bytes != 0 || objects != 0 {
		x := n.more()
		x.sums.bump(sumHeapBytes, bytes)
		x.sums.bump(sumHeapObjects, objects)
	}
}

// border charges the innermost zone at a Begin. It returns the time after the reading: the new zone begins there.
//
//go:norace
func (l *Lane) border(t platform.Ticks) platform.Ticks {
	if !l.metered {
		return t
	}
	l.meter(l.at())
	return platform.Now()
}
