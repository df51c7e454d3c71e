package rows

import (
	"fmt"
	"math"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Info describes the frame p of a view. p is nil if the frame does not exist.
func (b *Builder) Info(v *report.View, p *history.Frame) report.FrameInfo {
	b.store.Digest()
	i := report.FrameInfo{
		Age: v.Age, Budget: report.BudgetShown(b.store.Budget), Paused: b.store.Paused,
		Recording: b.store.Recording,
		Average:   v.Average, Kind: b.store.Kind,
		Frames: b.store.Past.Next, Memory: b.store.MemoryMode(), Live: v.Age == 0 && !b.store.Paused,
		Lane: b.store.LaneName(v.Lane),
		Gone: p == nil && b.store.Past.Next > 0 || p != nil && p.Lost, Tick: b.store.Clock.Tick(),
	}
	if b.describe(&i, v, p); p == nil {
		return i
	}
	w := p.Times
	if b.store.Smooth(v) {
		w = b.store.Live.Whole[v.Average]
	}
	if v.Lane != 0 {
		if w.BusyMS = busyOf(b, v, p); i.Lens.Sums() {
			w.BusyMS *= float64(i.LensFrames)
		}
		w.IdleMS = math.Max(0, w.LengthMS-w.BusyMS)
		if p.UpdatedBy(&b.store.Lanes) != v.Lane && !(b.Looker.Lane.Of == v.Lane && b.Looker.Lane.Led) {
			w.BlockMS = 0
		}
	}
	i.Index, i.Label = p.Index, p.Label
	w.Fill(&i)
	i.HasGPU, i.AwayKnown = p.Devices, p.AwayKnown
	b.setJoined(&i, v, p, w.JoinedMS)
	i.Over = !i.Lens.Sums() && b.store.Over(i.Judged())
	if w.LengthMS > 0 {
		if i.Kind.HasFrames() {
			i.FPS = 1000 / w.LengthMS
		}
		i.Overhead = min(1, (w.CostMS+b.heapCost(v, p))/w.LengthMS)
	}
	i.MaxHold, i.P99 = b.store.Hold.Longest(), b.store.Lengths.P99(&b.store.Past)
	return i
}

// appendTitle writes the first line of a report.
func (b *Builder) appendTitle(dst []byte, v *report.View, i *report.FrameInfo) []byte {
	// Without fmt, which would allocate for each number of each drawn frame.
	if i.Averaged() {
		dst = append(dst, "average "...) // ASCII, for terminals without Unicode
	}
	dst = strconv.AppendFloat(dst, i.Length, 'f', i.Decimals(3), 64)
	dst = i.AppendTitleParts(append(dst, " ms"...))
	if i.Kind.HasFrames() {
		dst = strconv.AppendFloat(append(dst, "  "...), i.FPS, 'f', 2, 64)
		dst = append(dst, " fps"...)
	}
	if i.Label != "" { // early, because narrow terminals cut the line
		dst = append(append(append(dst, "  \""...), i.Label...), '"')
	}
	dst = append(append(dst, "  "...), sortNames[min(int(v.Mode), len(sortNames)-1)]...)
	if v.Mode == report.ReportCallGraphDescendants && len(b.store.Zones) > 0 {
		dst = append(append(dst, " of "...), b.store.Zones[b.focus(v).zone].Name...)
	}
	dst = append(dst, "  "...)
	switch {
	case i.Frames == 0:
		dst = append(dst, "since the start"...)
	case i.Gone:
		dst = append(dst, "frame no longer in the history"...)
	case i.Lens.Kind != report.LensOff:
		dst = i.AppendLens(dst)
	case i.Kept:
		dst = strconv.AppendUint(append(append(append(dst, "kept "...), i.Kind.Frame()...), ' '), i.Index, 10)
	case i.Age == 0 && b.store.Behind() == 0:
		dst = append(append(append(dst, "newest "...), i.Kind.Frame()...),
			averageWords[min(v.Average, report.AverageInstant)]...)
	default:
		dst = append(printed.AppendCount(dst, uint64(i.Age)+b.store.Behind(), i.Kind.Frame()), " ago"...)
	}
	dst = append(append(dst, "  "...), i.Lane...)
	if i.Processors() > 0 {
		dst = append(strconv.AppendFloat(append(dst, "  "...), i.Processors(), 'f', 2, 64), " processors"...)
	}
	dst = i.AppendWaitsBetween(dst, "  ", ", ")
	if i.Paused {
		dst = append(dst, "  paused"...)
	}
	return dst
}

var sortNames = [report.NumReportModes]string{
	"sort self", "sort with callees", "call graph", "call graph, descendants", "tree", "slow frames",
}

// marksOf appends the marks of the frame or the range of frames that a report shows.
func (b *Builder) marksOf(dst []report.FrameMark, v *report.View, i *report.FrameInfo) []report.FrameMark {
	switch l := &v.Lens; {
	case len(b.store.Marks.List) == 0 || i.Gone || i.Frames == 0:
		return dst
	case l.Kind == report.LensRange:
		return b.store.Marks.Append(dst, min(l.From, l.To), max(l.From, l.To))
	case v.Through():
		return dst
	}
	return b.store.Marks.Append(dst, i.Index, i.Index)
}

// marksWarning is the warning about marks, and texts and values of scopes, that were dropped.
func (b *Builder) marksWarning(n uint64) string {
	if r := &b.rows; r.marksOf != n {
		r.marksOf = n
		r.marks = fmt.Sprintf("dropped %s or texts of scopes: a frame has at most %d", printed.Count(n, "mark"),
			measure.MaxMarks)
	}
	return b.rows.marks
}

// heapCost returns the time in ms that the viewed frame or average spent on reading the heap.
func (b *Builder) heapCost(v *report.View, p *history.Frame) float64 {
	if b.store.Smooth(v) && history.HeapCost < len(b.store.Numbers.List) && p.Memory >= gather.MemoryHeapPerFrame {
		return b.store.Numbers.List[history.HeapCost].Average[v.Average]
	}
	return float64(p.HeapCost)
}

// AppendValues appends the numbers of the frames that a view shows.
func (b *Builder) AppendValues(dst []report.FrameValue, v *report.View) []report.FrameValue {
	if w := b.store.WholeFor(v.LensInForce()); w != nil {
		return w.AppendValues(dst)
	}
	if v.LensInForce().Kind != report.LensOff {
		return b.store.Numbers.AppendMean(dst, b.Looker.Lens.Frames)
	}
	p := b.store.Shown(v)
	if p == nil {
		return dst
	}
	average := v.Average
	if !b.store.Smooth(v) {
		average = report.AverageInstant
	}
	return b.store.Numbers.Append(dst, p.Seq, average)
}

// countersWarning is the warning about too many names. Its text changes only with the number, so that a report does not
// allocate.
func (b *Builder) countersWarning(calls uint64) string {
	if t := &b.store.Numbers; t.Dropped != calls {
		t.Dropped = calls
		t.Warning = "beyond the limit of names: " + printed.Count(calls, "call") +
			" of Count and Value, which no value shows"
	}
	return b.store.Numbers.Warning
}
