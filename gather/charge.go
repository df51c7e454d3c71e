//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// Alloc charges bytes taken from an allocator of the host's to the zone that is open on the calling goroutine; below 0 counts
// as 0. While the memory mode is MemoryOff it does nothing. Any goroutine may call it; none is blocked. Cost: BenchmarkCharge.
//
//go:norace
func Alloc(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(sumAllocs, bytes)
	}
}

// Free charges bytes given back to it, as Alloc does.
//
//go:norace
func Free(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(sumFrees, bytes)
	}
}

// Units says that so many units of work (entities, rays, bytes parsed) were done in the zone that is open on the calling
// goroutine, so that reports can tell its time per unit; below 0 counts as 0. Any goroutine may call it; none is blocked.
//
//go:norace
func Units(n int) {
	if off != 0 {
		return
	}
	if x := openExtra(); x != nil {
		bump(&x.sums[sumUnits], uint64(max(n, 0)))
	}
}

//go:norace
func charge(what, bytes int) {
	x := openExtra()
	if x == nil {
		return
	}
	bump(&x.sums[what], 1)
	bump(&x.sums[what+1], uint64(max(bytes, 0)))
}

// openExtra returns what the innermost zone open on the calling goroutine has besides; nil if that is not measured.
//
//go:norace
func openExtra() *extra {
	l := here()
	if l == nil {
		if l = locate(); l == nil {
			return nil
		}
	}
	return l.at().more()
}

// here returns the calling goroutine's lane if that takes a comparison, else nil.
//
//go:norace
func here() *Lane {
	if s := platform.Find(); s != nil {
		return (*Lane)(s.Lane)
	}
	return nil
}

// bump adds to a word that only the caller's goroutine writes, and others may read at the same time. It needs no atomic
// addition, which would cost more than all the rest.
//
//go:norace
func bump(word *atomic.Uint64, n uint64) {
	storeTicks((*platform.Ticks)(unsafe.Pointer(word)), platform.Ticks(word.Load()+n))
}
