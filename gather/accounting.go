//go:build !iprof_off

package gather

import (
	"unsafe"

	"example.com/iprof/gather/internal/budget"
)

// The sizes of the most frequent values, in bytes.
const (
	chunkBytes = int64(unsafe.Sizeof(chunk{})) + chunkSize*int64(unsafe.Sizeof(seen{}))
	extraBytes = int64(unsafe.Sizeof(extra{}))
	laneBytes  = int64(unsafe.Sizeof(Lane{})) + 64 + 64 // with its slot and table entries
)

// MemoryUsed returns the memory that the profiler holds. Any goroutine may call it.
func MemoryUsed() MemoryUse {
	return MemoryUse{Nodes: budget.Held(budget.Nodes), Lanes: budget.Held(budget.Lanes),
		Names: budget.Held(budget.Names), Events: budget.Held(budget.Events), Calls: budget.Held(budget.Calls),
		Copies: budget.Held(budget.Copies),
		Limit:  budget.Limit()}
}

// limits returns the limits in force.
func limits() *Limits {
	if l := registry.limits.Load(); l != nil {
		return l
	}
	defaults := Limits{}.withDefaults()
	registry.limits.CompareAndSwap(nil, &defaults)
	return registry.limits.Load()
}

// SetLimits sets the limits. Fields not above 0 get their defaults. The limits apply to new lanes, nodes and names.
// Any goroutine may call it.
func SetLimits(l Limits) {
	l = l.withDefaults()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.limits.Store(&l)
	budget.SetLimit(int64(l.Bytes))
	registry.sealed.Store(isFull())
}
