//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// crowdCells is the number of cells, a power of two. They take 8 MB, from the first goroutine without a lane on.
const crowdCells = 1 << 17

const (
	cellBytes = 64
	crowdWays = 4 // cells that a goroutine may have, a power of two: of 100,000 goroutines a tenth finds all in use

	crowdChange = 16 // of so many entries that no cell counts, one gets a place in a full one
)

// crowdCell counts entries of one goroutine. Only this goroutine writes owner and the numbers of entries, so an entry
// needs no atomic addition, which takes longer than the rest of it. All else changes under the tally's mutex.
type crowdCell struct {
	_      incomparable
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

// own returns the goroutine's cell, or nil.
//
//go:norace
func (c *crowdTally) own(record, goroutine uint64) *crowdCell {
	cells := c.cells.Load()
	if cells == nil {
		return nil
	}
	i := firstCell(record)
	for k := range uint64(crowdWays) {
		if cell := &cells[i^k]; cell.owner.Load() == goroutine {
			return cell
		}
	}
	return nil
}

// firstCell returns the number of the first cell that a goroutine may have. The others are beside it.
func firstCell(record uint64) uint64 { return record * crowdMix >> 32 % crowdCells }

// addOwn counts an entry in the goroutine's cell. It returns false if the goroutine has none for the zone.
//
//go:norace
func (c *crowdTally) addOwn(key, record, goroutine uint64) bool {
	cell := c.own(record, goroutine)
	if cell == nil {
		return false
	}
	for i := range cell.counts {
		if n := &cell.counts[i]; n.key.Load() == key {
			n.entries++
			return true
		}
	}
	return false
}

// settle makes addOwn count the goroutine's next entries of an enrolled zone, if there is a cell. n is a number of
// entries so far, by which a full cell changes one of its zones now and then: the first ones that a goroutine entered
// may be seldom. It does not wait.
func (c *crowdTally) settle(key, record, goroutine, n uint64) {
	if !platform.Assembly { // finding the goroutine takes far longer than an atomic addition
		return
	}
	cell := c.vacant(record)
	if c.cells.Load() != nil && (cell == nil || cell.isFull(goroutine) && n%crowdChange != 0) || !c.mu.TryLock() {
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
	if cell = c.vacant(record); cell == nil {
		return
	}
	if cell.record.Load() == 0 {
		cell.record.Store(record)
		c.celled = append(c.celled, cell)
	}
	c.drain(cell)
	if cell.owner.Load() != goroutine { // of an ended goroutine
		for i := range cell.counts {
			cell.counts[i].key.Store(0)
		}
		cell.owner.Store(goroutine)
	}
	at := int(n / crowdChange % uint64(len(cell.counts)))
	for i := range cell.counts {
		if cell.counts[i].key.Load() == 0 {
			at = i
			break
		}
	}
	cell.counts[at].key.Store(key)
}

// isFull reports whether the goroutine has all of the cell.
//
//go:norace
func (c *crowdCell) isFull(goroutine uint64) bool {
	return c.owner.Load() == goroutine && c.counts[len(c.counts)-1].key.Load() != 0
}

// vacant returns the cell of a record, or else a free one, or nil.
func (c *crowdTally) vacant(record uint64) (vacant *crowdCell) {
	cells := c.cells.Load()
	if cells == nil {
		return nil
	}
	i := firstCell(record)
	for k := range uint64(crowdWays) {
		cell := &cells[i^k]
		if of := cell.record.Load(); of == record {
			return cell
		} else if of == 0 && vacant == nil {
			vacant = cell
		}
	}
	return vacant
}

// leave takes the goroutine's cell away, because it gets a lane. The goroutine calls it.
//
//go:norace
func (c *crowdTally) leave(record, goroutine uint64) {
	if cell := c.own(record, goroutine); cell != nil {
		cell.owner.Store(0)
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
