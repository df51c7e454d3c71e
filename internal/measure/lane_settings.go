//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"
)

// wanted holds the settings for all lanes. A lane on the slow path compares its generation with this one.
var wanted struct {
	generation atomic.Uint32
	events     atomic.Int64 // per lane
}

// pokeStale sends the lane's goroutine to the slow path if the lane does not follow the latest settings.
//
//go:norace
func (l *Lane) pokeStale() {
	if !l.ended && !l.retired && l.generation != wanted.generation.Load() {
		l.poke()
	}
}

// applySettings makes the lane follow the latest settings. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) applySettings() {
	now := wanted.generation.Load()
	if l.generation == now {
		return
	}
	l.generation = now
	l.metered = Memory() == MemoryHeapPerZone
	l.govern()
	for i := range l.base {
		n := l.node(uint32(i))
		l.setCalls(n, n.flag&(flagUntimed|flagVacant) == 0 && zones.countsCalls(l.base[i].zone))
		l.flagAsMuted(n)
	}
	l.setLog()
}

// The sizes of the most frequent values, in bytes.
const (
	chunkBytes = int64(unsafe.Sizeof(chunk{})) + chunkSize*int64(unsafe.Sizeof(baseline{}))
	extraBytes = int64(unsafe.Sizeof(extra{}))
	laneBytes  = int64(unsafe.Sizeof(Lane{})) + 64 + 64 // with its slot and table entries
)

// limitsSet has the value of SetLimits, nil before the first use.
var limitsSet atomic.Pointer[Limits]

// limits returns the limits in force.
func limits() *Limits {
	if l := limitsSet.Load(); l != nil {
		return l
	}
	defaults := Limits{}.withDefaults()
	limitsSet.CompareAndSwap(nil, &defaults)
	return limitsSet.Load()
}

// memoryMode is the MemoryMode. Alloc and Free read it plainly.
var memoryMode = uint32(MemoryHeapPerFrame)

// Memory returns the memory mode. Any goroutine may call it.
func Memory() MemoryMode { return MemoryMode(atomic.LoadUint32(&memoryMode)) }
