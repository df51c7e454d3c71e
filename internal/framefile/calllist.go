package framefile

import (
	"maps"
	"slices"
	"sort"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// callStore has the histograms of single calls that a reader has read so far. It is a process.CallSource.
type callStore struct {
	mu      sync.Mutex
	of      map[stack]*readCalls
	zones   int // number of zones defined so far
	buckets int // in all
}

// readCalls is a histogram. If it is old, it was written before the last key.
type readCalls struct {
	gather.Calls
	old bool
}

// AppendCalls appends the histograms of the zones defined so far, in the order of their stacks. Old files may have a
// histogram before its zone. Any goroutine may call it.
func (s *callStore) AppendCalls(dst []gather.Calls) []gather.Calls {
	s.mu.Lock()
	defer s.mu.Unlock()
	stacks := slices.Collect(maps.Keys(s.of))
	sort.Slice(stacks, func(i, k int) bool { return stacks[i].compare(stacks[k]) < 0 })
	for _, k := range stacks {
		if int(k.zone) >= s.zones {
			continue
		}
		dst = slices.Grow(dst, 1)[:len(dst)+1]
		c := &dst[len(dst)-1]
		buckets := c.Buckets[:0]
		*c = s.of[k].Calls
		c.Buckets = append(buckets, c.Buckets...)
	}
	return dst
}

// key forgets the histograms that were not written since the previous key. The chunks after this key bring the others
// again, one by one.
func (s *callStore) key() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, c := range s.of {
		if c.old {
			s.remove(k)
		}
		c.old = true
	}
}

// know sets the number of zones defined so far. A nil store has no histograms.
func (s *callStore) know(zones int) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.zones = zones
}

func (s *callStore) remove(k stack) {
	if c := s.of[k]; c != nil {
		s.buckets -= len(c.Buckets)
		delete(s.of, k)
	}
}

// setCalls reads a chunk of histograms.
func (t *tables) setCalls(d *decoder) {
	if t.calls == nil {
		t.calls = &callStore{of: make(map[stack]*readCalls)}
	}
	s := t.calls
	s.mu.Lock()
	defer s.mu.Unlock()
	s.zones = len(t.zones)
	for len(d.rest) > 0 && d.err == nil {
		lane, node, zone := d.uvarint(), d.uvarint(), d.uvarint()
		if node > mostID || zone >= max(uint64(len(t.zones)), mostLostZones) {
			d.fail()
		}
		if d.err == nil {
			s.take(d, stack{gather.LaneID(lane), gather.NodeID(node), gather.ZoneID(zone)})
		}
	}
}

// take reads a histogram. It skips histograms beyond the limits.
func (s *callStore) take(d *decoder, k stack) {
	flags, missing, sum := d.uvarint(), d.uvarint(), d.varint()
	c := s.of[k]
	if flags&callsAnew != 0 {
		s.remove(k)
		c = nil
	}
	if some := len(d.rest) > 0 && d.rest[0] > 0; c == nil && (some || missing > 0) && len(s.of) < mostCallStacks {
		c = &readCalls{Calls: gather.Calls{Lane: k.lane, Node: k.node, Zone: k.zone}}
		s.of[k] = c
	}
	index := -1
	for step := d.uvarint(); step > 0; step = d.uvarint() {
		index += int(min(step, histogram.NumBuckets+1))
		count := d.uvarint()
		if index >= histogram.NumBuckets || d.err != nil {
			d.fail()
			return
		}
		if c != nil && s.buckets < mostBuckets {
			before := len(c.Buckets)
			c.Merge(&histogram.Histogram{Count: count, Buckets: []histogram.Bucket{histogram.BucketAt(index, count)}})
			s.buckets += len(c.Buckets) - before
		}
	}
	if c != nil {
		c.Missing, c.old = missing, false
		c.Sum += platform.Ticks(sum)
	}
}

// Calls returns the source of the durations of single calls up to the last frame read, nil if the capture has none so
// far. Later calls of Next change its contents. Any goroutine may use it.
func (c *Reader) Calls() process.CallSource {
	if c.tables.calls == nil {
		return nil
	}
	return c.tables.calls
}
