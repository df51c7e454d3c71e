// Package histogram counts durations by their length.
//
//	var h histogram.Histogram
//	h.Add(took)
//	fmt.Println(h.Count, h.Mean(), h.Quantile(0.99)) // in ticks of the clock that took is from
//
// A bucket's width is 1/64 of an octave. So 64 buckets, of 8 bytes each, cover any duration and its double, and a value
// computed from a bucket's middle is within 0.8 % of the truth.
package histogram

import (
	"math"
	"math/bits"
	"sort"

	"example.com/iprof/platform"
)

// Histogram has durations by their length. The zero value is empty. It is not safe for concurrent use.
type Histogram struct {
	Count   uint64         // durations
	Sum     platform.Ticks // the exact sum of their durations
	Buckets []Bucket       // ascending, none empty
}

// Bucket counts the durations of at least Low and less than Low+Width ticks.
type Bucket struct {
	Low, Width platform.Ticks
	Count      uint64
}

const (
	octaveSteps = 64
	octaveCount = 58 // the first is 0 to 63 ticks; the last ends at the largest time
)

// bucketOf returns the bucket of a duration. A negative one counts as 0.
func bucketOf(d platform.Ticks) (octave, step int) {
	d = max(d, 0)
	if d < octaveSteps {
		return 0, int(d)
	}
	shift := bits.Len64(uint64(d)) - 7
	return shift + 1, int(d>>shift) - octaveSteps
}

// bucketAt is the inverse of bucketOf.
func bucketAt(octave, step int, count uint64) Bucket {
	if octave == 0 {
		return Bucket{platform.Ticks(step), 1, count}
	}
	shift := octave - 1
	return Bucket{platform.Ticks(octaveSteps+step) << shift, 1 << shift, count}
}

// NumBuckets is how many buckets there are.
const NumBuckets = octaveCount * octaveSteps

// Index returns the number of a bucket in the order of durations, from 0 to NumBuckets-1.
func (b Bucket) Index() int {
	octave, step := bucketOf(b.Low)
	return octave*octaveSteps + step
}

// BucketAt returns the bucket of an index with a count. An index out of range counts as the nearest in it.
func BucketAt(index int, count uint64) Bucket {
	index = min(max(index, 0), NumBuckets-1)
	return bucketAt(index/octaveSteps, index%octaveSteps, count)
}

func (b Bucket) middle() float64 { return float64(b.Low) + float64(b.Width-1)/2 }

// Add adds a duration. A negative one is counted as 0.
func (h *Histogram) Add(took platform.Ticks) {
	h.Count, h.Sum = h.Count+1, h.Sum+took
	octave, step := bucketOf(took)
	h.add(bucketAt(octave, step, 1))
}

// Merge adds another histogram.
func (h *Histogram) Merge(other *Histogram) {
	h.Count, h.Sum = h.Count+other.Count, h.Sum+other.Sum
	for _, b := range other.Buckets {
		h.add(b)
	}
}

func (h *Histogram) add(b Bucket) {
	if n := len(h.Buckets); n == 0 || h.Buckets[n-1].Low < b.Low {
		h.Buckets = append(h.Buckets, b)
		return
	}
	i := sort.Search(len(h.Buckets), func(i int) bool { return h.Buckets[i].Low >= b.Low })
	if h.Buckets[i].Low == b.Low {
		h.Buckets[i].Count += b.Count
		return
	}
	h.Buckets = append(h.Buckets, b) // not slices.Insert, which is 4 kB of code
	copy(h.Buckets[i+1:], h.Buckets[i:])
	h.Buckets[i] = b
}

// Mean returns the mean duration in ticks, 0 without any.
func (h *Histogram) Mean() float64 {
	if h.Count == 0 {
		return 0
	}
	return float64(h.Sum) / float64(h.Count)
}

// Min returns the shortest duration in ticks, 0 without any.
func (h *Histogram) Min() float64 { return h.Quantile(0) }

// Max returns the longest duration in ticks, 0 without any.
func (h *Histogram) Max() float64 { return h.Quantile(1) }

// Quantile returns the duration, in ticks, that the share q of them does not exceed. Quantile(0.5) is the median.
// A q below 0 counts as 0, and one above 1 as 1. Without any it returns 0.
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

// Deviation returns the standard deviation of the durations in ticks, 0 without any.
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
