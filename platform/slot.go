package platform

import (
	"sync/atomic"
	"unsafe"
)

// homes is the number of home slots; goroutines that share one find their lane by a second table instead.
const (
	homes     = 1024
	homeShift = 32 - 10
	homeMix   = 0x9E3779B1 // 2^32 over the golden ratio: neighbours in memory land far apart
)

// Slot is the head of a lane: the 64 bytes that every Begin and End touch. What it holds is package gather's affair but for
// ID and timed. It lies here because the assembly that finds it must know its size and its first word.
type Slot struct {
	ID   uint64         // of the goroutine it serves, 0 for none: compared by Enter and Leave
	Last Ticks          // latest reading used; never decreases
	Cur  unsafe.Pointer // innermost open node
	Lane unsafe.Pointer // the rest of the lane
	Key  uint64         // the goroutine's place: its record's address, or its id where that is not known
	Real Ticks          // Last, while that is raised because there is a Log
	Log  unsafe.Pointer // what else to write down, usually nil

	_ [64 - 4*8 - 4*2 - 3*unsafe.Sizeof(uintptr(0))]byte // not at the end, where none of 0 bytes would be

	timed  uint16 // the end of ID if FindTime is to read the time, else not; at 56, as the assembly knows
	Stop   uint16 // when that ends
	Others uint16 // entries meanwhile for which it was not meant
	Wasted uint16 // of which it was in vain
}

// Serve has the slot serve a goroutine, 0 for none, without reading the time for it.
//
//go:norace
func (s *Slot) Serve(goroutine uint64) {
	s.timed = ^uint16(goroutine)
	atomic.StoreUint64(&s.ID, goroutine)
}

// SetTimed has FindTime read the time on the slot's goroutine, or not. It asks so by a part of the goroutine's id, and not by a flag,
// since one comparison is all that Enter makes before it reads the time: with two, what is around the zones lasts a tick longer.
//
//go:norace
func (s *Slot) SetTimed(on bool) {
	if s.timed = uint16(s.ID); !on {
		s.timed = ^s.timed
	}
}

// Timed reports whether it does.
//
//go:norace
func (s *Slot) Timed() bool { return s.timed == uint16(s.ID) }

// slots is the table of home slots, 64 KB that are never given back. The linker aligns it to 32 bytes at least, so the four
// words that matter share a cache line.
var slots [homes]Slot

// Home returns the home slot of a goroutine's key: where Enter looks. It belongs to the first key that claims it.
func Home(key uint64) *Slot {
	return &slots[uint32(key)*homeMix>>homeShift]
}

// releaseHomes makes every home slot strange to its goroutine.
func releaseHomes() {
	for i := range slots {
		slots[i].Serve(0)
		atomic.StoreUint64(&slots[i].Key, 0)
	}
}
