//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// The kinds of a node's sums besides its time and its entries.
const (
	sumAllocs = iota
	sumAllocBytes
	sumFrees
	sumFreeBytes
	sumErrors
	sumUnits
	sumHeapObjects
	sumHeapBytes
	sumKinds
)

// sums holds a node's sums. The zero value is ready to use. The node's goroutine adds to them; another may read them
// meanwhile.
type sums struct {
	_        incomparable
	used     atomic.Bool // a sum was ever added: most nodes have an extra for something else
	now      [sumKinds]atomic.Uint64
	reported [sumKinds]uint64 // the reader's
}

// bump adds to a sum. It needs no atomic addition, because only one goroutine writes. An atomic addition would cost
// more than the rest of the call.
//
//go:norace
func (s *sums) bump(kind int, n uint64) {
	if !s.used.Load() {
		s.used.Store(true)
	}
	word := &s.now[kind]
	platform.StoreTicks((*platform.Ticks)(unsafe.Pointer(word)), platform.Ticks(word.Load()+n))
}

// add adds to a sum atomically, more slowly than bump.
func (s *sums) add(kind int, n uint64) {
	s.used.Store(true)
	s.now[kind].Add(n)
}

// addAll adds to all sums.
func (s *sums) addAll(more *[sumKinds]uint64) {
	s.used.Store(true)
	for kind, n := range more {
		s.now[kind].Add(n)
	}
}

// since returns the sums added since the last call with move, and whether any is not 0.
func (s *sums) since(move bool) (added [sumKinds]uint64, any bool) {
	if !s.used.Load() {
		return added, false
	}
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
