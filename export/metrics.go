package export

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostMetricZones is the greatest number of zones with series of their own. All other zones are summed in the zone
// "(other)".
const mostMetricZones = 100

// Metrics counts frames and zones for a monitoring system. It is a sink: it counts the frames from its AddSink on. Its
// memory and its number of series are bounded. The zero value is ready. Any goroutine may call its methods.
//
//	m := new(export.Metrics)
//	defer session.AddSink(m)()
//	err := m.WriteText(w) // or WriteOpenMetrics
type Metrics struct {
	mu                     sync.Mutex
	rate                   float64 // ticks per second
	frames                 uint64
	buckets                [bucketCount + 1]uint64 // of the frames' lengths
	worked                 [bucketCount + 1]uint64 // of the frames' busy time
	seconds, busy, waiting float64
	overhead               [3]float64 // s: reported, low, high
	over                   uint64
	away                   awaySum
	budget                 time.Duration
	driven                 bool // of the newest frame: see gather.Frame.EventDriven
	dropped                gather.Dropped
	misuse                 gather.Misuse
	rows                   []zoneSum
	shown                  int
	ids                    []zoneTicks // by zone id
	waits                  map[gather.ZoneID]float64
	named                  map[zoneLabels]int32
	calls                  callMetrics
}

// The upper bounds of the buckets of frame times: 2^(i/2) seconds for i from -24, so that each is a bound of a native
// histogram, too.
const (
	bucketCount = 33
	firstBucket = -24
)

func bound(i int) float64 { return math.Exp2(float64(firstBucket+i) / 2) }

// bucketOf returns the bucket of a time.
func bucketOf(seconds float64) int {
	at := 0
	for at < bucketCount && seconds > bound(at) {
		at++
	}
	return at
}

// zoneLabels are the labels of a series. Zones with equal labels are one series. For a public zone the label function
// is its package, so that it does not depend on the function that entered the zone first.
type zoneLabels struct {
	zone, function string
	idle           bool
}

// list returns names and values in turn.
func (z *zoneLabels) list() []string {
	return []string{"zone", z.zone, "function", z.function, "idle", strconv.FormatBool(z.idle)}
}

type zoneSum struct {
	zoneLabels
	ticks, calls         int64
	waited               float64 // ticks without a processor
	baseTicks, baseCalls int64   // written in "(other)", where it stays when the zone gets a series
	shown                bool
	outTicks, outCalls   int64 // written last, because a counter never decreases
	outWaited            int64 // of outTicks
}

// zoneTicks has the row of a zone and the ticks in the zone.
type zoneTicks struct {
	row   int32
	ticks int64
}

// WriteFrame counts a frame without a budget. Sessions call WriteJudged. It returns no error.
func (m *Metrics) WriteFrame(f *gather.Frame) error {
	return m.WriteJudged(f, &process.Judged{Time: seconds(f)})
}

func seconds(f *gather.Frame) time.Duration {
	if !(f.TicksPerSecond > 0) {
		return 0
	}
	return report.DurationOf(float64(f.End-f.Begin) / f.TicksPerSecond)
}

// WriteJudged counts a frame. It returns no error.
func (m *Metrics) WriteJudged(f *gather.Frame, j *process.Judged) error {
	length := seconds(f).Seconds()
	if !(length >= 0) || !(f.TicksPerSecond > 0) {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rate, m.calls.from = f.TicksPerSecond, j.Calls
	if j.Hot != nil {
		m.takeHot(j.Hot())
	}
	m.frames++
	m.buckets[bucketOf(length)]++
	m.worked[bucketOf(j.Time.Seconds())]++
	m.seconds += length
	m.busy += max(j.Time.Seconds(), 0)
	m.waiting += max(length-j.Time.Seconds(), 0)
	if len(m.ids) > 0 && m.driven != f.EventDriven {
		m.ids[0] = zoneTicks{row: m.series(f, 0)}
	}
	m.driven = f.EventDriven
	if m.budget = j.Budget; report.OverBudget(j.Time, j.Budget) {
		m.over++
	}
	m.away.add(f)
	m.dropped, m.misuse, m.calls.zones = f.Dropped, f.Misuse, f.Zones
	m.calls.slow(f)
	for i := range f.Lanes {
		m.lane(f, &f.Lanes[i])
	}
	return nil
}

// lane counts a lane's zones and the cost of measuring them.
func (m *Metrics) lane(f *gather.Frame, l *gather.LaneFrame) {
	for i := range l.Nodes {
		n := &l.Nodes[i]
		r := &m.rows[m.row(f, n.Zone)]
		r.ticks += int64(n.Self)
		m.ids[n.Zone].ticks += int64(n.Self)
		r.calls += int64(n.Count) + int64(l.Extra(i).More)<<32
	}
	ms, low, high := process.LaneCost(f, l)
	for i, took := range [...]float64{ms, low, max(ms, high)} {
		m.overhead[i] += max(took, 0) / 1000
	}
}

// row returns the row of a zone. It adds it at the first call.
func (m *Metrics) row(f *gather.Frame, zone gather.ZoneID) int32 {
	for i := len(m.ids); i <= int(zone); i++ {
		m.ids = append(m.ids, zoneTicks{row: m.series(f, i)})
	}
	return m.ids[zone].row
}

// TakeHot takes the shares of self time that zones have waited, from samples of the CPU profiler: see
// [report.HotZones]. WriteJudged takes those of its session.
func (m *Metrics) TakeHot(h *report.HotZones) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.takeHot(h)
}

