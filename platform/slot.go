package platform

import (
	"sync/atomic"
	"unsafe"
)

// homes is the number of home slots. If two goroutines share a home slot, the second finds its own slot in a
// SlotTable.
const (
	homes     = 1 << homeBits
	homeShift = 32 - homeBits
	homeMix   = 0x9E3779B1 // 2^32 / golden ratio: spreads records that are neighbours in memory
)

// Slot is the head of a lane: the 64 bytes that every Begin and End touch. Package gather owns it. This package reads
// and writes only ID, Read and timed. The type is declared here because the assembly depends on its size and on the
// offsets of these fields.
type Slot struct {
	ID   uint64         // id of the lane's goroutine, 0 without one; Enter and Leave compare it
	Last Ticks          // latest reading that was used; never decreases
	Cur  unsafe.Pointer // innermost open node
	Lane unsafe.Pointer // the rest of the lane
	Log  unsafe.Pointer // event log, usually nil

	_ [unsafe.Sizeof(uintptr(0)) % 8]byte // aligns the next words to 8 bytes on 32-bit machines, for atomics

	Read Ticks // latest reading by Enter, FindTime, Leave and their variants; package gather may set it to 0
	Real Ticks // the true Last while Last is raised because of a Log

	_ [64 - 4*8 - 4*2 - 3*unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof(uintptr(0))%8]byte // not last: 0 bytes add a word

	timed  uint16 // low bits of ID if FindTime reads the time, else their complement; at offset 56
	Stop   uint16 // package gather: the entry count at which a timed burst ends
	Wasted uint16 // package gather: number of unused readings during a burst
	_      uint16
}

// Serve assigns the slot to a goroutine, or to none if id is 0. FindTime does not read the time for it until SetTimed.
//
//go:norace
func (s *Slot) Serve(goroutine uint64) {
	s.timed = ^uint16(goroutine)
	atomic.StoreUint64(&s.ID, goroutine)
}

// SetTimed sets whether FindTime reads the time on the slot's goroutine. timed has a part of the goroutine's id instead
// of a flag, so that FindTime needs only one comparison before it reads the time. With two comparisons, the code around
// a zone takes a tick longer.
//
//go:norace
func (s *Slot) SetTimed(on bool) {
	if s.timed = uint16(s.ID); !on {
		s.timed = ^s.timed
	}
}

// Timed reports whether FindTime reads the time.
//
//go:norace
func (s *Slot) Timed() bool { return s.timed == uint16(s.ID) }

// Now reads the clock, like Enter, for a slot that was found without Enter. Only the slot's goroutine may call it.
//
//go:norace
func (s *Slot) Now() Ticks {
	t := Now()
	StoreTicks(&s.Read, t)
	return t
}

// slots is the table of home slots. Its 512 KB (64 KB without assembly) are never freed, but only the pages with slots
// in use take memory. The linker aligns it to at least 32 bytes, so ID, Last, Cur and Lane share a cache line.
var slots [homes]Slot

// keys has the key that owns each home slot, 0 for a free slot.
var keys [homes]atomic.Uint64

// Home returns the home slot for a goroutine's key, the place where Enter looks. The first key that claims the slot
// owns it.
func Home(key uint64) *Slot {
	return &slots[uint32(key)*homeMix>>homeShift]
}

// HomeKey returns the key that owns the home slot for key, 0 for a free slot.
func HomeKey(key uint64) *atomic.Uint64 { return &keys[uint32(key)*homeMix>>homeShift] }

// Reserved is set in a home slot's key after SetClock. The slot then has no goroutine, but only the goroutine with this
// key may claim it again: it may have been interrupted in a Begin or End, which later writes to the slot. Addresses of
// goroutines' records are below this bit.
const Reserved = 1 << 63

// releaseHomes takes every home slot from its goroutine.
func releaseHomes() {
	for i := range slots {
		slots[i].Serve(0)
		if key := keys[i].Load(); Assembly && key != 0 {
			keys[i].Store(key | Reserved)
		} else {
			keys[i].Store(0)
		}
	}
}
