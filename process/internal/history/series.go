package history

import (
	"cmp"
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// MeanOf is the mean of a trace over the frames since birth whose times are known.
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
	return t.Sum / float64(frames)
}

// Value returns the value of a trace in a frame, NaN if it is not known.
func (h *Ring) Value(t *Series, birth, seq uint64) float32 {
	if seq < birth || seq < h.Known && h.At(seq).Unknown || !t.Known(seq) {
		return float32(math.NaN())
	}
	return t.Values[seq%uint64(len(t.Values))]
}

// Since is the sequence number of the oldest of the newest frames.
func (h *Ring) Since(frames int) uint64 {
	return max(h.First(), h.Next-min(h.Next, uint64(max(frames, 0))))
}

// Append appends the newest values of a trace. They are NaN before its birth and in frames that are not known.
func (h *Ring) Append(dst []float32, t *Series, birth uint64, frames int) []float32 {
	return h.AppendSpan(dst, t, birth, h.Since(frames), h.Next)
}

// AppendSpan is append for the frames from..to-1.
func (h *Ring) AppendSpan(dst []float32, t *Series, birth, from, to uint64) []float32 {
	start, size := len(dst), uint64(len(t.Values))
	for seq := from; seq < to; {
		slot := seq % size
		run := min(size-slot, to-seq)
		dst, seq = append(dst, t.Values[slot:slot+run]...), seq+run
	}
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

// MostSeries bounds the zones of AppendTopSeries.
const MostSeries = 64

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
	Zones [MostSeries]Ranked
	N     int
}

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

// Series is one value per frame, in ms, with running statistics.
type Series struct {
	Values []float32 // slot = seq % len(frames)
	Sum    float64
	Max    float32
	Gap    *Gaps // frames without a value; nil: none
}

// Gaps are the frames of which a lane's times are not known, because their records were lost.
type Gaps struct {
	Lost []bool // slot = seq % len
	n    int    // of those in the history
}

// Put notes whether a frame's times are lost. It replaces the oldest.
func (g *Gaps) Put(seq uint64, lost bool) {
	at := &g.Lost[seq%uint64(len(g.Lost))]
	if *at {
		g.n--
	}
	if *at = lost; lost {
		g.n++
	}
}

// Known reports whether a trace has a value of a frame.
func (t *Series) Known(seq uint64) bool {
	return t.Gap == nil || !t.Gap.Lost[seq%uint64(len(t.Gap.Lost))]
}

// trace returns an empty trace of a history.
func (h *Ring) trace() Series { return Series{Values: make([]float32, len(h.Frames)), Gap: h.Gap} }

// ZoneSeries is the self and hierarchical time of a zone per frame.
type ZoneSeries struct {
	Self, Hier Series
	Birth      uint64
	signed     [gather.EstimatedCount]uint64 // by sign: 1 + sequence number of the last frame with it
}

// Estimated returns the kind of estimate in any frame since from.
func (t *ZoneSeries) Estimated(from uint64) gather.Estimated {
	for e := gather.EstimatedCount; e > gather.EstimatedNone; e-- {
		if t.signed[e-1] > from {
			return e
		}
	}
	return gather.EstimatedNone
}

// moved copies the values of the frames held into a ring of another size.
func (t *Series) moved(old, h *Ring) Series {
	n := Series{Values: make([]float32, len(h.Frames))}
	for seq := h.First(); seq < h.Next; seq++ {
		n.Put(seq, t.Values[seq%uint64(len(old.Frames))])
	}
	return n
}

// Put stores a frame's value. It replaces the oldest.
func (t *Series) Put(seq uint64, v float32) {
	slot := &t.Values[seq%uint64(len(t.Values))]
	old := *slot
	*slot = v
	t.Sum += float64(v) - float64(old)
	if v >= t.Max {
		t.Max = v
	} else if old == t.Max {
		t.Max = 0
		for _, x := range t.Values {
			t.Max = max(t.Max, x)
		}
	}
}

func (t *Series) blank() {
	clear(t.Values)
	t.Sum, t.Max = 0, 0
}

// Remember stores a frame's times of all zones and paths. Frames come in order.
func (h *Ring) Remember(seq uint64, values []Value, zones []ZoneValue) {
	for len(h.Zones) < len(zones) {
		h.Zones = append(h.Zones, ZoneSeries{Self: h.trace(), Hier: h.trace(), Birth: math.MaxUint64})
	}
	for i := range zones {
		z := &h.Zones[i]
		if !zones[i].Seen {
			continue
		}
		z.Birth = min(z.Birth, seq)
		z.Self.Put(seq, float32(zones[i].Self))
		z.Hier.Put(seq, float32(zones[i].Hier))
		if e := min(zones[i].Estimated, gather.EstimatedCount); e != gather.EstimatedNone {
			z.signed[e-1] = seq + 1
		}
	}
	for len(h.Paths) < min(len(values), TracedPaths) {
		h.Paths = append(h.Paths, h.trace())
	}
	for i := range h.Paths {
		h.Paths[i].Put(seq, float32(values[i].Hier))
	}
}

// Skip stores 0 for a frame whose times are not known.
func (h *Ring) Skip(p *Frame) {
	p.Unknown = true
	h.Known = max(h.Known, p.Seq+1)
	for i := range h.Zones {
		h.Zones[i].Self.Put(p.Seq, 0)
		h.Zones[i].Hier.Put(p.Seq, 0)
	}
	for i := range h.Paths {
		h.Paths[i].Put(p.Seq, 0)
	}
}

// Blank clears all traces.
func (h *Ring) Blank() {
	for i := range h.Zones {
		z := &h.Zones[i]
		z.Self.blank()
		z.Hier.blank()
		z.signed = [gather.EstimatedCount]uint64{}
	}
	for i := range h.Paths {
		h.Paths[i].blank()
	}
}
