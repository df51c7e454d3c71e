package history

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// MeanOf returns the mean of a series over the frames since birth with known times.
func (h *Ring) MeanOf(t *Series, birth uint64) float64 {
	from := min(max(birth, h.First()), h.Next)
	frames := h.Next - from
	for seq := from; seq < h.Next && t.Gap != nil && t.Gap.n > 0; seq++ {
		if !t.Known(seq) {
			frames--
		}
	}
	if frames == 0 {
		return 0
	}
	return t.Sum(h.First()) / float64(frames)
}

// Value returns the value of a series in a frame, NaN if not known.
func (h *Ring) Value(t *Series, birth, seq uint64) float32 {
	if seq < birth || seq < h.Known && h.At(seq).Unknown || !t.Known(seq) {
		return float32(math.NaN())
	}
	return t.At(seq)
}

// Since returns the sequence number of the oldest of the frames newest frames.
func (h *Ring) Since(frames int) uint64 {
	return max(h.First(), h.Next-min(h.Next, uint64(max(frames, 0))))
}

// Append appends the newest values of a series. They are NaN before its birth and in unknown frames.
func (h *Ring) Append(dst []float32, t *Series, birth uint64, frames int) []float32 {
	return h.AppendSpan(dst, t, birth, h.Since(frames), h.Next)
}

// AppendSpan is Append for the frames from..to-1.
func (h *Ring) AppendSpan(dst []float32, t *Series, birth, from, to uint64) []float32 {
	start := len(dst)
	dst = t.AppendRange(dst, from, to)
	for seq := from; seq < min(max(birth, h.Known), to); seq++ {
		if seq < birth || h.At(seq).Unknown {
			dst[start+int(seq-from)] = float32(math.NaN())
		}
	}
	for seq := from; seq < to && t.Gap != nil && t.Gap.n > 0; seq++ {
		if !t.Known(seq) {
			dst[start+int(seq-from)] = float32(math.NaN())
		}
	}
	return dst
}

// MaxSeries bounds the zones of a Snapshot's Series.
const MaxSeries = 64

// Ranked is a zone with its rank.
type Ranked struct {
	Zone report.ZoneID
	Rank float64
}

// Compare puts the greatest rank first.
func (a Ranked) Compare(b Ranked) int {
	return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Zone, b.Zone))
}

// TopZones are the zones with the greatest ranks, in order.
type TopZones struct {
	Zones [MaxSeries]Ranked
	N     int
}

// Has reports whether a zone is among them.
func (t *TopZones) Has(zone report.ZoneID) bool {
	for i := range t.N {
		if t.Zones[i].Zone == zone {
			return true
		}
	}
	return false
}

// Put adds a zone if it is among the first most.
func (t *TopZones) Put(most int, r Ranked) {
	if t.N >= most && (most <= 0 || t.Zones[most-1].Compare(r) <= 0) {
		return
	}
	t.N = min(t.N+1, most)
	at := t.N - 1
	for ; at > 0 && t.Zones[at-1].Compare(r) > 0; at-- {
		t.Zones[at] = t.Zones[at-1]
	}
	t.Zones[at] = r
}

// Series is one value per frame, in ms, with the sum and the maximum. Frames without a value have 0 and cost nothing.
type Series struct {
	newest   *chunk // the newest chunk, or nil. Put writes only these fields, in one or two lines of the cache
	end      uint64 // of now
	sum      float64
	at       uint64 // the newest frame with the value most
	greatest float32

	Gap   *Gaps // frames without a value; nil: no such frames
	from  *Chunks
	live  []*chunk // oldest first
	phase uint64   // of the borders of chunks
	first uint64   // the first frame that is not forgotten
}

// Sum returns the sum of the values in the frames from first on. It forgets earlier values.
func (t *Series) Sum(first uint64) float64 {
	t.trim(first)
	return t.sum
}

