//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// calls counts a node's calls by their duration: what acc has grown by from one End to the next. The lane's goroutine writes
// it.
type calls struct {
	base    platform.Ticks // acc when counting began
	prev    platform.Ticks // acc after the latest End; below 0 while the call that was open then is
	from    uint64         // entries when counting began
	octaves [octaveCount]atomic.Pointer[octave]
}

type octave [octaveSteps]uint64

const (
	callsBytes  = (octaveCount + 4) * 8
	octaveBytes = octaveSteps * 8
)

// callBytes is how much of MostCallBytes is taken.
var callBytes atomic.Int64

// takeCallBytes reports whether there is room, which it takes.
func takeCallBytes(n int64) bool {
	if callBytes.Add(n) <= MostCallBytes {
		return true
	}
	callBytes.Add(-n)
	return false
}

// SetPerCall makes every call of the zone count by its duration, or stops it and forgets: see AppendCalls. A call that is open
// now is not counted; one that was open while recording was off counts with that time. Lanes follow at their next Begin or
// End. Any goroutine may call it. See BenchmarkPerCall for the cost; zones that are not counted pay nothing, but for those
// on lanes where another is, which pay as for events.
func (z *Zone) SetPerCall(on bool) {
	zones.setCalls(z, on)
	askLanes()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	govern() // such a zone is not muted
}

func (t *zoneTable) setCalls(z *Zone, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	z.perCall = on
	if id, known := t.public[z]; known {
		t.markCalls(id, on)
	}
}

func (t *zoneTable) markCalls(id int32, on bool) {
	if t.calls == nil {
		t.calls = make(map[int32]bool)
	}
	if delete(t.calls, id); on {
		t.calls[id] = true
	}
	t.anyCalls.Store(len(t.calls) > 0)
}

// countsCalls reports whether the calls of a zone are counted.
func (t *zoneTable) countsCalls(zone int32) bool {
	if !t.anyCalls.Load() {
		return false
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.calls[zone]
}

// setCalls begins or stops counting a node's calls. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) setCalls(n *node, on bool) {
	switch was := n.flag&flagCalls != 0; {
	case on && !was && takeCallBytes(callsBytes):
		n.more().calls = &calls{base: n.acc, prev: n.acc, from: n.count}
		n.flag |= flagCalls
		l.counting++
	case !on && was:
		n.flag &^= flagCalls
		l.counting--
		n.more().calls.free()
		n.more().calls = nil
	}
}

// free gives the room back.
func (c *calls) free() {
	if c == nil {
		return
	}
	bytes := int64(callsBytes)
	for i := range c.octaves {
		if c.octaves[i].Load() != nil {
			bytes += octaveBytes
		}
	}
	callBytes.Add(-bytes)
}

// called counts a call that has just made acc what it is.
//
//go:norace
//go:noinline
func called(n *node, acc platform.Ticks) {
	c := n.extra.Load().calls
	if c == nil {
		return
	}
	if c.prev < 0 {
		c.base, c.prev = acc, acc
		return
	}
	i, step := bucketOf(acc - c.prev)
	o := c.octaves[i].Load()
	if o == nil {
		if !takeCallBytes(octaveBytes) {
			c.skip(acc)
			return
		}
		o = new(octave)
		c.octaves[i].Store(o)
	}
	storeTicks(&c.prev, acc)
	o[step]++
}

// skip leaves out what has made acc what it is.
//
//go:norace
func (c *calls) skip(acc platform.Ticks) {
	if c == nil {
		return
	}
	storeTicks(&c.base, c.base+acc-max(c.prev, c.base))
	storeTicks(&c.prev, acc)
}

// moveTo adds the calls of a hold that was kept to those of the node that they are credited to; n is nil if it was not.
//
//go:norace
func (c *calls) moveTo(n *node, took platform.Ticks) {
	if c == nil {
		return
	}
	var to *calls
	if n != nil {
		to = n.more().calls
	}
	if to != nil && to.prev >= 0 {
		storeTicks(&to.prev, to.prev+took)
	}
	for i := range c.octaves {
		if o := c.octaves[i].Load(); o != nil {
			to.take(i, o)
			*o = octave{}
		}
	}
	c.base, c.prev, c.from = 0, 0, 0
}

//go:norace
func (c *calls) take(i int, from *octave) {
	if c == nil || *from == (octave{}) {
		return
	}
	o := c.octaves[i].Load()
	if o == nil {
		if !takeCallBytes(octaveBytes) {
			return
		}
		o = new(octave)
		c.octaves[i].Store(o)
	}
	for step, count := range from {
		o[step] += count
	}
}
