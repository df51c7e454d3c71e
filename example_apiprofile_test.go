//go:build !iprof_off

package iprof_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof"
)

// poolZone is the zone of a module: every public function of it begins with it. Grow calls Get and so enters the zone
// again; hierarchical time counts recursion once.
var poolZone = iprof.Zone{Name: "pool of blocks"}

// pool keeps blocks of memory for reuse.
type pool struct{ blocks sync.Pool }

func (p *pool) Get() []byte {
	defer poolZone.Begin().End()
	if block, ok := p.blocks.Get().(*[]byte); ok {
		return *block
	}
	return make([]byte, 4096)
}

func (p *pool) Put(block []byte) {
	defer poolZone.Begin().End()
	p.blocks.Put(&block)
}

// Grow exchanges a block for a larger one with the same content.
func (p *pool) Grow(block []byte, size int) []byte {
	defer poolZone.Begin().End()
	return append(append(p.Get()[:0], block...), make([]byte, size)...)
}

// useSome takes blocks, makes one of them larger, and gives both back.
func useSome(p *pool) {
	a, b := p.Get(), p.Get()
	p.Put(a)
	p.Put(p.Grow(b, 8000))
}

// The time that several workers spend in one module of a program: a line for each worker, at an interval.
func ExampleLogEvery_module() {
	var log bytes.Buffer
	stop := iprof.LogEvery(&log, time.Hour, &poolZone)
	var shared pool
	var workers sync.WaitGroup
	for i := range 4 {
		workers.Go(func() {
			iprof.Register(fmt.Sprint("pool user ", i+1))
			for range 100 {
				useSome(&shared)
			}
		})
	}
	workers.Wait()
	stop() // writes the last lines
	lines := slices.Sorted(strings.Lines(steady(log.String())))
	fmt.Print(strings.Join(lines, ""))
	// Output:
	// on "pool user 1" zone "pool of blocks": N/N ms N% 600x
	// on "pool user 2" zone "pool of blocks": N/N ms N% 600x
	// on "pool user 3" zone "pool of blocks": N/N ms N% 600x
	// on "pool user 4" zone "pool of blocks": N/N ms N% 600x
}
