package history

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The first series of a session are the heap's.
const (
	heapAllocated = iota
	heapObjects
	heapLive
	heapCycles
	heapPause
	HeapCost
	heapNumbers
)

// heapInfo names the heap's series.
var heapInfo = [heapNumbers]struct {
	name  string
	unit  report.Unit
	level bool
}{
	heapAllocated: {"heap allocated", report.UnitBytes, false},
	heapObjects:   {"heap objects", report.UnitNone, false},
	heapLive:      {"live heap", report.UnitBytes, true},
	heapCycles:    {"garbage collections", report.UnitNone, false},
	heapPause:     {"collector pauses", report.UnitMilliseconds, false},
	HeapCost:      {"reading the heap", report.UnitMilliseconds, false},
}

// ValidValues reports whether the values of a frame are finite and belong to its counters.
func ValidValues(f *gather.Frame) bool {
	for _, v := range f.Values {
		if v.Counter < 0 || int(v.Counter) >= len(f.Counters) || v.Value-v.Value != 0 {
			return false
		}
	}
	return len(f.Counters) <= mostCounters
}

// mostCounters bounds the counters of a frame, because WriteFrame takes frames from anywhere.
const mostCounters = 1 << 16

// Numbers holds the values of the frames of the history.
type Numbers struct {
	infos []gather.CounterInfo
	List  []numberSeries // first the heap's, then by counter
	Next  uint64         // sequence number of the frame to come

	Dropped uint64 // number of calls in the text of the warning
	Warning string
}

// Begin makes room for the series of a frame.
func (t *Numbers) Begin(f *gather.Frame) {
	if len(f.Counters) >= len(t.infos) { // a frame from before the newest counters has fewer
		t.infos = f.Counters
	}
	for len(t.List) < heapNumbers+len(t.infos) {
		at := len(t.List)
		level := at < heapNumbers && heapInfo[at].level || at >= heapNumbers && t.infos[at-heapNumbers].Level
		t.List = append(t.List, numberSeries{level: level})
	}
}

// Take adds a finished frame of the history. first is the oldest frame.
func (t *Numbers) Take(f *gather.Frame, seq, first uint64, seconds float64) {
	t.Begin(f)
	t.Next = seq + 1
	weights := newWeights(seconds)
	t.Each(f, func(at int, v float64, known bool) { t.List[at].put(seq, first, v, known, &weights) })
}

// Total adds a frame that is not in the history.
func (t *Numbers) Total(f *gather.Frame) {
	t.Begin(f)
	t.Each(f, func(at int, v float64, known bool) { t.List[at].tally(v, known) })
}

// Each calls do for every series with its value in a frame, if it is known. A count without a call is 0.
func (t *Numbers) Each(f *gather.Frame, do func(at int, v float64, known bool)) {
	m := &f.Memory
	heap := m.Mode >= gather.MemoryHeapPerFrame
	for at, v := range [heapNumbers]float64{
		float64(m.AllocBytes), float64(m.AllocObjects), float64(m.HeapLive),
		float64(m.Cycles), m.Pause.Seconds() * 1000, costOf(f),
	} {
		do(at, v, heap)
	}
	next := 0
	for id := range t.infos {
		v, known := 0.0, !t.infos[id].Level
		if next < len(f.Values) && int(f.Values[next].Counter) == id {
			v, known = f.Values[next].Value, true
			next++
		}
		do(heapNumbers+id, v, known)
	}
}

// costOf returns the time in ms that the frame spent on reading the heap.
func costOf(f *gather.Frame) float64 {
	return float64(f.Memory.Cost) * 1000 / RateOf(f)
}

// Counted reports whether a series is of a count that is not 0 since Reset.
func (t *Numbers) Counted(at int) bool {
	return at >= heapNumbers && !t.List[at].level && t.List[at].Sum != 0
}

// Info describes a series.
func (t *Numbers) Info(at int) report.FrameValue {
	if at < heapNumbers {
		return report.FrameValue{Name: heapInfo[at].name, Kind: report.ValueHeap, Unit: heapInfo[at].unit}
	}
	info := &t.infos[at-heapNumbers]
	v := report.FrameValue{Name: info.Name, Kind: report.ValueCount}
	if info.Level {
		v.Kind = report.ValueLevel
	}
	return v
}

// AppendMean appends the means over a list of frames.
func (t *Numbers) AppendMean(dst []report.FrameValue, frames []uint64) []report.FrameValue {
	for at := range t.List {
		series := &t.List[at]
		sum, n := 0.0, 0
		for _, seq := range frames {
			if v, known := series.At(seq, t.Next); known {
				sum, n = sum+v, n+1
			}
		}
		if n == 0 {
			continue
		}
		v := t.Info(at)
		v.Value = sum / float64(n)
		v.Mean, v.Max, v.Total = series.Mean(), series.Max(), series.Sum
		dst = append(dst, v)
	}
	return dst
}

// Append appends the values of a frame, or their averages if average is not AverageInstant.
func (t *Numbers) Append(dst []report.FrameValue, seq uint64, average report.Average) []report.FrameValue {
	for at := range t.List {
		series := &t.List[at]
		value, known := series.At(seq, t.Next)
		if !known {
			continue
		}
		v := t.Info(at)
		v.Value = value
		if average < report.AverageInstant && !series.level {
			v.Value = series.Average[average]
		}
		v.Mean, v.Max, v.Total = series.Mean(), series.Max(), series.Sum
		dst = append(dst, v)
	}
	return dst
}

