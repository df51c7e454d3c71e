package numbers

import (
	"math"
	"sync"
)

// Tally counts by index. The zero value has no counts. Any goroutine may call its methods.
type Tally struct {
	mu     sync.Mutex
	counts []uint64 // since Take moved them
}

// Add adds 1 to count i.
func (t *Tally) Add(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts = append(t.counts, make([]uint64, max(i+1-len(t.counts), 0))...)
	t.counts[i]++
}

// Take calls see for the counts that are not 0. With move, they are then 0, or what is more than 32 bits hold.
func (t *Tally) Take(move bool, see func(i int, n uint32)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, count := range t.counts {
		if n := min(count, math.MaxUint32); n > 0 {
			see(i, uint32(n))
			if move {
				t.counts[i] -= n
			}
		}
	}
}

// Reset makes all counts 0.
func (t *Tally) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts = nil
}
