//go:build !iprof_off

package gather

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// counted sums up what lanes counted in a frame, by id.
type counted struct {
	sums   []platform.Ticks
	levels []levelAt
}

// levelAt is the latest level, and when it was set: 0 if never.
type levelAt struct {
	v  float64
	at platform.Ticks
}

// begin forgets the sums of the last frame. Levels stay.
func (u *counted) begin(counters int) {
	for len(u.sums) < counters {
		u.sums = append(u.sums, 0)
		u.levels = append(u.levels, levelAt{})
	}
	clear(u.sums)
}

// take adds one cell's part.
func (u *counted) take(info *CounterInfo, id int32, sum, was, at platform.Ticks) {
	if !info.Level {
		u.sums[id] += sum - was
	} else if l := &u.levels[id]; at > l.at {
		*l = levelAt{math.Float64frombits(uint64(sum)), at}
	}
}

// readCounters adds up what the lane counted since it was last read, and reports whether that was anything. The lane's mutex is
// held.
func (l *Lane) readCounters(u *counted, infos []CounterInfo, move bool) (any bool) {
	if l.counters == nil {
		return false
	}
	for i := range l.counters.slots {
		c := &l.counters.slots[i]
		if c.text == nil || int(c.id) >= len(infos) { // made since infos was read
			continue
		}
		at := platform.Ticks(atomic.LoadInt64((*int64)(&c.at)))
		sum := platform.Ticks(atomic.LoadInt64((*int64)(&c.sum)))
		any = any || sum != c.was
		u.take(&infos[c.id], c.id, sum, c.was, at)
		if move {
			c.was = sum
		}
	}
	return any
}

// read adds up what was counted without a lane.
func (t *counterTable) read(u *counted, infos []CounterInfo, move bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.shared[:min(len(t.shared), len(infos))] {
		c := &t.shared[id]
		u.take(&infos[id], int32(id), c.sum, c.was, c.at)
		if move {
			c.was = c.sum
		}
	}
}

// report fills in the frame's counts and levels.
func (u *counted) report(f *Frame) {
	f.Values = f.Values[:0]
	for id := range f.Counters {
		switch {
		case f.Counters[id].Level && u.levels[id].at != 0:
			f.Values = append(f.Values, CounterValue{int32(id), u.levels[id].v})
		case !f.Counters[id].Level && u.sums[id] != 0:
			f.Values = append(f.Values, CounterValue{int32(id), float64(u.sums[id])})
		}
	}
}
