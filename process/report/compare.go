package report

import (
	"math"
	"sort"
	"strconv"
)

// Delta is the difference of a row from the baseline. It compares self time in a report by self time, else hierarchical
// time.
type Delta struct {
	MS      float64 // ms per frame
	Percent float64 // of the baseline's time; +Inf if that is 0, and for a package's hierarchical time
	Known   bool    // the baseline has the row; if not, MS and Percent are 0
	New     bool    // the baseline does not have the row. Rows of parts of a zone are neither Known nor New
	Noise   bool    // the difference is at most Within
	Within  float64 // ms: how far means of these frames vary by the row's deviation from frame to frame
}

// Baseline describes the frame, or the mean of frames, that reports are compared with.
type Baseline struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Pinned      bool
	First, Last uint64 // FrameSummary.Index; equal for one frame and for a moving average
	Label       string // "vs frame 42", "vs average of 0.8 s to frame 42"
}

// Comparison compares reports with a baseline. The zero Comparison has no baseline. One goroutine may use it at a time.
type Comparison struct {
	Baseline
	frames float64 // number of frames in the baseline's mean
	zones  []baseTimes
	paths  []baseTimes
}

// baseTimes are the times of a zone or of a path in a baseline.
type baseTimes struct {
	id         int32
	self, hier float64 // ms
}

// Pin takes a baseline from a report by self time and the tree of the same frames. It reports whether the report has a
// frame.
func (b *Comparison) Pin(r *Report, tree []TreeNode) bool {
	if r.Frame.Frames == 0 {
		return false
	}
	b.zones, b.paths = b.zones[:0], b.paths[:0]
	for i := range r.Records {
		row := &r.Records[i]
		b.zones = append(b.zones, baseTimes{int32(row.Zone), row.Values[ColumnSelf], row.Values[ColumnHier]})
	}
	for i := range tree {
		b.paths = append(b.paths, baseTimes{tree[i].Path, tree[i].Self, tree[i].Hier})
	}
	sortByID(b.zones)
	sortByID(b.paths)
	b.describe(&r.Frame)
	return true
}

// describe sets the frames and the label of the baseline.
func (b *Comparison) describe(i *FrameInfo) {
	b.frames = framesIn(i)
	b.Pinned = true
	b.First = i.Index
	b.Last = i.Index
	switch l := i.Lens; {
	case l.Kind == LensRange:
		b.First, b.Last = min(l.From, l.To), max(l.From, l.To)
		b.Label = "vs frames " + strconv.FormatUint(b.First, 10) + " to " + strconv.FormatUint(b.Last, 10)
	case l.Kind != LensOff:
		b.Label = string(i.AppendLens([]byte("vs ")))
	case i.Averaged():
		b.Label = "vs average of " + averageSpans[i.Average] + " to frame " + strconv.FormatUint(i.Index, 10)
	default:
		b.Label = "vs frame " + strconv.FormatUint(i.Index, 10)
	}
}

// averageSpans are the times in which the moving averages have 90 % of their weight.
var averageSpans = [AverageInstant]string{AverageShort: "0.8 s", AverageLong: "2.5 s"}

// averageSeconds is the time with most of the weight of a moving average, in seconds.
var averageSeconds = [AverageInstant]float64{AverageShort: 0.35, AverageLong: 1.1}

// framesIn returns about how many frames a report's mean has. For a moving average it counts the frames with most of
// the weight.
func framesIn(i *FrameInfo) float64 {
	switch {
	case i.Lens.Kind != LensOff:
		return float64(max(i.LensFrames, 1))
	case i.Averaged() && i.Length > 0:
		return max(min(math.Floor(1000*averageSeconds[i.Average]/i.Length), float64(i.Frames)), 1)
	}
	return 1
}

// sortByID does not use the generic sort, whose code for one more type would be in each program.
func sortByID(list []baseTimes) {
	sort.Slice(list, func(i, k int) bool { return list[i].id < list[k].id })
}

// Compare fills in Record.Delta of each record. It can tell noise from a change if the records have ColumnDeviation.
func (b *Comparison) Compare(r *Report) {
	r.Baseline = b.Baseline
	// Means of many frames vary less than single frames.
	doubt := math.Sqrt((1/framesIn(&r.Frame) + 1/max(b.frames, 1)) / 2)
	for i := range r.Records {
		row := &r.Records[i]
		if row.Delta = (Delta{}); !partial(row, &r.View) {
			row.Delta = b.deltaOf(row, r.View.Mode == ReportSelfTime, doubt)
		}
	}
}

// partial reports whether a row covers only a part of its zone: a parent or child of a call graph, or one depth of
// recursion.
func partial(r *Record, v *View) bool {
	return r.Path < 0 && (!v.Mode.Flat() && r.Group != GroupFocus || v.Recursion == RecursionSpread && r.Depth > 0)
}

// leastChange is the largest difference that two decimals show as 0.00, in ms.
const leastChange = 0.005

// deltaOf compares a record with its path in the baseline, or with its zone if it sums several paths.
func (b *Comparison) deltaOf(r *Record, self bool, doubt float64) Delta {
	was, known := b.of(r)
	if !known {
		return Delta{New: true}
	}
	d := Delta{MS: r.Values[ColumnHier] - was.hier, Known: true}
	before := was.hier
	if self {
		d.MS, before = r.Values[ColumnSelf]-was.self, was.self
	}
	switch {
	case before > 0:
		d.Percent = 100 * d.MS / before
	case d.MS > 0:
		d.Percent = math.Inf(1)
	}
	noise := leastChange
	if r.Mask.Has(ColumnDeviation) {
		noise = max(noise, r.Values[ColumnDeviation]*doubt)
	}
	d.Noise, d.Within = math.Abs(d.MS) <= noise, noise
	return d
}

// MarkChanged sets an element of zones, by ID, for each record of a comparison that differs from the baseline by more
// than noise, and by a twentieth of the greatest difference or more. Zones without an element are left out. New rows
// count with all their time.
func (r *Report) MarkChanged(zones []bool) {
	by, most := ColumnHier, 0.0
	if r.View.Mode == ReportSelfTime {
		by = ColumnSelf
	}
	change := func(row *Record) float64 {
		switch {
		case row.Delta.New:
			return row.Values[by]
		case row.Delta.Known && !row.Delta.Noise:
			return math.Abs(row.Delta.MS)
		}
		return 0
	}
	for i := range r.Records {
		if !r.Records[i].Idle {
			most = max(most, change(&r.Records[i]))
		}
	}
	for i := range r.Records {
		row := &r.Records[i]
		if v := change(row); v > 0 && v >= most/20 && row.Zone >= 0 && int(row.Zone) < len(zones) {
			zones[row.Zone] = true
		}
	}
}

// of returns the baseline's times of a record's path or zone.
func (b *Comparison) of(r *Record) (baseTimes, bool) {
	list, id := b.zones, int32(r.Zone)
	if r.Path >= 0 {
		list, id = b.paths, r.Path
	}
	at := sort.Search(len(list), func(i int) bool { return list[i].id >= id })
	if at == len(list) || list[at].id != id {
		return baseTimes{}, false
	}
	return list[at], true
}
