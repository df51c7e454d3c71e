package history

import (
	"math"

	"example.com/iprof/process/report"
)

// Summary summarizes a sketch over a number of frames.
func (k *sketch) Summary(frames uint64) (m report.Summary) {
	m = SummaryOf(func(s Statistic) float64 { return k.of(s, frames) })
	if k.short {
		m.P50 = math.NaN()
		m.P90 = math.NaN()
		m.P99 = math.NaN()
		m.P999 = math.NaN()
	}
	return m
}

// SummaryOf returns a summary of the statistics that a function returns.
func SummaryOf(of func(Statistic) float64) report.Summary {
	return report.Summary{Min: of(StatMin), Mean: of(StatMean), Max: of(StatMax),
		Deviation: of(StatDeviation),
		P50:       of(StatP50), P90: of(StatP90), P99: of(StatP99), P999: of(StatP999)}
}

// sketch counts values by size, in buckets 1/64 of an octave wide. The middle of a bucket is within 0.8 % of its
// values. This is the idea of DDSketch (Masson, Rim, Lee, 2019), with the bits of the floating-point number in place of
// its logarithm. Values below a nanosecond count as 0, values above seventeen minutes as seventeen minutes. Least,
// greatest, mean and standard deviation are exact.
type sketch struct {
	Count    uint64 // number of values above 0; all other values are 0
	mean, m2 float64
	min, max float64
	low      int32        // number of pages[0]
	pages    []*countPage // nil for pages without values
	short    bool         // some counts are missing because there was no memory, so there are no quantiles
}

// countPage has the counts of consecutive buckets. A full bucket stays full. A value far from the others, such as that
// of a program's first frame, takes one page.
type countPage struct {
	counts [1 << pageBits]uint32
	next   *countPage // of those taken ahead
}

const (
	sketchBits  = 6                       // bits of the fraction: 64 buckets an octave
	sketchShift = 52 - sketchBits         // shift of the bits of a float64
	pageBits    = 4                       // bits of a bucket's place in its page
	pageBytes   = 4<<pageBits + 16        // with two pointers
	slabPages   = 48                      // pages that are made together
	leastSketch = 0x1p-20                 // ms
	mostSketch  = 0x1p20                  // ms
	sketchBytes = 16 << 20                // greatest memory of all pages in a session
	sketchError = 1.0 / (2 << sketchBits) // relative
)

// countMemory gives sketches their pages.
type countMemory struct {
	free       *countPage
	used, made int // numbers of pages
}

// bytes returns the memory of the pages in use.
func (m *countMemory) bytes() int { return m.used * pageBytes }

// page returns an empty page, or nil if there is no memory. Without a countMemory, there is always memory.
func (m *countMemory) page() *countPage {
	if m == nil {
		return new(countPage)
	}
	if m.bytes()+pageBytes > sketchBytes {
		return nil
	}
	if m.free == nil {
		m.slab()
	}
	p := m.free
	m.used++
	m.free, p.next = p.next, nil
	return p
}

// slab makes some pages, and writes them: see List.Stock.
func (m *countMemory) slab() {
	slab := make([]countPage, slabPages)
	for i := range slab {
		slab[i].next, m.free = m.free, &slab[i]
	}
	m.made += slabPages
}

// Stock takes memory ahead until n pages were made: see List.Stock.
func (m *countMemory) Stock(n int, ahead *int) {
	for m.made < min(n, sketchBytes/pageBytes) && *ahead > 0 {
		m.slab()
		*ahead -= slabPages * pageBytes
	}
}

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

// add counts a value above 0.
func (k *sketch) add(ms float64, memory *countMemory) {
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
	p := k.pageAt(bucket>>pageBits, memory)
	if p == nil {
		k.short = true
		return
	}
	if c := &p.counts[bucket%(1<<pageBits)]; *c < math.MaxUint32 {
		*c++
	}
}

// copyOf returns an independent copy. Without memory, the copy has no counts.
func (k *sketch) copyOf(memory *countMemory) sketch {
	c := *k
	c.pages = make([]*countPage, len(k.pages))
	for i, from := range k.pages {
		if from == nil {
			continue
		}
		p := memory.page()
		if p == nil {
			c.pages, c.short = nil, true
			break
		}
		p.counts, c.pages[i] = from.counts, p
	}
	return c
}

// merge counts the values of another sketch, too.
func (k *sketch) merge(o *sketch, memory *countMemory) {
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
	if k.short = k.short || o.short; k.short {
		return
	}
	for i, from := range o.pages {
		if from == nil {
			continue
		}
		to := k.pageAt(o.low+int32(i), memory)
		if to == nil {
			k.short = true
			return
		}
		for j, c := range from.counts {
			to.counts[j] = uint32(min(uint64(to.counts[j])+uint64(c), math.MaxUint32))
		}
	}
}

// pageAt returns the page with a number, which is new if there was none. It is nil if there is no memory.
func (k *sketch) pageAt(number int32, memory *countMemory) *countPage {
	at := uint32(number - k.low)
	if at < uint32(len(k.pages)) && k.pages[at] != nil {
		return k.pages[at]
	}
	p := memory.page()
	if p == nil {
		return nil
	}
	if at >= uint32(len(k.pages)) {
		k.reach(number)
	}
	k.pages[number-k.low] = p
	return p
}

// reach extends the list of pages to one with a number.
func (k *sketch) reach(number int32) {
	low, end := number, number+1
	if len(k.pages) > 0 {
		low, end = min(low, k.low), max(end, k.low+int32(len(k.pages)))
	}
	pages := make([]*countPage, end-low)
	if len(k.pages) > 0 {
		copy(pages[k.low-low:], k.pages)
	}
	k.low, k.pages = low, pages
}

// of returns a statistic over a number of frames. In frames without a counted value it is 0.
func (k *sketch) of(s Statistic, frames uint64) float64 {
	frames = max(frames, k.Count)
	nothing := frames - k.Count
	switch s {
	case StatMin:
		if nothing > 0 {
			return 0
		}
		return k.min
	case StatMax:
		return k.max
	case StatMean:
		return k.mean * share(k.Count, frames)
	case StatDeviation:
		if frames == 0 {
			return 0
		}
		return math.Sqrt((k.m2 + k.mean*k.mean*float64(nothing)*share(k.Count, frames)) / float64(frames))
	}
	return k.quantile(Ranks[s], nothing)
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
	for i, p := range k.pages {
		if p == nil {
			continue
		}
		for j, n := range p.counts {
			if rank <= uint64(n) {
				return min(max(sketchMiddle((k.low+int32(i))<<pageBits+int32(j)), k.min), k.max)
			}
			rank -= uint64(n)
		}
	}
	return k.max
}

// rankOf returns the rank, from 1, of the q quantile of n sorted values.
func rankOf(q float64, n uint64) uint64 {
	return min(max(uint64(math.Ceil(q*float64(n)-rankSlack)), 1), max(n, 1))
}

// rankSlack absorbs rounding: 0.99*300 is a little above 297, but must have rank 297.
const rankSlack = 1e-9
