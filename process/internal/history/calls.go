package history

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/process/report"
)

// Merged sorts buckets, joins buckets with equal bounds, and returns the number of buckets left. A stable sort is half
// the code of another one, which counts for the viewer in browsers.
func Merged(b []report.CallBucket) (n int) {
	slices.SortStableFunc(b, func(a, b report.CallBucket) int { return cmp.Compare(a.Low, b.Low) })
	for i := range b {
		if n > 0 && b[n-1].Low == b[i].Low {
			b[n-1].Count += b[i].Count
			continue
		}
		b[n] = b[i]
		n++
	}
	return n
}

// Calls has the durations of single calls by zone and by path, from package gather or another source. They are read for
// a report that shows them, at most once a frame, and less often if they come from events.
type Calls struct {
	list        []gather.Calls
	Zones       map[report.ZoneID]*callCounts
	Paths       map[int32]*callCounts
	lane        report.LaneID // 0: all lanes
	Asked       bool
	frame       uint64                        // Ring.Next at the last reading
	clock       float64                       // Ring.Clock at the last reading
	slow        bool                          // some come from events or a source
	resetCounts map[callKey]gather.Calls      // counts at the last Reset
	resetByZone map[report.ZoneID]*callCounts // the same by zone: counts move to another lane when theirs ends
}

// eventSeconds is the least time between two slow readings while frames come in.
const eventSeconds = 0.25

// callKey is a distinct stack of a lane.
type callKey struct {
	lane report.LaneID
	node gather.NodeID
	zone report.ZoneID
}

func keyOf(k *gather.Calls) callKey { return callKey{k.Lane, k.Node, k.Zone} }

// callCounts are the calls of one zone or path.
type callCounts struct {
	histogram.Histogram
	Missing uint64
	events  bool // some come from events; for a capture the number of missing calls is not known
}

// callReader reads all known durations of single calls, for Calls.
type callReader interface {
	// ReadAll appends the durations. slow asks for less than one reading a frame.
	ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool)
	// MoreCalls reports whether another reading brings calls of older frames.
	MoreCalls() bool
	// PathOfNode returns the path of a node, -1 for an unknown node.
	PathOfNode(node gather.NodeID, zone report.ZoneID) int32
}

// Fill sets the call columns of a record. ms is the length of a tick.
func (c *callCounts) Fill(out *report.Record, want report.ColumnSet, fed bool, ms float64) {
	if want.Has(report.ColumnCallsCounted) {
		out.Put(report.ColumnCallsCounted, float64(c.Count))
	}
	if want.Has(report.ColumnCallsMissing) && !(c.events && fed) {
		out.Put(report.ColumnCallsMissing, float64(c.Missing))
	}
	if c.Count > 0 {
		SingleCalls.Fill(out, want, func(k Statistic) float64 { return c.Of(k) * ms })
	}
}

// Counted reports whether the zone counts each call, so that no call comes from events.
func (c *callCounts) Counted() bool { return !c.events && c.Count > 0 }

// Bars returns the bars of CallRow.
func (c *callCounts) Bars() []uint64 {
	buckets := make([]report.CallBucket, len(c.Buckets))
	for i, b := range c.Buckets {
		buckets[i] = report.CallBucket{Low: float64(b.Low), High: float64(b.Low + b.Width), Count: b.Count}
	}
	var s report.CallSpread
	s.Take(buckets)
	bars := make([]uint64, report.CallBars)
	for i, n := range s.Bars {
		bars[i*report.CallBars/report.SpreadBars] += n
	}
	return bars
}

// Of returns a statistic of the calls, in ticks. Quantiles have the precision of the histogram.
func (c *callCounts) Of(k Statistic) float64 {
	switch k {
	case StatMin:
		return c.Min()
	case StatMax:
		return c.Max()
	case StatMean:
		return c.Mean()
	case StatDeviation:
		return c.Deviation()
	}
	return c.Quantile(Ranks[k])
}

// Read gets the counts from a reader, unless the present counts are recent enough.
func (c *Calls) Read(from callReader, past *Ring, lane report.LaneID) {
	soon := c.frame == past.Next && past.Next > 0 ||
		c.slow && past.Next > c.frame && past.Clock-c.clock < eventSeconds
	if c.Asked && c.lane == lane && soon && !from.MoreCalls() {
		return
	}
	c.Asked = true
	c.lane = lane
	c.frame = past.Next
	c.clock = past.Clock
	if c.Zones == nil {
		c.Zones, c.Paths = make(map[report.ZoneID]*callCounts), make(map[int32]*callCounts)
	}
	empty(c.Zones)
	empty(c.Paths)
	c.list, c.slow = from.ReadAll(c.list[:0])
	for i := range c.list {
		if k := &c.list[i]; lane == 0 || k.Lane == lane {
			c.slow = c.slow || k.FromEvents
			if lane == 0 && !k.FromEvents {
				merge(c.Zones, k.Zone, k)
				c.since(k)
			} else {
				c.since(k)
				merge(c.Zones, k.Zone, k)
			}
			if path := from.PathOfNode(k.Node, k.Zone); path >= 0 {
				merge(c.Paths, path, k)
			}
		}
	}
	if lane == 0 {
		c.sinceReset()
	}
	drop(c.Zones)
	drop(c.Paths)
}

// sinceReset subtracts the counts of all lanes at the last Reset.
func (c *Calls) sinceReset() {
	for zone, old := range c.resetByZone {
		switch of := c.Zones[zone]; {
		case of == nil:
		case old.Count > of.Count: // counting has restarted
			delete(c.resetByZone, zone)
		default:
			of.Missing -= min(old.Missing, of.Missing)
			less(&of.Histogram, &old.Histogram)
		}
	}
}

// empty sets all counts to 0 and keeps their memory.
func empty[ID comparable](of map[ID]*callCounts) {
	for _, c := range of {
		*c = callCounts{Histogram: histogram.Histogram{Buckets: c.Buckets[:0]}}
	}
}

// drop removes zones or paths without calls.
func drop[ID comparable](of map[ID]*callCounts) {
	for i, c := range of {
		if c.Count+c.Missing == 0 {
			delete(of, i)
		}
	}
}

func merge[ID comparable](of map[ID]*callCounts, at ID, k *gather.Calls) {
	c := of[at]
	if c == nil {
		c = new(callCounts)
		of[at] = c
	}
	c.Merge(&k.Histogram)
	c.Missing += k.Missing
	c.events = c.events || k.FromEvents
}

// Restart leaves out all calls counted so far. Package gather continues to count, because others may read its counts.
func (c *Calls) Restart(sofar []gather.Calls) {
	*c = Calls{}
	for _, k := range sofar {
		if !k.FromEvents {
			if c.resetCounts == nil {
				c.resetCounts, c.resetByZone = make(map[callKey]gather.Calls), make(map[report.ZoneID]*callCounts)
			}
			c.resetCounts[keyOf(&k)] = k
			merge(c.resetByZone, k.Zone, &k)
		}
	}
}

// since subtracts the counts at the last Reset.
func (c *Calls) since(k *gather.Calls) {
	old, known := c.resetCounts[keyOf(k)]
	if !known || k.FromEvents {
		return
	}
	if old.Count > k.Count { // counting has restarted
		delete(c.resetCounts, keyOf(k))
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
