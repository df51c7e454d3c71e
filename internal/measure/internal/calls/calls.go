// Package calls counts the durations of a node's calls on the node's goroutine, while others read them.
//
//	c := calls.New(time, entries) // nil if there is no memory
//	c.Count(time)                 // at each end
//	c.ReadTo(&histogram, entries) // elsewhere
//
// Only the node's total time is known at the end of a call. A call's duration is the growth of that time since the end
// of the call before.
package calls

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
)

// Calls holds the durations of a node's calls. A nil Calls is empty. Only the node's goroutine may call Count, Skip and
// MoveTo.
type Calls struct {
	_    [0]func()      // not comparable: the code of == would be in each program
	base platform.Ticks // the node's time at the start
	prev platform.Ticks // the time after the latest end; negative while a call from before the start is open
	from uint64         // the node's entries at the start
	live histogram.Live

	Usual *Usual // of the zone's calls, or nil; the caller's
}

// New begins to count. time is the node's time, negative if a call is open, and entries is the number of calls begun.
// It returns nil without memory.
func New(time platform.Ticks, entries uint64) *Calls {
	if !histogram.Reserve() {
		return nil
	}
	return &Calls{base: time, prev: time, from: entries}
}

// Free counts the memory as freed.
func (c *Calls) Free() {
	if c != nil {
		c.live.Free()
	}
}

// Count counts the call that has just raised the node's time, and returns its duration. It does not count a call that
// was open at the start, and returns a negative number.
//
//go:norace
func (c *Calls) Count(time platform.Ticks) (took platform.Ticks) {
	switch {
	case c == nil:
		return -1
	case c.prev < 0:
		c.base, c.prev = time, time
		return -1
	}
	if took = time - c.prev; c.live.Count(took) {
		platform.StoreTicks(&c.prev, time)
	} else {
		c.Skip(time)
	}
	return took
}

// Skip leaves out the call that has just raised the node's time.
//
//go:norace
func (c *Calls) Skip(time platform.Ticks) {
	if c == nil {
		return
	}
	platform.StoreTicks(&c.base, c.base+time-max(c.prev, c.base))
	platform.StoreTicks(&c.prev, time)
}

// Sum returns the sum of the durations.
func (c *Calls) Sum() platform.Ticks {
	prev := platform.Ticks(atomic.LoadInt64((*int64)(&c.prev)))
	return max(prev, c.base) - c.base
}

// MoveTo moves the calls, with the sum took, to another node's. It drops them if to is nil.
//
//go:norace
func (c *Calls) MoveTo(to *Calls, took platform.Ticks) {
	if c == nil {
		return
	}
	if to == nil {
		c.live.Drain(nil)
	} else {
		if to.prev >= 0 {
			platform.StoreTicks(&to.prev, to.prev+took)
		}
		c.live.Drain(&to.live)
	}
	c.base, c.prev, c.from = 0, 0, 0
}

// ReadTo adds the calls to an empty histogram. entries is the number of calls begun. It returns the number of calls
// since New that are missing. Any goroutine may call it.
func (c *Calls) ReadTo(h *histogram.Histogram, entries uint64) (missing uint64) {
	c.live.AddTo(h)
	h.Sum = c.Sum()
	return Missing(entries, c.from, h.Count)
}

// Missing returns the number of uncounted entries since from, at least 0: the two counts are not read at one moment, so
// entries may seem fewer than calls.
func Missing(entries, from, counted uint64) uint64 {
	if entries < from+counted {
		return 0
	}
	return entries - from - counted
}
