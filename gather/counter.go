//go:build !iprof_off

package gather

import (
	"math"
	"unsafe"

	"example.com/iprof/platform"
)

// Count adds 1 to the count of that name in this frame. See CountN.
//
//go:norace
func Count(name string) { CountN(name, 1) }

// CountN adds n, which may be below 0, to the count of that name in this frame. Any goroutine may call it: each counts on a
// lane of its own, where frames are made the sums are added up. The name is any text; one that is a constant is found by its
// address, without looking at it. Names beyond Limits.Counters are not kept, but counted in Dropped. Cost: BenchmarkCount.
//
//go:norace
func CountN(name string, n int) {
	if off != 0 {
		return
	}
	if l := here(); l != nil {
		if c := l.counters.find(name, summed); c != nil {
			storeTicks(&c.sum, c.sum+platform.Ticks(n))
			return
		}
	}
	countSlow(name, n)
}

// Value sets the level of that name: what it is at the end of this frame and of all later ones, until it is set again. Of
// several goroutines that set it the last one wins. What is not finite is ignored. Otherwise it is like CountN.
//
//go:norace
func Value(name string, v float64) {
	if off != 0 || v-v != 0 {
		return
	}
	if l := here(); l != nil {
		if c := l.counters.find(name, level); c != nil {
			storeTicks(&c.sum, platform.Ticks(math.Float64bits(v)))
			storeTicks(&c.at, platform.Now())
			return
		}
	}
	valueSlow(name, v)
}

// What a cell is: the lowest bit of cell.size.
const (
	summed = iota
	level
)

// cell is what one lane counted by one name, or the level that it set. The lane's goroutine writes sum and at, the reader
// was; the rest is written once.
type cell struct {
	sum  platform.Ticks // since the lane began; of a level its bits
	at   platform.Ticks // when the level was set
	was  platform.Ticks // of sum, reported
	text *byte          // the name, which is kept: no other text can ever lie there
	size int            // its length, and whether it is a level
	id   int32
	_    int32 // keeps cells at multiples of 8 bytes, for the atomic loads of the reader
}

// cells finds a lane's cells by the address and length of their names.
type cells struct {
	slots []cell // a power of two, at most half of them used
	used  int
}

const (
	firstCells = 8
	mostCells  = 1024 // in a lane; further names, or further addresses of the same, share those of sharedCells
)

// nameless stands for the text of "", which has no address.
var nameless byte

//go:norace
func textOf(name string) *byte {
	if name == "" {
		return &nameless
	}
	return unsafe.StringData(name)
}

// find returns a name's cell, nil if it has none yet.
//
//go:norace
func (c *cells) find(name string, kind int) *cell {
	if c == nil {
		return nil
	}
	mask := uint64(len(c.slots) - 1)
	text, size := textOf(name), len(name)<<1|kind
	for i := spread(text) & mask; ; i = (i + 1) & mask {
		switch s := &c.slots[i]; {
		case s.text == text && s.size == size:
			return s
		case s.text == nil:
			return nil
		}
	}
}

// spread makes neighbours in memory land far apart.
//
//go:norace
func spread(text *byte) uint64 {
	return uint64(uintptr(unsafe.Pointer(text))) * 0x9E3779B97F4A7C15 >> 40
}

// add makes a name's cell; nil if there are too many. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (c *cells) add(name string, kind int, id int32) *cell {
	if s := c.find(name, kind); s != nil {
		return s
	}
	if c.used >= mostCells {
		return nil
	}
	if 2*(c.used+1) > len(c.slots) {
		c.grow()
	}
	s := c.free(textOf(name))
	s.text, s.size, s.id = textOf(name), len(name)<<1|kind, id
	c.used++
	return s
}

// free returns the slot that is a text's to take.
//
//go:norace
func (c *cells) free(text *byte) *cell {
	mask := uint64(len(c.slots) - 1)
	i := spread(text) & mask
	for c.slots[i].text != nil {
		i = (i + 1) & mask
	}
	return &c.slots[i]
}

//go:norace
func (c *cells) grow() {
	old := c.slots
	c.slots = make([]cell, 2*len(old))
	for i := range old {
		if old[i].text != nil {
			*c.free(old[i].text) = old[i]
		}
	}
}