// Max returns the greatest value in the frames from first on, and at least 0. It forgets earlier values. It searches
// again only after the frame with the last maximum was forgotten.
func (t *Series) Max(first uint64) float32 {
	if t.trim(first); t.at >= t.first || t.greatest == 0 {
		return t.greatest
	}
	t.greatest, t.at = 0, 0
	for i := len(t.live) - 1; i >= 0; i-- {
		c := t.live[i]
		if c == t.newest || c.at < t.first {
			c.seek()
		}
		if c.greatest > t.greatest {
			t.greatest, t.at = c.greatest, c.at
		}
	}
	return t.greatest
}

// seek finds the greatest value again.
func (c *chunk) seek() {
	c.greatest, c.at = 0, 0
	for i, v := range c.values {
		if v > 0 && v >= c.greatest {
			c.greatest, c.at = v, c.end+uint64(i)-chunkFrames
		}
	}
}

// Put stores a frame's value. Frames come in order.
func (t *Series) Put(seq uint64, v float32) {
	if v == 0 {
		return
	}
	if t.end <= seq {
		t.extend(seq)
	}
	t.newest.values[seq+chunkFrames-t.end] = v
	t.sum += float64(v)
	if v >= t.greatest {
		t.greatest, t.at = v, seq
	}
}

// extend takes the chunk of a frame. The greatest value of the last chunk is final.
func (t *Series) extend(seq uint64) {
	if t.newest != nil {
		t.newest.seek()
	}
	t.end = (seq+t.phase)/chunkFrames*chunkFrames + chunkFrames - t.phase
	t.newest = t.from.take(t, t.end)
	t.live = append(t.live, t.newest)
}

// trim forgets the frames before first.
func (t *Series) trim(first uint64) {
	if first <= t.first {
		return
	}
	old := t.first
	t.first = first
	gone := 0
	for _, c := range t.live {
		from, to := max(old, c.begin()), min(first, c.end)
		for seq := from; seq < to; seq++ {
			v := &c.values[c.place(seq)]
			t.sum -= float64(*v)
			*v = 0
		}
		if c.end > first {
			break
		}
		gone++
	}
	if t.live = t.live[:copy(t.live, t.live[gone:])]; len(t.live) == 0 {
		t.newest = nil
		t.end = 0
		t.sum = 0
		t.greatest = 0
		t.at = 0
	}
}

