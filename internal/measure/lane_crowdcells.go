//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// crowdCells is the number of cells, a power of two. They take 8 MB, from the first goroutine without a lane on.
const crowdCells = 1 << 17

const cellBytes = 64

// crowdCell counts entries of one goroutine. Only this goroutine writes owner and the numbers of entries, so an entry
// needs no atomic addition, which takes longer than the rest of it. All else changes under the tally's mutex.
type crowdCell struct {
	owner  atomic.Uint64 // id of the goroutine
	record atomic.Uint64 // its key, 0 in a free cell. A later goroutine with that key takes the cell over.
	counts [2]cellCount
}

// cellCount counts the entries of one zone.
type cellCount struct {
	key     atomic.Uint64
	entries uint64
	taken   uint64 // of these
}

// cellsOf returns the two cells that a goroutine may have, or nil without memory for cells.
//
//go:norace
func (c *crowdTally) cellsOf(record uint64) (first, second *crowdCell) {
	cells := c.cells.Load()
	if cells == nil {
		return nil, nil
	}
	i := record * crowdMix >> 32 % crowdCells
	return &cells[i], &cells[i^1]
}

// addOwn counts an entry in the goroutine's cell. It returns false if the goroutine has none for the zone.
//
//go:norace
func (c *crowdTally) addOwn(key, record, goroutine uint64) bool {
	cell, other := c.cellsOf(record)
	if cell == nil {
		return false
	}
	if cell.owner.Load() != goroutine {
		if cell = other; cell.owner.Load() != goroutine {
			return false
		}
	}
	for i := range cell.counts {
		if n := &cell.counts[i]; n.key.Load() == key {
			n.entries++
			return true
		}
	}
	return false
}

// settle makes addOwn count the goroutine's next entries of an enrolled zone, if there is a cell. It does not wait.
func (c *crowdTally) settle(key, record, goroutine uint64) {
	if !platform.Assembly { // finding the goroutine takes far longer than an atomic addition
		return
	}
	cell := c.vacant(record, goroutine)
	if c.cells.Load() != nil && cell == nil || !c.mu.TryLock() {
		return
	}
	defer c.mu.Unlock()
	if c.cells.Load() == nil {
		if budget.HasRoom(crowdCells * cellBytes) {
			budget.Add(budget.Lanes, crowdCells*cellBytes)
			c.cells.Store(new([crowdCells]crowdCell))
		}
		return
	}
	if cell = c.vacant(record, goroutine); cell == nil {
		return
	}
	if cell.record.Load() == 0 {
		cell.record.Store(record)
		c.celled = append(c.celled, cell)
	}
	if cell.owner.Load() != goroutine { // of an ended goroutine
		c.drain(cell)
		for i := range cell.counts {
			cell.counts[i].key.Store(0)
		}
		cell.owner.Store(goroutine)
	}
	for i := range cell.counts {
		if n := &cell.counts[i]; n.key.Load() == 0 {
			n.key.Store(key)
			return
		}
	}
}

// vacant returns a cell with room for another zone of the goroutine, or nil.
//
//go:norace
func (c *crowdTally) vacant(record, goroutine uint64) *crowdCell {
	cell, other := c.cellsOf(record)
	switch {
	case cell == nil:
		return nil
	case other.record.Load() == record, cell.record.Load() != record && cell.record.Load() != 0:
		cell = other
	}
	if of := cell.record.Load(); of != 0 && of != record ||
		cell.owner.Load() == goroutine && cell.counts[len(cell.counts)-1].key.Load() != 0 {
		return nil
	}
	return cell
}

// leave takes the goroutine's cell away, because it gets a lane. The goroutine calls it.
//
//go:norace
func (c *crowdTally) leave(record, goroutine uint64) {
	if cell, other := c.cellsOf(record); cell != nil {
		if cell.owner.Load() != goroutine {
			cell = other
		}
		if cell.owner.Load() == goroutine {
			cell.owner.Store(0)
		}
	}
}

// drain moves the entries of a cell that are not yet taken to the sums. The mutex is held.
//
//go:norace
func (c *crowdTally) drain(cell *crowdCell) {
	for i := range cell.counts {
		n := &cell.counts[i]
		if now := atomic.LoadUint64(&n.entries); now != n.taken {
			c.parts[0][c.place(n.key.Load())].Add(now - n.taken)
			n.taken = now
		}
	}
}
