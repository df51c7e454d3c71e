//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

// The sizes of a crowdTally, powers of two: 256 KB, of which only the pages in use take memory.
const (
	crowdParts     = 32
	crowdZones     = 1024
	mostCrowdZones = crowdZones / 4 * 3
	crowdMix       = 0x9E3779B97F4A7C15
)

// crowdTally counts the entries of many goroutines at once, by the key of a zone. It is split into parts, because
// processors that write to one cache line wait for each other. A goroutine writes to one part. The zero value is empty.
// Any goroutine may call its methods.
type crowdTally struct {
	keys  [crowdZones]atomic.Uint64 // an open hash table; 0 is a free place
	parts [crowdParts][crowdZones]atomic.Uint64

	mu    quiet.Mutex // guards the rest
	zones [crowdZones]int32
	used  []int // places

	cells  atomic.Pointer[[crowdCells]crowdCell]
	celled []*crowdCell // in use
}

// add counts an entry. It returns how many entries the goroutine's part has, or 0 if the zone is not enrolled.
//
//go:norace
func (c *crowdTally) add(key, goroutine uint64) (n uint64) {
	i := c.place(key)
	if c.keys[i].Load() != key {
		return 0
	}
	return c.parts[goroutine*crowdMix>>32%crowdParts][i].Add(1)
}

// place returns the place of a key, or the free one where it belongs.
//
//go:norace
func (c *crowdTally) place(key uint64) int {
	for i := int(key * crowdMix >> 32 % crowdZones); ; i = (i + 1) % crowdZones {
		if found := c.keys[i].Load(); found == key || found == 0 {
			return i
		}
	}
}

// enroll makes add count the entries of a zone, if there is room.
func (c *crowdTally) enroll(key uint64, zone int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.place(key)
	if len(c.used) >= mostCrowdZones || c.keys[i].Load() == key {
		return
	}
	c.zones[i], c.used = zone, append(c.used, i)
	c.keys[i].Store(key)
}

// flush gives all counts to a function, which must not call the tally, and makes them 0.
func (c *crowdTally) flush(take func(zone int32, n uint64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cell := range c.celled {
		c.drain(cell)
	}
	for _, i := range c.used {
		n := uint64(0)
		for part := range c.parts {
			if count := &c.parts[part][i]; count.Load() > 0 {
				n += count.Swap(0)
			}
		}
		if n > 0 {
			take(c.zones[i], n)
		}
	}
}
