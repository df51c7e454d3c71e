//go:build !iprof_off

package measure

import (
	"math"

	"example.com/iprof/internal/quiet"
)

// numberPool hands out small dense numbers, from 0 on, and reuses those given back. The zero value is ready to use. Any
// goroutine may call its methods.
type numberPool struct {
	mu   quiet.Mutex
	next uint32
	free []uint32
}

// take returns a free number: the one given back last, or else the next higher one.
func (p *numberPool) take() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		n := p.free[last]
		p.free = p.free[:last]
		return n
	}
	p.next++
	return p.next - 1
}

// giveBack ends the use of a number that take has returned.
func (p *numberPool) giveBack(n uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, n)
}

// inUse returns the number of numbers in use.
func (p *numberPool) inUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.next) - len(p.free)
}

// tally counts by index. The zero value has no counts. Any goroutine may call its methods.
type tally struct {
	mu     quiet.Mutex
	counts []uint64 // since take moved them
}

// add adds n to count i.
func (t *tally) add(i int, n uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts = append(t.counts, make([]uint64, max(i+1-len(t.counts), 0))...)
	t.counts[i] += n
}

// take calls see for the counts that are not 0. It splits a count above 32 bits into several calls. With move, it
// subtracts the given counts.
func (t *tally) take(move bool, see func(i int, n uint32)) {
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

// reset makes all counts 0.
func (t *tally) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts = nil
}
