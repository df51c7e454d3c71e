package history

import (
	"math"
	"slices"

	"example.com/iprof/process/report"
)

// sortedWindow holds the values of a trace in the history, sorted, for exact quantiles. It is made on request and then
// updated frame by frame: to insert a value costs less than to sort again.
type sortedWindow struct {
	Sorted []float32
	Ring   []float32 // the same values, slot = seq % len
	from   uint64    // first frame
	to     uint64
}

// A window that is more than fewFrames behind is made anew.
const fewFrames = 32

// Follow updates the window to the frames from..to of a trace.
func (w *sortedWindow) Follow(t *Series, from, to uint64) {
	if len(w.Ring) != len(t.Values) || from < w.from || to < w.to || to-w.to > fewFrames || w.to < from {
		w.Fill(t, from, to)
		return
	}
	size := uint64(len(t.Values))
	for seq := w.to; seq < to; seq++ {
		v := t.Values[seq%size]
		if seq >= w.from+size {
			w.replace(w.Ring[seq%size], v)
			w.from++
		} else {
			at, _ := slices.BinarySearch(w.Sorted, v)
			w.Sorted = slices.Insert(w.Sorted, at, v)
		}
		w.Ring[seq%size] = v
	}
	w.to = to
	if w.from < from {
		w.Fill(t, from, to)
	}
}

// Fill makes the window anew.
func (w *sortedWindow) Fill(t *Series, from, to uint64) {
	size := uint64(len(t.Values))
	w.Ring = append(w.Ring[:0], t.Values...)
	w.Sorted = slices.Grow(w.Sorted[:0], int(size))
	for seq := from; seq < to; seq++ {
		w.Sorted = append(w.Sorted, t.Values[seq%size])
	}
	slices.Sort(w.Sorted)
	w.from, w.to = from, to
}

// replace replaces an old value.
func (w *sortedWindow) replace(old, v float32) {
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
