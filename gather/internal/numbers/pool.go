// Package numbers hands out small dense numbers, and reuses those given back.
package numbers

import "sync"

// Pool has the numbers from 0 on. The zero value is ready to use. Any goroutine may call its methods.
type Pool struct {
	mu   sync.Mutex
	next uint32
	free []uint32
}

// Take returns a number that is not in use: the one given back last, or else the next higher one.
func (p *Pool) Take() uint32 {
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

// GiveBack ends the use of a number that Take has returned.
func (p *Pool) GiveBack(n uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, n)
}

// InUse returns how many numbers are in use.
func (p *Pool) InUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.next) - len(p.free)
}
