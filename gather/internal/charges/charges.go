// Package charges has the sums that are charged to a node besides its time and its entries.
package charges

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// The kinds of sums.
const (
	Allocs = iota
	AllocBytes
	Frees
	FreeBytes
	Errors
	Units
	HeapObjects
	HeapBytes
	Kinds
)

// Sums has a node's sums. The zero value is ready to use. The node's goroutine adds to them; another may read them
// meanwhile.
type Sums struct {
	now      [Kinds]atomic.Uint64
	reported [Kinds]uint64 // the reader's
}

// Bump adds to a sum. An atomic addition is not needed, as only one goroutine writes, and would cost more than the rest
// of the call.
//
//go:norace
func (s *Sums) Bump(kind int, n uint64) {
	word := &s.now[kind]
	platform.StoreTicks((*platform.Ticks)(unsafe.Pointer(word)), platform.Ticks(word.Load()+n))
}

// Add adds to a sum, more slowly. The race detector knows it.
func (s *Sums) Add(kind int, n uint64) { s.now[kind].Add(n) }

// AddAll adds to all sums.
func (s *Sums) AddAll(more *[Kinds]uint64) {
	for kind, n := range more {
		s.now[kind].Add(n)
	}
}

// Since returns the sums added since the last call with move, and whether any is not 0.
func (s *Sums) Since(move bool) (added [Kinds]uint64, any bool) {
	for kind := range added {
		sum := s.now[kind].Load()
		added[kind] = sum - s.reported[kind]
		any = any || added[kind] != 0
		if move {
			s.reported[kind] = sum
		}
	}
	return added, any
}
