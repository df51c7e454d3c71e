package export

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// ZoneScale is the scale of the histograms of zones: 8 buckets for each power of 2, so that the bounds of a bucket
// differ by 9 %. It is the schema of a native histogram of Prometheus, and the scale of an exponential one of OTLP.
const ZoneScale = 3

// OtherZones is the name of the histogram that sums the zones without one.
const OtherZones = "(other)"

// ZoneTimes counts the self time of zones in each frame, for systems with histograms of exponential buckets: the native
// ones of Prometheus, and those of OTLP. It is a sink: it counts the frames from its AddSink on. Modules
// export/prometheus and export/otel give its histograms to their libraries. Any goroutine may call its methods.
type ZoneTimes struct {
	mu    sync.Mutex
	most  int
	shown int
	names map[zoneLabels]int
	rows  []zoneTimes // the first has the zones without a histogram
	ids   []int       // rows, by zone id
	frame []frameTime // by row
}

// zoneTimes is a row: the zones with the same labels.
type zoneTimes struct {
	ZoneHistogram
	seconds float64 // since the start
	shown   bool
}

// frameTime is a row in the frame that is being counted.
type frameTime struct {
	ticks  int64
	active bool
}

// ZoneHistogram has the self times of a zone in the frames in which it was active, in seconds.
type ZoneHistogram struct {
	Labels []string // zone, function and idle, each followed by its value; of OtherZones only zone
	Count  uint64   // of frames
	Sum    float64
	Zero   uint64 // frames without any time

	// Buckets has the numbers of frames by the number of their bucket. Bucket i has the times above 2^((i-1)/8) and up
	// to 2^(i/8) seconds. OTLP numbers it i-1.
	Buckets map[int]uint64
}

// NewZoneTimes returns a sink with a histogram for at most zones zones: those with the most self time when Histograms
// is called. A zone keeps its histogram. Below 0 is 0.
func NewZoneTimes(zones int) *ZoneTimes {
	return &ZoneTimes{most: max(zones, 0), names: map[zoneLabels]int{}, frame: make([]frameTime, 1),
		rows: []zoneTimes{{shown: true, ZoneHistogram: ZoneHistogram{Labels: []string{"zone", OtherZones}}}}}
}

// Histograms returns the histograms so far. The first has the sum of all zones that had no histogram in a frame. Until
// the first call all zones are in it. left is the number of zones without one. The result is the caller's.
func (z *ZoneTimes) Histograms() (list []ZoneHistogram, left int) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.admit()
	for i := range z.rows {
		if r := &z.rows[i]; r.shown {
			h := r.ZoneHistogram
			h.Buckets = make(map[int]uint64, len(r.Buckets))
			for at, n := range r.Buckets {
				h.Buckets[at] = n
			}
			list = append(list, h)
		}
	}
	return list, len(z.rows) - len(list)
}

// admit gives histograms to the zones with the most time while there is room.
func (z *ZoneTimes) admit() {
	var more []int
	for i := range z.rows {
		if r := &z.rows[i]; !r.shown && r.seconds > 0 {
			more = append(more, i)
		}
	}
	slices.SortFunc(more, func(a, b int) int {
		return cmp.Or(cmp.Compare(z.rows[b].seconds, z.rows[a].seconds), cmp.Compare(a, b))
	})
	for _, i := range more[:min(len(more), z.most-z.shown)] {
		z.rows[i].shown = true
		z.shown++
	}
}

// WriteJudged is WriteFrame. Sessions call it.
func (z *ZoneTimes) WriteJudged(f *gather.Frame, _ *process.Judged) error { return z.WriteFrame(f) }

// WriteFrame counts a frame. It returns no error.
func (z *ZoneTimes) WriteFrame(f *gather.Frame) error {
	if !(f.TicksPerSecond > 0) {
		return nil
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	for i := range f.Lanes {
		for k := range f.Lanes[i].Nodes {
			n := &f.Lanes[i].Nodes[k]
			t := &z.frame[z.row(f, n.Zone)]
			t.ticks += int64(n.Self)
			t.active = true
		}
	}
	for i := range z.frame {
		t, r := &z.frame[i], &z.rows[i]
		if t.active && !r.shown {
			z.frame[0].ticks += t.ticks
			z.frame[0].active = true
			r.seconds += float64(t.ticks) / f.TicksPerSecond
		}
	}
	for i := range z.frame {
		if t := &z.frame[i]; t.active && z.rows[i].shown {
			z.rows[i].count(float64(t.ticks) / f.TicksPerSecond)
		}
		z.frame[i] = frameTime{}
	}
	return nil
}

// row returns the row of a zone. It adds it at the first call.
func (z *ZoneTimes) row(f *gather.Frame, zone gather.ZoneID) int {
	for i := len(z.ids); i <= int(zone); i++ {
		labels := labelsOf(f, i)
		at, known := z.names[labels]
		if !known {
			at = len(z.rows)
			z.names[labels] = at
			z.rows = append(z.rows, zoneTimes{ZoneHistogram: ZoneHistogram{Labels: labels.list()}})
			z.frame = append(z.frame, frameTime{})
		}
		z.ids = append(z.ids, at)
	}
	return z.ids[zone]
}

// count adds a time. One below 0, which a frame may have by a few ticks, is 0.
func (h *ZoneHistogram) count(seconds float64) {
	h.Count++
	if !(seconds > 0) {
		h.Zero++
		return
	}
	h.Sum += seconds
	if h.Buckets == nil {
		h.Buckets = map[int]uint64{}
	}
	h.Buckets[exponentOf(seconds)]++
}

// exponentOf returns the bucket of a time above 0.
func exponentOf(seconds float64) int {
	part, exponent := math.Frexp(seconds) // 0.5 <= part < 1
	at := exponent << ZoneScale
	for i := 1<<ZoneScale - 1; i >= 0 && part <= math.Exp2(float64(i-1<<ZoneScale)/(1<<ZoneScale)); i-- {
		at--
	}
	return at
}
