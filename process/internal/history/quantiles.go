package history

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// sortedWindow holds the values of a series in the history, sorted, for exact quantiles. It is made on request and then
// updated frame by frame, because inserting a value costs less than sorting again.
type sortedWindow[T cmp.Ordered] struct {
	Sorted []T
	values []T // the same values by frame
	made   bool
	from   uint64 // first frame
	to     uint64
}

// byFrame has a value of each frame.
type byFrame[T any] interface {
	At(seq uint64) T
	AppendRange(dst []T, from, to uint64) []T
}

// Lengths has the lengths of the frames of the history in order.
type Lengths struct{ sortedWindow[float64] }

// P99 returns the 99th percentile of the lengths of the frames of a history.
func (l *Lengths) P99(h *Ring) float64 {
	l.Follow((*frameLengths)(h), h.First(), h.Next)
	return Quantile(l.Sorted, 0.99)
}

// frameLengths gives the lengths of a history's frames.
type frameLengths Ring

func (h *frameLengths) At(seq uint64) float64 { return (*Ring)(h).At(seq).LengthMS }

// AppendRange appends the lengths of the frames from..to-1.
func (h *frameLengths) AppendRange(dst []float64, from, to uint64) []float64 {
	for seq := from; seq < to; seq++ {
		dst = append(dst, h.At(seq))
	}
	return dst
}

// Made reports whether the window was ever filled.
func (w *sortedWindow[T]) Made() bool { return w.made }

// A window that is more than fewFrames plus a share of its length behind is made anew.
const fewFrames = 32

// Follow updates the window to the frames from..to of a series.
func (w *sortedWindow[T]) Follow(t byFrame[T], from, to uint64) {
	if !w.made || from < w.from || to < w.to || to-w.to > fewFrames+uint64(len(w.values))/64 || w.to < from {
		w.Fill(t, from, to)
		return
	}
	gone := int(from - w.from)
	for ; w.to < to; w.to++ {
		v := t.At(w.to)
		if gone > 0 {
			w.replace(w.values[from-w.from-uint64(gone)], v)
			gone--
		} else {
			at, _ := slices.BinarySearch(w.Sorted, v)
			w.Sorted = resize.Insert(w.Sorted, at, v)
		}
		w.values = append(w.values, v)
	}
	if gone > 0 {
		w.Fill(t, from, to)
		return
	}
	w.values = w.values[:copy(w.values, w.values[from-w.from:])]
	w.from = from
}

// Fill makes the window anew.
func (w *sortedWindow[T]) Fill(t byFrame[T], from, to uint64) {
	w.values = t.AppendRange(slices.Grow(w.values[:0], int(to-from)+fewFrames+int(to-from)/64), from, to)
	w.Sorted = append(slices.Grow(w.Sorted[:0], int(to-from)+fewFrames+int(to-from)/64), w.values...)
	slices.Sort(w.Sorted)
	w.made, w.from, w.to = true, from, to
}

// replace replaces an old value.
func (w *sortedWindow[T]) replace(old, v T) {
	from, found := slices.BinarySearch(w.Sorted, old)
	if !found {
		return
	}
	to, _ := slices.BinarySearch(w.Sorted, v)
	if to > from {
		to--
		copy(w.Sorted[from:to], w.Sorted[from+1:to+1])
	} else {
		copy(w.Sorted[to+1:from+1], w.Sorted[to:from])
	}
	w.Sorted[to] = v
}

// Exact returns an exact statistic of sorted values. Quantiles are by nearest rank.
func Exact(sorted []float32, s report.Statistic) float64 {
	if len(sorted) == 0 {
		return 0
	}
	switch s {
	case report.StatMin:
		return float64(sorted[0])
	case report.StatMax:
		return float64(sorted[len(sorted)-1])
	case report.StatMean:
		return meanOf(sorted)
	case report.StatDeviation:
		mean, squares := meanOf(sorted), 0.0
		for _, v := range sorted {
			d := float64(v) - mean
			squares += d * d
		}
		return math.Sqrt(squares / float64(len(sorted)))
	}
	return float64(sorted[rankOf(report.Ranks[s], uint64(len(sorted)))-1])
}

func meanOf(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x)
	}
	return sum / float64(len(v))
}
