//go:build !iprof_off

package gather

import (
	"example.com/iprof/gather/internal/charges"
	"example.com/iprof/platform"
)

// Alloc charges an allocation from one of the host's own allocators to the innermost open zone of the calling
// goroutine. A negative size counts as 0. It does nothing in MemoryOff. Any goroutine may call it; it never blocks
// after the goroutine's first zone. Cost: BenchmarkCharge.
//
//go:norace
func Alloc(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(charges.Allocs, bytes)
	}
}

// Free charges memory that was given back to such an allocator. Otherwise it is like Alloc.
//
//go:norace
func Free(bytes int) {
	if off == 0 && memoryMode != uint32(MemoryOff) {
		charge(charges.Frees, bytes)
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
	if x := openExtra(); x != nil {
		x.sums.Bump(charges.Units, uint64(max(n, 0)))
	}
}

//go:norace
func charge(what, bytes int) {
	x := openExtra()
	if x == nil {
		return
	}
	x.sums.Bump(what, 1)
	x.sums.Bump(what+1, uint64(max(bytes, 0)))
}

// openExtra returns the extra of the innermost open node of the calling goroutine, or nil if the goroutine is not
// measured.
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

// here returns the calling goroutine's lane if the quick lookup finds it, else nil.
//
//go:norace
func here() *Lane {
	if s := platform.Find(); s != nil {
		return (*Lane)(s.Lane)
	}
	return nil
}
