//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/counters"
	"example.com/iprof/platform"
)

// Count adds 1 to the named count. See CountN.
//
//go:norace
func Count(name string) { CountN(name, 1) }

// CountN adds n to the named count in this frame; n may be negative. Any goroutine may call it. Each goroutine has its
// own cell, and the frame has the sum. A sum since the start does not wrap around: it stays at the largest or smallest
// int64. Any text may be a name. A constant name is fast, because CountN finds it by its address without reading the
// text. It drops names beyond Limits.Counters, and counts them in Dropped.Counters. Cost: BenchmarkCount.
//
//go:norace
func CountN(name string, n int) {
	if off != 0 {
		return
	}
	if l := here(); l != nil {
		if c := l.counters.Find(name, counters.Count); c != nil {
			c.Add(n)
			l.wakeNow()
			return
		}
	}
	countSlow(name, n)
}

// Value sets the named level. The level keeps this value at the end of this frame and of later frames until the next
// call. If several goroutines set it, the last one wins. Value ignores a v that is not finite. Otherwise it is like
// CountN.
//
//go:norace
func Value(name string, v float64) {
	if off != 0 || v-v != 0 {
		return
	}
	if l := here(); l != nil {
		if c := l.counters.Find(name, counters.Level); c != nil {
			c.Set(v)
			l.wakeNow()
			return
		}
	}
	valueSlow(name, v)
}

// countSlow is CountN for a name without a cell in the lane, or for a goroutine without a lane.
//
//go:norace
//go:noinline
func countSlow(name string, n int) {
	if c, id, ok := slowCell(name, counters.Count); c != nil {
		c.Add(n)
	} else if ok {
		counterTable.Add(id, n)
	}
}

// valueSlow is Value for the same cases.
//
//go:norace
//go:noinline
func valueSlow(name string, v float64) {
	if c, id, ok := slowCell(name, counters.Level); c != nil {
		c.Set(v)
	} else if ok {
		counterTable.Set(id, v)
	}
}

// slowCell finds or makes the calling goroutine's cell for a name. If c is nil and ok is true, use the table's cell id.
//
//go:norace
func slowCell(name string, kind counters.Kind) (c *counters.Cell, id int32, ok bool) {
	l := locate()
	if l == nil && isLeftOut() {
		return nil, 0, false
	}
	id, lasting, ok := counterTable.Number(name, kind, limits().Counters)
	if !ok {
		dropped.counters.Add(1)
	}
	if !ok || l == nil {
		return nil, id, ok
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = 0
	if l.ended || !lasting {
		return nil, id, true
	}
	l.wake(platform.Now())
	if l.counters == nil {
		l.counters = counters.New()
	}
	return l.counters.Make(name, kind, id), id, true
}
