//go:build !iprof_off

package gather

import (
	"slices"
	"sync/atomic"

	"example.com/iprof/platform"
)

// AppendCalls appends what is known of single calls, of every distinct stack of zones: all calls since SetPerCall of the
// zones it was called for, and of others, while SetEvents keeps events, the calls that these still show. It reuses the
// buckets of elements beyond dst's length. Any goroutine may call it, while others measure on; it takes the time that
// copying the histograms and reading the events takes.
func AppendCalls(dst []Calls) []Calls {
	registry.mu.Lock()
	lanes := slices.Clone(registry.lanes)
	registry.mu.Unlock()
	for _, l := range lanes {
		dst = l.appendCalls(dst)
	}
	return dst
}

func (l *Lane) appendCalls(dst []Calls) []Calls {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ask()
	if l.log == nil && l.counting == 0 {
		return dst
	}
	for i := range l.seen {
		n := l.node(uint32(i))
		if x := n.extra.Load(); x != nil && x.calls != nil && !l.inHold(n) {
			dst = l.grow(dst, uint32(i))
			x.calls.read(&dst[len(dst)-1], loadEntries(n))
		}
	}
	if l.log.keeps() {
		dst = l.callsFromEvents(dst)
	}
	return dst
}

// grow appends an empty element for node i.
func (l *Lane) grow(dst []Calls, i uint32) []Calls {
	dst = slices.Grow(dst, 1)
	dst = dst[:len(dst)+1]
	c := &dst[len(dst)-1]
	*c = Calls{Lane: l.id, Node: l.seen[i].id, Zone: l.seen[i].zone, Histogram: Histogram{Buckets: c.Buckets[:0]}}
	return dst
}

func loadEntries(n *node) uint64 { return atomic.LoadUint64(&n.count) }

// read copies the histogram.
func (c *calls) read(dst *Calls, entries uint64) {
	for i := range c.octaves {
		o := c.octaves[i].Load()
		if o == nil {
			continue
		}
		for step := range o {
			if count := atomic.LoadUint64(&o[step]); count > 0 {
				dst.Buckets = append(dst.Buckets, bucketAt(i, step, count))
				dst.Count += count
			}
		}
	}
	prev := platform.Ticks(atomic.LoadInt64((*int64)(&c.prev)))
	dst.Sum = max(prev, c.base) - c.base
	dst.Missing = missing(entries, c.from, dst.Count)
}

// missing returns how many of the entries since from were not counted. Counts are read one after the other, so there may seem
// to be fewer entries than calls.
func missing(entries, from, counted uint64) uint64 {
	if entries < from+counted {
		return 0
	}
	return entries - from - counted
}

// callsFromEvents pairs the events, but for nodes that are counted anyway and for what holds decide about.
func (l *Lane) callsFromEvents(dst []Calls) []Calls {
	var open []record
	first := len(dst)
	place := make(map[uint32]int)
	l.log.each(func() { open = open[:0] }, func(r record) {
		if r.what&1 == 0 {
			open = append(open, r)
			return
		}
		last := len(open) - 1
		if i := uint32(r.what >> 1); last >= 0 && open[last].what == r.what&^1 && int(i) < len(l.seen) && l.fromEvents(i) {
			if _, known := place[i]; !known {
				place[i] = len(dst)
				dst = l.grow(dst, i)
			}
			c, took := &dst[place[i]], r.t-open[last].t
			octave, step := bucketOf(took)
			c.Count, c.Sum, c.FromEvents = c.Count+1, c.Sum+took, true
			c.count(bucketAt(octave, step, 1))
		}
		open = open[:max(last, 0)]
	})
	for i, at := range place {
		from := uint64(0)
		if int(i) < len(l.log.counts) {
			from = l.log.counts[i]
		}
		dst[at].Missing = missing(loadEntries(l.node(i)), from, dst[at].Count)
	}
	slices.SortFunc(dst[first:], func(a, b Calls) int { return int(a.Node) - int(b.Node) })
	return dst
}

// fromEvents reports whether a node's calls are to be read from the events.
func (l *Lane) fromEvents(i uint32) bool {
	n := l.node(i)
	return n.flag&flagCalls == 0 && !l.inHold(n)
}

// inHold reports whether the node belongs to a hold.
func (l *Lane) inHold(n *node) bool {
	for ; n != nil; n = n.parent {
		if n.flag&flagHeld != 0 {
			return true
		}
	}
	return false
}
