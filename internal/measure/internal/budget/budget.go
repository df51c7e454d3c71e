// Package budget counts and limits the memory that the profiler holds.
//
//	if budget.Fits(size) {
//		budget.Add(budget.Events, size)
//		ring = make([]record, n)
//	}
//
// Callers count memory where they allocate and free it, never on the hot path. The figures are the sizes of the values,
// without the rounding of Go's allocator. Any goroutine may call the functions. Two concurrent requests may both get
// room, so the sum may exceed the limit by a few values.
package budget

import "sync/atomic"

// Kind is the use of memory.
type Kind int

// The kinds of memory.
const (
	Nodes  Kind = iota // of the call tree
	Lanes              // the rest of each lane
	Names              // of zones and counters
	Events             // the logs
	Calls              // histograms of single calls
	Copies             // copies of events
	Sets               // frames in progress, where there are several sets of frames
	kinds
)

// Default is the limit of a program that sets none, in bytes.
const Default = 64 << 20

var (
	held    [kinds]atomic.Int64
	limit   atomic.Int64 // less Default, so that 0 is a limit of Default
	refused atomic.Uint64

	taken, times atomic.Uint64
)

// Add counts bytes as held, or as freed if bytes is negative. It returns the bytes of the kind held now.
func Add(kind Kind, bytes int64) int64 {
	if bytes > 0 {
		taken.Add(uint64(bytes))
		times.Add(1)
	}
	return held[kind].Add(bytes)
}

// Taken returns the sum of all bytes ever counted as held, and the number of allocations.
func Taken() (bytes, objects uint64) { return taken.Load(), times.Load() }

// Held returns the bytes that a kind holds.
func Held(kind Kind) int64 { return held[kind].Load() }

// Total returns the bytes that all kinds hold.
func Total() (bytes int64) {
	for i := range held {
		bytes += held[i].Load()
	}
	return bytes
}

// SetLimit sets the limit. Memory already held stays.
func SetLimit(bytes int64) { limit.Store(bytes - Default) }

// Limit returns the limit, in bytes.
func Limit() int64 { return limit.Load() + Default }

// HasRoom reports whether the limit allows more bytes.
func HasRoom(bytes int64) bool { return Total()+bytes <= Limit() }

// Fits reports whether there is room for an allocation of bytes. If not, it counts the allocation in Refused.
func Fits(bytes int64) bool {
	if HasRoom(bytes) {
		return true
	}
	Refuse()
	return false
}

// Refuse counts an allocation refused for lack of room.
func Refuse() { refused.Add(1) }

// Refused returns the number of refused allocations.
func Refused() uint64 { return refused.Load() }

// HasSpare reports whether there is room for a value that replaces many refused allocations. Such values may exceed the
// limit by an eighth.
func HasSpare() bool { return Total() <= Limit()+Limit()/8 }

// IsScarce reports whether more than three quarters of the limit are held. Then the profiler frees doubtful memory
// early.
func IsScarce() bool { return Total() > Limit()/4*3 }
