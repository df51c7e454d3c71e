package export

import (
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// mostCallZones is the greatest number of zones with a histogram of their own. All other zones are summed in the zone
// "(other)".
const mostCallZones = 100

// callMetrics has the durations of single calls of the zones that count them: see [gather.Zone.SetPerCall].
type callMetrics struct {
	from  process.CallSource
	zones []gather.ZoneInfo
	list  []gather.Calls
	rows  []callRow // in the order of their first calls
	named map[zoneLabels]int
}

// slow counts the slow calls of a frame.
func (c *callMetrics) slow(f *gather.Frame) {
	for i := range f.SlowCalls {
		if zone := f.SlowCalls[i].Zone; zone >= 0 && int(zone) < len(f.Zones) {
			c.rows[c.row(zone)].slow++
		}
	}
}

// callRow is the histogram of a zone. A counter never decreases, even if a lane's counts are lost.
type callRow struct {
	zoneLabels
	now, out callCounts
	slow     uint64 // number of slow calls: see gather.Frame.SlowCalls
}

type callCounts struct {
	buckets [bucketCount + 1]uint64
	seconds float64
}

// read reads the source. ticks is the clock's rate.
func (c *callMetrics) read(ticks float64) {
	if c.from == nil || !(ticks > 0) {
		return
	}
	for i := range c.rows {
		c.rows[i].now = callCounts{}
	}
	c.list = c.from.AppendCalls(c.list[:0])
	for i := range c.list {
		k := &c.list[i]
		if int(k.Zone) >= len(c.zones) || k.Count == 0 {
			continue
		}
		to := &c.rows[c.row(k.Zone)].now
		to.seconds += float64(k.Sum) / ticks
		at := 0
		for _, b := range k.Buckets {
			for at < bucketCount && float64(b.Low)+float64(b.Width)/2 > bound(at)*ticks {
				at++
			}
			to.buckets[at] += b.Count
		}
	}
	for i := range c.rows {
		r := &c.rows[i]
		r.out.seconds = max(r.out.seconds, r.now.seconds)
		for k, n := range r.now.buckets {
			r.out.buckets[k] = max(r.out.buckets[k], n)
		}
	}
}

// row returns the row of a zone. It adds it at the first call.
func (c *callMetrics) row(zone gather.ZoneID) int {
	z := &c.zones[zone]
	labels := zoneLabels{valid(named(z.Name, int(zone))), valid(z.Owner()), z.Idle}
	at, known := c.named[labels]
	if !known && len(c.rows) >= mostCallZones {
		labels = zoneLabels{zone: "(other)"}
		at, known = c.named[labels]
	}
	if !known {
		if c.named == nil {
			c.named = map[zoneLabels]int{}
		}
		at = len(c.rows)
		c.named[labels] = at
		c.rows = append(c.rows, callRow{zoneLabels: labels})
	}
	return at
}

// callFamilies returns a histogram and the number of slow calls for each zone that counts its calls.
func (m *Metrics) callFamilies() []Family {
	slow := Family{Name: "iprof_slow_calls", Kind: "counter",
		Help: "Calls that took far longer than usual, of zones that count their calls."}
	f := Family{Name: "iprof_call_seconds", Kind: "histogram", Unit: "seconds",
		Help: "Duration of single calls of zones that count their calls, such as the routes of a server."}
	m.calls.read(m.rate)
	for i := range m.calls.rows {
		r := &m.calls.rows[i]
		labels := func(more ...string) []string {
			return append(r.list(), more...)
		}
		f.Samples = append(f.Samples, bucketSamples(r.out.buckets[:], labels)...)
		f.Samples = append(f.Samples, Sample{"_sum", labels(), r.out.seconds})
		slow.Samples = append(slow.Samples, Sample{Labels: labels(), Value: float64(r.slow)})
	}
	return []Family{f, slow}
}

// bucketSamples returns the samples of a histogram except for its sum: the cumulated counts of the buckets, and their
// total.
func bucketSamples(buckets []uint64, labels func(more ...string) []string) (list []Sample) {
	sum := uint64(0)
	for i, n := range buckets {
		le := "+Inf"
		if i < bucketCount {
			le = strconv.FormatFloat(bound(i), 'g', -1, 64)
		}
		sum += n
		list = append(list, Sample{"_bucket", labels("le", le), float64(sum)})
	}
	return append(list, Sample{"_count", labels(), float64(sum)})
}
