package counters

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// Reading holds the sums and the latest levels of a frame, by number. Only one goroutine may use it.
type Reading struct {
	names  []Name
	sums   []platform.Ticks
	levels []level
}

// level is the latest level and the time of its setting, 0 if never.
type level struct {
	v  float64
	at platform.Ticks
}

// Begin clears the sums of the last frame, and reads the names. Levels stay.
func (r *Reading) Begin(t *Table) {
	r.names = t.AppendNames(r.names, len(r.names))
	for len(r.sums) < len(r.names) {
		r.sums, r.levels = append(r.sums, 0), append(r.levels, level{})
	}
	clear(r.sums)
}

// Names returns the names at the latest Begin, by number. The slice is shared, and its entries never change.
func (r *Reading) Names() []Name { return r.names }

// Value returns the value of a counter in the frame, and whether it has one: a sum that is not 0, or a level.
func (r *Reading) Value(id int) (v float64, any bool) {
	if r.names[id].Kind == Level {
		return r.levels[id].v, r.levels[id].at != 0
	}
	return float64(r.sums[id]), r.sums[id] != 0
}

// add adds one cell. Cells with names newer than the latest Begin come with the next frame.
func (r *Reading) add(id int32, sum, was, at platform.Ticks) {
	if r.names[id].Kind == Count {
		r.sums[id] = plus(r.sums[id], plus(sum, -was))
	} else if l := &r.levels[id]; at > l.at {
		*l = level{math.Float64frombits(uint64(sum)), at}
	}
}

// AddCells adds the changes of the cells since the last call with move, while their goroutine goes on. It reports
// whether they have anything. The mutex of Cells.Make is held.
func (r *Reading) AddCells(c *Cells, move bool) (any bool) {
	if c == nil {
		return false
	}
	for i := range c.slots {
		s := &c.slots[i]
		if s.text == nil || int(s.id) >= len(r.names) {
			continue
		}
		at := platform.Ticks(atomic.LoadInt64((*int64)(&s.at)))
		sum := platform.Ticks(atomic.LoadInt64((*int64)(&s.sum)))
		any = any || sum != s.reported
		r.add(s.id, sum, s.reported, at)
		if move {
			s.reported = sum
		}
	}
	return any
}

// AddTable adds the changes of the table's own cells since the last call with move.
func (r *Reading) AddTable(t *Table, move bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range r.names {
		c := &t.cells[id]
		r.add(int32(id), c.sum, c.reported, c.at)
		if move {
			c.reported = c.sum
		}
	}
}