// At returns the value of a frame of the history.
func (t *Series) At(seq uint64) float32 {
	low, high := 0, len(t.live)
	for low < high {
		if middle := int(uint(low+high) >> 1); t.live[middle].end <= seq {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(t.live) || seq < t.live[low].begin() {
		return 0
	}
	return t.live[low].values[t.live[low].place(seq)]
}

// each calls do with the values of the frames from..to-1 that may differ from 0, and with the first frame of each
// stretch.
func (t *Series) each(from, to uint64, do func(at uint64, values []float32)) {
	for _, c := range t.live {
		a := max(from, c.begin())
		b := min(to, c.end)
		if a < b {
			do(a, c.values[c.place(a):c.place(b-1)+1])
		}
	}
}

// AddTo adds the values of the frames from first on to sums, or subtracts them.
func (t *Series) AddTo(sums []float64, first uint64, less bool) {
	t.each(first, first+uint64(len(sums)), func(at uint64, values []float32) {
		to := sums[at-first:]
		for i, ms := range values {
			if less {
				to[i] -= float64(ms)
			} else {
				to[i] += float64(ms)
			}
		}
	})
}

// AppendRange appends the values of the frames from..to-1.
func (t *Series) AppendRange(dst []float32, from, to uint64) []float32 {
	start := len(dst)
	dst = slices.Grow(dst, int(to-from))[:start+int(to-from)]
	clear(dst[start:])
	t.each(from, to, func(at uint64, values []float32) { copy(dst[start+int(at-from):], values) })
	return dst
}

// Gaps has the frames in which a lane's times are not known, because the records were lost.
type Gaps struct {
	Lost []bool // slot = seq % len
	n    int    // number of lost frames in the history
}

// Put stores whether a frame's times are lost. It replaces the oldest entry.
func (g *Gaps) Put(seq uint64, lost bool) {
	at := &g.Lost[seq%uint64(len(g.Lost))]
	if *at {
		g.n--
	}
	if *at = lost; lost {
		g.n++
	}
}

// Known reports whether a series has a value for a frame.
func (t *Series) Known(seq uint64) bool {
	return t.Gap == nil || !t.Gap.Lost[seq%uint64(len(t.Gap.Lost))]
}

// NewSeries returns an empty series.
func (c *Chunks) NewSeries(gap *Gaps) Series {
	c.ids++
	return Series{Gap: gap, from: c, phase: c.ids * 37 % chunkFrames}
}

// zoneSeries has the self and hierarchical time of a zone per frame.
type zoneSeries struct {
	Self, Hier Series
	Birth      uint64
	estimated  uint64 // 1 + sequence number of the last frame in which its time was estimated
}

// Estimated returns whether the time was estimated in any frame since from.
func (t *zoneSeries) Estimated(from uint64) gather.Estimated {
	if t.estimated > from {
		return gather.EstimatedTime
	}
	return gather.EstimatedNone
}

func (t *Series) blank() {
	for _, c := range t.live {
		clear(c.values[:])
		c.greatest, c.at = 0, 0
	}
	t.sum, t.greatest, t.at = 0, 0, 0
}

// meet makes room for zones and paths that are new in a frame. The tree may have paths of later frames.
func (h *Ring) meet(tree *Tree, seq uint64) {
	if h.memory == nil {
		h.memory = new(Chunks)
	}
	for ; h.pathCount < len(tree.Paths) && tree.Paths[h.pathCount].Birth <= seq; h.pathCount++ {
		zone := int(tree.Paths[h.pathCount].Zone)
		for i := h.Zones.Grow(zone + 1); i <= zone; i++ {
			z := h.Zones.At(i)
			z.Self, z.Hier, z.Birth = h.memory.NewSeries(h.Gap), h.memory.NewSeries(h.Gap), math.MaxUint64
		}
		z := h.Zones.At(zone)
		z.Birth = min(z.Birth, seq)
		if h.pathCount < pathsWithSeries {
			h.Paths.Grow(h.pathCount + 1)
			*h.Paths.At(h.pathCount) = h.memory.NewSeries(h.Gap)
		}
	}
}

// Remember stores the times of the zones and paths of a frame. Frames come in order.
func (h *Ring) Remember(seq uint64, t *Touched, tree *Tree) {
	h.meet(tree, seq)
	t.zoneSet.each(func(zone int32) {
		z, v := h.Zones.At(int(zone)), t.zones.At(int(zone))
		z.Self.Put(seq, float32(v.Self))
		z.Hier.Put(seq, float32(v.Hier))
		if v.Estimated != gather.EstimatedNone {
			z.estimated = seq + 1
		}
	})
	t.paths.each(func(path int32) {
		if int(path) < h.Paths.Len() {
			h.Paths.At(int(path)).Put(seq, float32(t.values.At(int(path)).Hier))
		}
	})
}

// Stock takes memory ahead for the known paths and zones, so that the first frame with them need not allocate for all:
// see List.Stock.
func (h *Ring) Stock(paths, zones int, ahead *int) {
	if h.memory == nil {
		h.memory = new(Chunks)
	}
	traced := min(paths, pathsWithSeries)
	h.Zones.Stock(zones, ahead)
	h.Paths.Stock(traced, ahead)
	h.memory.Stock(2*min(zones, paths)+traced, ahead)
}

// Skip adds a frame whose times are not known, with times of 0.
func (h *Ring) Skip(p *Frame) {
	p.Unknown = true
	h.Known = max(h.Known, p.Seq+1)
}

// Blank clears all series.
func (h *Ring) Blank() {
	for i := range h.Zones.Len() {
		z := h.Zones.At(i)
		z.Self.blank()
		z.Hier.blank()
		z.estimated = 0
	}
	for i := range h.Paths.Len() {
		h.Paths.At(i).blank()
	}
}
