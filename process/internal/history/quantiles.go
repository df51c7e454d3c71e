package history

import (
	"math"
	"slices"

	"example.com/iprof/process/internal/resize"
)

// sortedWindow holds the values of a series in the history, sorted, for exact quantiles. It is made on request and then
// updated frame by frame, because inserting a value costs less than sorting again.
type sortedWindow struct {
	Sorted  []float32
	values  []float32 // the same values by frame
	expired int       // number of values in front that are of frames before from
	made    bool
	from    uint64 // first frame
	to      uint64
}

// byFrame has a value of each frame.
type byFrame interface {
	At(seq uint64) float32
	AppendRange(dst []float32, from, to uint64) []float32
}

// Lengths has the lengths of the frames of the history in order.
type Lengths struct{ sortedWindow }

// P99 returns the 99th percentile of the lengths of the frames of a history.
func (l *Lengths) P99(h *Ring) float64 {
	l.Follow((*frameLengths)(h), h.First(), h.Next)
	return Exact(l.Sorted, StatP99)
}

// frameLengths gives the lengths of a history's frames.
type frameLengths Ring

func (h *frameLengths) At(seq uint64) float32 { return float32((*Ring)(h).At(seq).LengthMS) }

// AppendRange appends the lengths of the frames from..to-1.
func (h *frameLengths) AppendRange(dst []float32, from, to uint64) []float32 {
	for seq := from; seq < to; seq++ {
		dst = append(dst, h.At(seq))
	}
	return dst
}

// Made reports whether the window was ever filled.
func (w *sortedWindow) Made() bool { return w.made }

// A window that is more than fewFrames plus a share of its length behind is made anew.
const fewFrames = 32

// Follow updates the window to the frames from..to of a series.
func (w *sortedWindow) Follow(t byFrame, from, to uint64) {
	if !w.made || from < w.from || to < w.to || to-w.to > uint64(spare(len(w.values))) || w.to < from {
		w.Fill(t, from, to)
		return
	}
	old := w.expired
	w.expired, w.from = w.expired+int(from-w.from), from
	for ; w.to < to; w.to++ {
		v := t.At(w.to)
		if old < w.expired {
			w.replace(w.values[old], v)
			old++
		} else {
			at, _ := slices.BinarySearch(w.Sorted, v)
			w.Sorted = resize.Insert(w.Sorted, at, v)
		}
		w.values = append(w.values, v)
	}
	if old < w.expired {
		w.Fill(t, from, to)
		return
	}
	if w.expired >= spare(len(w.values))/2 { // seldom, as it moves all
		w.values, w.expired = w.values[:copy(w.values, w.values[w.expired:])], 0
	}
}

// spare is how many more values a window of a length has room for.
func spare(length int) int { return fewFrames + length/64 }

// Fill makes the window anew.
func (w *sortedWindow) Fill(t byFrame, from, to uint64) {
	w.values = t.AppendRange(slices.Grow(w.values[:0], int(to-from)+spare(int(to-from))), from, to)
	w.Sorted = append(slices.Grow(w.Sorted[:0], int(to-from)+spare(int(to-from))), w.values...)
	slices.Sort(w.Sorted)
	w.made = true
	w.expired = 0
	w.from = from
	w.to = to
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
func Exact(sorted []float32, s Statistic) float64 {
	if len(sorted) == 0 {
		return 0
	}
	switch s {
	case StatMin:
		return float64(sorted[0])
	case StatMax:
		return float64(sorted[len(sorted)-1])
	case StatMean:
		return meanOf(sorted)
	case StatDeviation:
		return deviationOf(sorted)
	}
	return float64(sorted[rankOf(Ranks[s], uint64(len(sorted)))-1])
}

// meanOf adds in four sums, so that no addition waits for the one before.
func meanOf(v []float32) float64 {
	n := float64(len(v))
	a := 0.0
	b := 0.0
	c := 0.0
	d := 0.0
	for ; len(v) >= 4; v = v[4:] {
		a += float64(v[0])
		b += float64(v[1])
		c += float64(v[2])
		d += float64(v[3])
	}
	for _, x := range v {
		a += float64(x)
	}
	return (a + b + c + d) / n
}

// deviationOf takes one look at each value. It adds distances from the median, which is at most a deviation from the
// mean, so that the difference of the sums is as exact as they are.
func deviationOf(sorted []float32) float64 {
	n, middle := float64(len(sorted)), float64(sorted[len(sorted)/2])
	var sum, squares, sum2, squares2 float64
	v := sorted
	for ; len(v) >= 2; v = v[2:] {
		x, y := float64(v[0])-middle, float64(v[1])-middle
		sum += x
		squares += x * x
		sum2 += y
		squares2 += y * y
	}
	for _, x := range v {
		d := float64(x) - middle
		sum, squares = sum+d, squares+d*d
	}
	sum += sum2
	return math.Sqrt(max((squares+squares2-sum*sum/n)/n, 0))
}