func (m *Metrics) takeHot(h *report.HotZones) {
	if m.waits = nil; h != nil {
		m.waits = h.Waited
	}
}

// series returns the row of a zone's labels. It adds it at the first call.
func (m *Metrics) series(f *gather.Frame, zone int) int32 {
	labels := labelsOf(f, zone)
	at, known := m.named[labels]
	if !known {
		if m.named == nil {
			m.named = map[zoneLabels]int32{}
		}
		at = int32(len(m.rows))
		m.named[labels] = at
		m.rows = append(m.rows, zoneSum{zoneLabels: labels})
	}
	return at
}

// labelsOf returns the labels of a zone.
func labelsOf(f *gather.Frame, zone int) zoneLabels {
	z := &f.Zones[zone]
	return zoneLabels{valid(named(z.Name, zone)), valid(z.Owner()), z.Idle || zone == 0 && f.EventDriven}
}

// admit gives series to the zones with the most self time while there is room. A zone keeps its series.
func (m *Metrics) admit() {
	var more []int
	for i := range m.rows {
		if r := &m.rows[i]; !r.shown && (r.ticks > 0 || r.calls > 0) {
			more = append(more, i)
		}
	}
	slices.SortFunc(more, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.rows[b].ticks, m.rows[a].ticks), cmp.Compare(a, b))
	})
	for _, i := range more[:min(len(more), mostMetricZones-m.shown)] {
		r := &m.rows[i]
		r.shown = true
		m.shown++
	}
}

// zoneSeries returns the rows to write, in the order of their first frames, and the sum of the other rows.
func (m *Metrics) zoneSeries() []zoneSum {
	m.admit()
	m.sumWaits()
	other := zoneSum{zoneLabels: zoneLabels{zone: OtherZones}}
	var rows []zoneSum
	for i := range m.rows {
		r := &m.rows[i]
		if !r.shown {
			r.baseTicks, r.baseCalls = max(r.ticks, r.baseTicks), r.calls
		} else {
			r.write()
			rows = append(rows, *r)
		}
		other.outTicks, other.outCalls = other.outTicks+r.baseTicks, other.outCalls+r.baseCalls
	}
	if len(m.rows) > m.shown || other.outCalls > 0 || other.outTicks > 0 {
		rows = append(rows, other)
	}
	return rows
}

// write sets the written sums. The waited share may change. Neither the written waited time nor the written work ever
// decreases.
func (r *zoneSum) write() {
	worked := r.outTicks - r.outWaited
	r.outTicks, r.outCalls = max(r.ticks-r.baseTicks, r.outTicks), max(r.calls-r.baseCalls, r.outCalls)
	if r.ticks > 0 {
		waited := int64(r.waited / float64(r.ticks) * float64(r.outTicks))
		r.outWaited = min(max(waited, r.outWaited), r.outTicks-worked)
	}
}

// sumWaits sums the waited time of the zones of each row. An idle zone always waits.
func (m *Metrics) sumWaits() {
	for i := range m.rows {
		m.rows[i].waited = 0
	}
	for zone, share := range m.waits {
		if zone >= 0 && int(zone) < len(m.ids) && share > 0 {
			z := m.ids[zone]
			if r := &m.rows[z.row]; !r.idle {
				r.waited += min(share, 1) * float64(z.ticks)
			}
		}
	}
}

func (m *Metrics) ofTicks(t int64) float64 { return float64(platform.Ticks(t)) / max(m.rate, 1) }
