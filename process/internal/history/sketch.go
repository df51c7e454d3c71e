package history

import (
	"math"
	"slices"

	"example.com/iprof/process/report"
)

// Summary summarizes a sketch over a number of frames.
func (k *sketch) Summary(frames uint64) (m report.Summary) {
	m = SummaryOf(func(s report.Statistic) float64 { return k.of(s, frames) })
	if k.short {
		m.P50 = math.NaN()
		m.P90 = math.NaN()
		m.P99 = math.NaN()
		m.P999 = math.NaN()
	}
	return m
}

// SummaryOf returns a summary of the statistics that a function returns.
func SummaryOf(of func(report.Statistic) float64) report.Summary {
	return report.Summary{Min: of(report.StatMin), Mean: of(report.StatMean), Max: of(report.StatMax),
		Deviation: of(report.StatDeviation),
		P50:       of(report.StatP50), P90: of(report.StatP90), P99: of(report.StatP99), P999: of(report.StatP999)}
}

// sketch counts values by size, in buckets 1/64 of an octave wide. The middle of a bucket is within 0.8 % of its
// values. This is the idea of DDSketch (Masson, Rim, Lee, 2019), with the bits of the floating-point number in place of
// its logarithm. Values below a nanosecond count as 0, values above seventeen minutes as seventeen minutes. Least,
// greatest, mean and standard deviation are exact.
type sketch struct {
	Count    uint64 // number of values above 0; all other values are 0
	mean, m2 float64
	min, max float64
	low      int32    // bucket of counts[0]
	counts   []uint32 // a full bucket stays full
	short    bool     // some counts are missing because there was no memory, so there are no quantiles
}

const (
	sketchBits  = 6                       // bits of the fraction: 64 buckets an octave
	sketchShift = 52 - sketchBits         // shift of the bits of a float64
	sketchStep  = 16                      // buckets by which counts grows
	leastSketch = 0x1p-20                 // ms
	mostSketch  = 0x1p20                  // ms
	sketchBytes = 16 << 20                // greatest memory of all counts in a session
	sketchError = 1.0 / (2 << sketchBits) // relative
	countBytes  = 4
)

func sketchBucket(ms float64) int32 {
	if ms < leastSketch {
		ms = leastSketch
	} else if ms > mostSketch {
		ms = mostSketch
	}
	return int32(math.Float64bits(ms) >> sketchShift)
}

func sketchMiddle(bucket int32) float64 {
	return math.Float64frombits(uint64(bucket)<<sketchShift) * (1 + sketchError)
}

// add counts a value above 0. bytes is the memory of all counts, which stays below sketchBytes.
func (k *sketch) add(ms float64, bytes *int) {
	k.Count++
	d := ms - k.mean
	k.mean += d / float64(k.Count)
	k.m2 += d * (ms - k.mean)
	if ms > k.max {
		k.max = ms
	}
	if ms < k.min || k.Count == 1 {
		k.min = ms
	}
	bucket := sketchBucket(ms)
	at := uint32(bucket - k.low)
	if at >= uint32(len(k.counts)) {
		if !k.grow(bucket, bytes) {
			k.short = true
			return
		}
		at = uint32(bucket - k.low)
	}
	if c := &k.counts[at]; *c < math.MaxUint32 {
		*c++
	}
}

// grow makes room for a bucket. It reports whether there was memory.
func (k *sketch) grow(bucket int32, bytes *int) bool {
	low, end := bucket&^(sketchStep-1), bucket|(sketchStep-1)+1
	if len(k.counts) > 0 {
		low, end = min(low, k.low), max(end, k.low+int32(len(k.counts)))
	}
	more := (int(end-low) - len(k.counts)) * countBytes
	if *bytes+more > sketchBytes {
		return false
	}
	*bytes += more
	counts := make([]uint32, end-low)
	if len(k.counts) > 0 {
		copy(counts[k.low-low:], k.counts)
	}
	k.low, k.counts = low, counts
	return true
}

// copyOf returns an independent copy. Without memory, the copy has no counts.
func (k *sketch) copyOf(bytes *int) sketch {
	c := *k
	if size := len(k.counts) * countBytes; *bytes+size <= sketchBytes {
		*bytes += size
		c.counts = slices.Clone(k.counts)
	} else {
		c.counts, c.short = nil, true
	}
	return c
}

// merge counts the values of another sketch, too.
func (k *sketch) merge(o *sketch, bytes *int) {
	if o.Count == 0 {
		return
	}
	n, more, d := float64(k.Count), float64(o.Count), o.mean-k.mean
	k.mean += d * more / (n + more)
	k.m2 += o.m2 + d*d*n*more/(n+more)
	if k.min = min(k.min, o.min); k.Count == 0 {
		k.min = o.min
	}
	k.max, k.Count = max(k.max, o.max), k.Count+o.Count
	end := o.low + int32(len(o.counts)) - 1
	if k.short = k.short || o.short; k.short || len(o.counts) == 0 {
		return
	}
	if len(k.counts) == 0 || o.low < k.low || end >= k.low+int32(len(k.counts)) {
		if !k.grow(o.low, bytes) || !k.grow(end, bytes) {
			k.short = true
			return
		}
	}
	to := k.counts[o.low-k.low:]
	for i, c := range o.counts {
		to[i] = uint32(min(uint64(to[i])+uint64(c), math.MaxUint32))
	}
}

// of returns a statistic over a number of frames. In frames without a counted value it is 0.
func (k *sketch) of(s report.Statistic, frames uint64) float64 {
	frames = max(frames, k.Count)
	nothing := frames - k.Count
	switch s {
	case report.StatMin:
		if nothing > 0 {
			return 0
		}
		return k.min
	case report.StatMax:
		return k.max
	case report.StatMean:
		return k.mean * share(k.Count, frames)
	case report.StatDeviation:
		if frames == 0 {
			return 0
		}
		return math.Sqrt((k.m2 + k.mean*k.mean*float64(nothing)*share(k.Count, frames)) / float64(frames))
	}
	return k.quantile(report.Ranks[s], nothing)
}

func share(part, whole uint64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// quantile returns the nearest-rank quantile of the values and of nothing zeros.
func (k *sketch) quantile(q float64, nothing uint64) float64 {
	rank := rankOf(q, k.Count+nothing)
	if rank <= nothing {
		return 0
	}
	rank -= nothing
	for i, n := range k.counts {
		if rank <= uint64(n) {
			return min(max(sketchMiddle(k.low+int32(i)), k.min), k.max)
		}
		rank -= uint64(n)
	}
	return k.max
}

// rankOf returns the rank, from 1, of the q quantile of n sorted values.
func rankOf(q float64, n uint64) uint64 {
	return min(max(uint64(math.Ceil(q*float64(n)-rankSlack)), 1), max(n, 1))
}

// rankSlack absorbs rounding: 0.99*300 is a little above 297, but must have rank 297.
const rankSlack = 1e-9
