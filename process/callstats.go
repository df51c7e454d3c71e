package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/gather/histogram"
	"example.com/iprof/process/report"
)

// callStats are the durations of single calls by zone and by path, as package gather or a source has them. They are
// read for a report that shows them, at most once a frame, and less often where they come from events.
type callStats struct {
	list   []gather.Calls
	zones  map[ZoneID]*oneCalls
	paths  map[int32]*oneCalls
	lane   LaneID // 0: all lanes
	asked  bool
	frame  uint64                   // history.next when they were read
	clock  float64                  // history.clock when they were read
	slow   bool                     // some are from events or a source
	before map[callKey]gather.Calls // counts at the last Reset
	whole  map[ZoneID]*oneCalls     // the same by zone: counts outlive their lane, on another one
}

// eventSeconds is the least time between two slow readings while frames go on.
const eventSeconds = 0.25

// callKey is a distinct stack of a lane.
type callKey struct {
	lane LaneID
	node gather.NodeID
	zone ZoneID
}

func keyOf(k *gather.Calls) callKey { return callKey{k.Lane, k.Node, k.Zone} }

// oneCalls are the calls of one zone or path.
type oneCalls struct {
	histogram.Histogram
	missing uint64
	events  bool // some are from events; of a capture's it is not known how many are missing
}

// callReader reads all that is known of single calls, for callStats.
type callReader interface {
	// ReadAll appends them. slow reports whether to read them less often than once a frame.
	ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool)
	// PathOfNode returns the path of a node, -1 if it is not known.
	PathOfNode(node gather.NodeID, zone ZoneID) int32
}

// fillCalls sets the call columns of a record.
func (s *Session) fillCalls(out *Record, r *row, lane LaneID, want ColumnSet) {
	s.calls.read((*callsOf)(s), &s.past, lane)
	of := s.calls.zones[r.zone]
	if s.ownPath(r) {
		of = s.calls.paths[r.path]
	}
	if of != nil && (s.past.next == 0 || s.past.age(0) != nil) {
		of.fill(out, want, s.fed, s.msPerTick())
	}
}

// callsOf is a session as the reader of its calls.
type callsOf Session

func (s *callsOf) ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool) {
	return (*Session)(s).readCalls(dst), s.fed
}

func (s *callsOf) PathOfNode(node gather.NodeID, zone ZoneID) int32 {
	return s.totals.pathOfNode(node, zone)
}

// fill sets the call columns of a record. ms is the length of a tick.
func (c *oneCalls) fill(out *Record, want ColumnSet, fed bool, ms float64) {
	if want.Has(ColumnCallsCounted) {
		out.Put(ColumnCallsCounted, float64(c.Count))
	}
	if want.Has(ColumnCallsMissing) && !(c.events && fed) {
		out.Put(ColumnCallsMissing, float64(c.missing))
	}
	if c.Count > 0 {
		report.SingleCalls.Fill(out, want, func(k report.Statistic) float64 { return c.of(k) * ms })
	}
}

func (c *oneCalls) of(k report.Statistic) float64 {
	switch k {
	case report.StatMin:
		return c.Min()
	case report.StatMax:
		return c.Max()
	case report.StatMean:
		return c.Mean()
	case report.StatDeviation:
		return c.Deviation()
	}
	return c.Quantile(report.Ranks[k])
}

// msPerTick is the rate of the clock in the newest frame.
func (s *Session) msPerTick() float64 {
	switch p := s.past.age(0); {
	case p != nil:
		return p.perTick
	case s.first.perTick > 0:
		return s.first.perTick
	}
	return 1e-6
}

// read gets the counts from a reader, unless those it has are recent enough.
func (c *callStats) read(from callReader, past *history, lane LaneID) {
	soon := c.frame == past.next && past.next > 0 ||
		c.slow && past.next > c.frame && past.clock-c.clock < eventSeconds
	if c.asked && c.lane == lane && soon {
		return
	}
	c.asked, c.lane, c.frame, c.clock = true, lane, past.next, past.clock
	if c.zones == nil {
		c.zones, c.paths = make(map[ZoneID]*oneCalls), make(map[int32]*oneCalls)
	}
	empty(c.zones)
	empty(c.paths)
	c.list, c.slow = from.ReadAll(c.list[:0])
	for i := range c.list {
		if k := &c.list[i]; lane == 0 || k.Lane == lane {
			c.slow = c.slow || k.FromEvents
			if lane == 0 && !k.FromEvents {
				merge(c.zones, k.Zone, k)
				c.since(k)
			} else {
				c.since(k)
				merge(c.zones, k.Zone, k)
			}
			if path := from.PathOfNode(k.Node, k.Zone); path >= 0 {
				merge(c.paths, path, k)
			}
		}
	}
	if lane == 0 {
		c.sinceReset()
	}
	drop(c.zones)
	drop(c.paths)
}

// sinceReset subtracts the counts of all lanes at the last Reset.
func (c *callStats) sinceReset() {
	for zone, old := range c.whole {
		switch of := c.zones[zone]; {
		case of == nil:
		case old.Count > of.Count: // counting has started anew
			delete(c.whole, zone)
		default:
			of.missing -= min(old.missing, of.missing)
			less(&of.Histogram, &old.Histogram)
		}
	}
}

// empty sets all counts to 0 and keeps their memory.
func empty[ID comparable](of map[ID]*oneCalls) {
	for _, c := range of {
		*c = oneCalls{Histogram: histogram.Histogram{Buckets: c.Buckets[:0]}}
	}
}

// drop removes zones or paths without calls.
func drop[ID comparable](of map[ID]*oneCalls) {
	for i, c := range of {
		if c.Count+c.missing == 0 {
			delete(of, i)
		}
	}
}

func merge[ID comparable](of map[ID]*oneCalls, at ID, k *gather.Calls) {
	c := of[at]
	if c == nil {
		c = new(oneCalls)
		of[at] = c
	}
	c.Merge(&k.Histogram)
	c.missing += k.Missing
	c.events = c.events || k.FromEvents
}

// restart leaves out all that is counted so far. Package gather goes on counting: others may read its counts.
func (c *callStats) restart(sofar []gather.Calls) {
	*c = callStats{}
	for _, k := range sofar {
		if !k.FromEvents {
			if c.before == nil {
				c.before, c.whole = make(map[callKey]gather.Calls), make(map[ZoneID]*oneCalls)
			}
			c.before[keyOf(&k)] = k
			merge(c.whole, k.Zone, &k)
		}
	}
}

// since subtracts the counts at the last Reset.
func (c *callStats) since(k *gather.Calls) {
	old, known := c.before[keyOf(k)]
	if !known || k.FromEvents {
		return
	}
	if old.Count > k.Count { // counting has started anew
		delete(c.before, keyOf(k))
		return
	}
	k.Missing -= min(old.Missing, k.Missing)
	less(&k.Histogram, &old.Histogram)
}

// less subtracts an older state of a histogram.
func less(h, old *histogram.Histogram) {
	h.Count, h.Sum = h.Count-old.Count, h.Sum-old.Sum
	kept, gone := h.Buckets[:0], old.Buckets
	for _, b := range h.Buckets {
		for len(gone) > 0 && gone[0].Low < b.Low {
			gone = gone[1:]
		}
		if len(gone) > 0 && gone[0].Low == b.Low {
			b.Count -= min(gone[0].Count, b.Count)
		}
		if b.Count > 0 {
			kept = append(kept, b)
		}
	}
	h.Buckets = kept
}
