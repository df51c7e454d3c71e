package main

import (
	"sync"

	"example.com/iprof"
)

// poolZone is the zone of the module: every public function begins with it. Grow calls Get and Put, which enter the
// zone again; hierarchical time counts recursion once.
var poolZone = iprof.Zone{Name: "memory pool"}

// pool keeps blocks of memory for reuse.
type pool struct {
	mu   sync.Mutex
	free [][]byte
	most int
	size int
}

func newPool(most, size int) *pool { return &pool{most: most, size: size} }

// Get returns a block.
func (p *pool) Get() []byte {
	defer poolZone.Begin().End()
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		block := p.free[n-1]
		p.free = p.free[:n-1]
		return block[:p.size]
	}
	return make([]byte, p.size)
}

// Put takes a block back. It drops blocks that are smaller than the pool's.
func (p *pool) Put(block []byte) {
	defer poolZone.Begin().End()
	p.mu.Lock()
	defer p.mu.Unlock()
	if cap(block) >= p.size {
		p.free = append(p.free, block)
	}
	p.trim()
}

// Grow exchanges a block for a larger one with the same content.
func (p *pool) Grow(block []byte, size int) []byte {
	defer poolZone.Begin().End()
	larger := p.Get()
	if cap(larger) < size {
		p.Put(larger)
		larger = make([]byte, size)
	}
	larger = larger[:size]
	copy(larger, block)
	p.Put(block)
	return larger
}

// trim leaves excess memory to the garbage collector.
func (p *pool) trim() {
	for len(p.free) > p.most {
		last := len(p.free) - 1
		p.free[last] = nil
		p.free = p.free[:last]
	}
}
