package gather

import (
	"math"
	"math/bits"
	"slices"

	"example.com/iprof/platform"
)

// Histogram says how often calls took how long. Its steps are 1/64 of an octave, so what is derived from a bucket's middle is
// within 0.8 % of the truth. The zero value is empty.
type Histogram struct {
	Count   uint64         // calls
	Sum     platform.Ticks // of their durations, exact
	Buckets []Bucket       // ascending, none empty
}

// Bucket counts the calls that took at least Low and less than Low+Width ticks.
type Bucket struct {
	Low, Width platform.Ticks
	Count      uint64
}

// MostCallBytes is the memory that the histograms of Zone.SetPerCall may take in the whole process. Calls beyond it are
// Missing.
const MostCallBytes = 8 << 20

const (
	octaveSteps = 64
	octaveCount = 58 // the first holds 0 to 63, the last up to the largest time
)

// bucketOf returns the place of a duration; below 0 counts as 0.
func bucketOf(d platform.Ticks) (octave, step int) {
	d = max(d, 0)
	if d < octaveSteps {
		return 0, int(d)
	}
	shift := bits.Len64(uint64(d)) - 7
	return shift + 1, int(d>>shift) - octaveSteps
}

// bucketAt is bucketOf the other way round.
func bucketAt(octave, step int, count uint64) Bucket {
	if octave == 0 {
		return Bucket{platform.Ticks(step), 1, count}
	}
	shift := octave - 1
	return Bucket{platform.Ticks(octaveSteps+step) << shift, 1 << shift, count}
}

func (b Bucket) middle() float64 { return float64(b.Low) + float64(b.Width-1)/2 }

// Merge adds what another histogram counts.
func (h *Histogram) Merge(other *Histogram) {
	h.Count += other.Count
	h.Sum += other.Sum
	for _, b := range other.Buckets {
		h.count(b)
	}
}

func (h *Histogram) count(b Bucket) {
	i, found := slices.BinarySearchFunc(h.Buckets, b.Low, func(b Bucket, low platform.Ticks) int { return int(max(min(b.Low-low, 1), -1)) })
	if found {
		h.Buckets[i].Count += b.Count
		return
	}
	h.Buckets = slices.Insert(h.Buckets, i, b)
}

// Mean returns the mean duration, 0 without calls.
func (h *Histogram) Mean() float64 {
	if h.Count == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.Count)
}

// Min returns the shortest duration, 0 without calls.
func (h *Histogram) Min() float64 { return h.Quantile(0) }

// Max returns the longest duration, 0 without calls.
func (h *Histogram) Max() float64 { return h.Quantile(1) }

// Quantile returns the duration that the part q of the calls does not exceed: 0.5 is the median. Below 0 is the shortest, above
// 1 the longest; it returns 0 without calls.
func (h *Histogram) Quantile(q float64) float64 {
	rank := max(math.Ceil(min(q, 1)*float64(h.Count)), 1)
	last := 0.0
	for _, b := range h.Buckets {
		last = b.middle()
		if rank -= float64(b.Count); rank <= 0 {
			break
		}
	}
	return last
}

// Deviation returns the standard deviation of the durations, 0 without calls.
func (h *Histogram) Deviation() float64 {
	var count, sum, squares float64
	for _, b := range h.Buckets {
		count, sum = count+float64(b.Count), sum+float64(b.Count)*b.middle()
	}
	if count == 0 {
		return 0
	}
	for _, b := range h.Buckets {
		off := b.middle() - sum/count
		squares += float64(b.Count) * off * off
	}
	return math.Sqrt(squares / count)
}

// Calls is what is known of the single calls of one distinct stack of zones.
type Calls struct {
	Lane       uint64 // LaneFrame.ID
	Node       uint32 // Node.ID
	Zone       int32  // index into Frame.Zones
	FromEvents bool   // from those events that were still kept, as opposed to every call
	Missing    uint64 // calls begun since counting began that are not in the histogram: overwritten, open, beyond the limit of memory
	Histogram
}
