//go:build !iprof_off

package measure

import "sync/atomic"

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
