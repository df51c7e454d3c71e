package counters

import (
	"math"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// Cell is one goroutine's sum or level for one name. The goroutine writes sum and at, and the reader writes was. The
// other fields are written once.
type Cell struct {
	_        [0]func()      // not comparable: the code of == would be in each program
	sum      platform.Ticks // since the cell was made; a level's float64 bits
	at       platform.Ticks // time of setting the level
	reported platform.Ticks // the part of sum already reported
	text     *byte          // the name's text; the pointer keeps it alive, so no other text can lie there
	size     int            // the name's length, times 2, plus the kind
	id       int32
	_        int32 // keeps cells at multiples of 8 bytes, for the atomic loads of the reader
}

// Add adds to a count. Only the cell's goroutine calls it.
//
//go:norace
func (c *Cell) Add(n int) { platform.StoreTicks(&c.sum, plus(c.sum, platform.Ticks(n))) }

// Set sets a level. Only the cell's goroutine calls it.
//
//go:norace
func (c *Cell) Set(v float64) {
	platform.StoreTicks(&c.sum, platform.Ticks(math.Float64bits(v)))
	platform.StoreTicks(&c.at, platform.Now())
}

// Cells is a hash table of a goroutine's cells, by the address and length of their names.
type Cells struct {
	slots []Cell // a power of two, at most half of them used
	used  int
}

const (
	firstCells = 8
	cellBytes  = int64(unsafe.Sizeof(Cell{}))
)

// Most is the largest number of cells in a Cells. Further names, or further addresses of the same, use the cells of the
// Table.
const Most = 1024

// New makes empty Cells. They count as memory of lanes.
func New() *Cells {
	budget.Add(budget.Lanes, firstCells*cellBytes)
	return &Cells{slots: make([]Cell, firstCells)}
}

// Free counts the cells' memory as freed. The goroutine may hold it a little longer.
func (c *Cells) Free() {
	if c != nil {
		budget.Add(budget.Lanes, -int64(len(c.slots))*cellBytes)
	}
}

// Len returns the number of cells.
func (c *Cells) Len() int { return c.used }

// nameless stands for the text of "", which has no address.
var nameless byte

//go:norace
func textOf(name string) *byte {
	if name == "" {
		return &nameless
	}
	return unsafe.StringData(name)
}

// Find returns a name's cell, or nil. Only the cells' goroutine calls it.
//
//go:norace
func (c *Cells) Find(name string, kind Kind) *Cell {
	if c == nil {
		return nil
	}
	mask := uint64(len(c.slots) - 1)
	text, size := textOf(name), len(name)<<1|int(kind)
	for i := spread(text) & mask; ; i = (i + 1) & mask {
		switch s := &c.slots[i]; {
		case s.text == text && s.size == size:
			return s
		case s.text == nil:
			return nil
		}
	}
}

// spread hashes an address so that neighbours in memory land far apart.
//
//go:norace
func spread(text *byte) uint64 {
	return uint64(uintptr(unsafe.Pointer(text))) * 0x9E3779B97F4A7C15 >> 40
}

// Make returns a name's cell, which it makes if needed. It returns nil if there are too many cells. The cells'
// goroutine calls it, with the mutex of Read held.
//
//go:norace
func (c *Cells) Make(name string, kind Kind, id int32) *Cell {
	if s := c.Find(name, kind); s != nil {
		return s
	}
	full := 2*(c.used+1) > len(c.slots)
	if c.used >= Most || full && !budget.Fits(int64(len(c.slots))*cellBytes) {
		return nil
	}
	if full {
		c.grow()
	}
	s := c.free(textOf(name))
	s.text, s.size, s.id = textOf(name), len(name)<<1|int(kind), id
	c.used++
	return s
}

// free returns the empty slot for a text.
//
//go:norace
func (c *Cells) free(text *byte) *Cell {
	mask := uint64(len(c.slots) - 1)
	i := spread(text) & mask
	for c.slots[i].text != nil {
		i = (i + 1) & mask
	}
	return &c.slots[i]
}

//go:norace
func (c *Cells) grow() {
	old := c.slots
	c.slots = make([]Cell, 2*len(old))
	budget.Add(budget.Lanes, int64(len(old))*cellBytes)
	for i := range old {
		if old[i].text != nil {
			*c.free(old[i].text) = old[i]
		}
	}
}

// GiveTo adds the unreported counts, and the levels, to the cells of the table. The goroutine has ended.
func (c *Cells) GiveTo(t *Table) {
	if c == nil {
		return
	}
	for i := range c.slots {
		s := &c.slots[i]
		switch at := platform.Ticks(atomic.LoadInt64((*int64)(&s.at))); {
		case s.text == nil:
		case s.size&int(Level) != 0:
			t.setLatest(s.id, s.sum, at)
		default:
			t.Add(s.id, int(s.sum-s.reported))
		}
	}
}