// AddTotal adds the value of the unfinished frame to the total of its series. It makes the series if necessary.
func (t *Numbers) AddTotal(all []report.ValueSeries, at int, v float64) []report.ValueSeries {
	info := t.Info(at)
	for i := range all {
		if all[i].Name != info.Name || all[i].Kind != info.Kind {
			continue
		}
		if all[i].Total += v; t.List[at].level {
			all[i].Total = v
		}
		return all
	}
	if info.Total = v; v != 0 && info.Kind != report.ValueHeap {
		all = append(all, report.ValueSeries{FrameValue: info})
	}
	return all
}

// numberSeries is one number in each frame of the history, with running statistics and averages. It is not a Series. A
// Series has times, and there are thousands of these: rounded to a float32, never negative, and 0 at no cost in frames
// without a time. A number is exact, because bytes of a heap are. It may be negative, and in a frame without a value it
// is not known.
type numberSeries struct {
	level    bool      // keeps its value from frame to frame: no averages, and Sum is the latest value
	blocks   []*number // oldest first; empty before the first value
	base     uint64    // number of the first block
	first    uint64    // frames before it are forgotten
	Last     uint64    // newest frame with a value
	Known    int       // number of values held
	total    float64   // sum of these values
	greatest float64
	mostAt   uint64  // the newest frame with the value most
	Sum      float64 // since start or Reset

	Average [Averages]float64
	weight  [Averages]float64
}

// Level reports whether the number keeps its value from frame to frame.
func (t *numberSeries) Level() bool { return t.level }

// number is a block of the values of consecutive frames. They are NaN in frames without a value.
type number [blockLength]float64

// put stores a frame's value, and forgets values before the frame first. Frames come in order.
func (t *numberSeries) put(seq, first uint64, v float64, known bool, keep *weights) {
	if t.tally(v, known); !known && len(t.blocks) == 0 {
		return
	}
	if len(t.blocks) == 0 {
		t.base, t.first = seq/blockLength, seq
	}
	spare := t.trim(first)
	for t.base+uint64(len(t.blocks)) <= seq/blockLength {
		t.blocks, spare = append(t.blocks, emptied(spare)), nil
	}
	if !known {
		return
	}
	t.blocks[seq/blockLength-t.base][seq%blockLength] = v
	t.Last = seq
	t.Known++
	t.total += v
	if t.Known == 1 || v >= t.greatest {
		t.greatest, t.mostAt = v, seq
	}
	for k := range keep {
		t.weight[k] = t.weight[k]*keep[k] + 1 - keep[k]
		if t.weight[k] > 0 {
			t.Average[k] += (1 - keep[k]) / t.weight[k] * (v - t.Average[k])
		}
	}
}

// emptied returns a block without values, in the memory of an unused block.
func emptied(spare *number) *number {
	if spare == nil {
		spare = new(number)
	}
	for i := range spare {
		spare[i] = math.NaN()
	}
	return spare
}

// trim forgets the frames before first. It returns a freed block, or nil.
func (t *numberSeries) trim(first uint64) (spare *number) {
	for ; t.first < first; t.first++ {
		if at := t.first/blockLength - t.base; at < uint64(len(t.blocks)) {
			if v := t.blocks[at][t.first%blockLength]; v == v {
				t.Known--
				t.total -= v
			}
		}
		if t.first%blockLength == blockLength-1 && len(t.blocks) > 0 {
			spare = t.blocks[0]
			t.blocks = t.blocks[:copy(t.blocks, t.blocks[1:])]
			t.base++
		}
	}
	if t.Known == 0 {
		t.total, t.greatest = 0, 0
	}
	return spare
}

// Forget forgets the values of the frames before first.
func (t *Numbers) Forget(first uint64) {
	for i := range t.List {
		t.List[i].trim(first)
	}
}

// Max returns the greatest value held. It searches again only after the frame with the last maximum was forgotten.
func (t *numberSeries) Max() float64 {
	if t.Known == 0 || t.mostAt >= t.first {
		return t.greatest
	}
	t.greatest = math.Inf(-1)
	for seq := t.first; seq <= t.Last; seq++ {
		if v := t.blocks[seq/blockLength-t.base][seq%blockLength]; v >= t.greatest {
			t.greatest, t.mostAt = v, seq
		}
	}
	return t.greatest
}

// Bytes returns the memory of the values.
func (t *Numbers) Bytes() (n int) {
	for i := range t.List {
		n += len(t.List[i].blocks) * blockLength * 8
	}
	return n
}

// tally adds a value to the sum since Reset.
func (t *numberSeries) tally(v float64, known bool) {
	switch {
	case !known:
	case t.level:
		t.Sum = v
	default:
		t.Sum += v
	}
}

// At returns the value of a frame.
func (t *numberSeries) At(seq, next uint64) (v float64, known bool) {
	if at := seq/blockLength - t.base; seq >= t.first && seq < next && at < uint64(len(t.blocks)) {
		v = t.blocks[at][seq%blockLength]
		return v, v == v
	}
	return 0, false
}

// Short is At for graphs: NaN without a value.
func (t *numberSeries) Short(seq, next uint64) float32 {
	if v, known := t.At(seq, next); known {
		return float32(v)
	}
	return float32(math.NaN())
}

// Mean returns the mean of the values held, 0 without values.
func (t *numberSeries) Mean() float64 {
	if t.Known == 0 {
		return 0
	}
	return t.total / float64(t.Known)
}
