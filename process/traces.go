package process

import (
	"math"

	"example.com/iprof/gather"
)

// trace1 is one value per frame, in ms, with running statistics.
type trace1 struct {
	v   []float32 // slot = seq % len(frames)
	sum float64
	max float32
	gap *gaps // frames without a value; nil: none
}

// gaps are the frames of which a lane's times are not known, because their records were lost.
type gaps struct {
	lost []bool // slot = seq % len
	n    int    // of those in the history
}

// put notes whether a frame's times are lost. It replaces the oldest.
func (g *gaps) put(seq uint64, lost bool) {
	at := &g.lost[seq%uint64(len(g.lost))]
	if *at {
		g.n--
	}
	if *at = lost; lost {
		g.n++
	}
}

// known reports whether a trace has a value of a frame.
func (t *trace1) known(seq uint64) bool {
	return t.gap == nil || !t.gap.lost[seq%uint64(len(t.gap.lost))]
}

// trace returns an empty trace of a history.
func (h *history) trace() trace1 { return trace1{v: make([]float32, len(h.frames)), gap: h.gap} }

// trace2 is the self and hierarchical time of a zone per frame.
type trace2 struct {
	self, hier trace1
	birth      uint64
	signed     [gather.EstimatedCount]uint64 // by sign: 1 + sequence number of the last frame with it
}

// estimated returns the kind of estimate in any frame since from.
func (t *trace2) estimated(from uint64) gather.Estimated {
	for e := gather.EstimatedCount; e > gather.EstimatedNone; e-- {
		if t.signed[e-1] > from {
			return e
		}
	}
	return gather.EstimatedNone
}

// moved copies the values of the frames held into a ring of another size.
func (t *trace1) moved(old, h *history) trace1 {
	n := trace1{v: make([]float32, len(h.frames))}
	for seq := h.first(); seq < h.next; seq++ {
		n.put(seq, t.v[seq%uint64(len(old.frames))])
	}
	return n
}

// put stores a frame's value. It replaces the oldest.
func (t *trace1) put(seq uint64, v float32) {
	slot := &t.v[seq%uint64(len(t.v))]
	old := *slot
	*slot = v
	t.sum += float64(v) - float64(old)
	if v >= t.max {
		t.max = v
	} else if old == t.max {
		t.max = 0
		for _, x := range t.v {
			t.max = max(t.max, x)
		}
	}
}

func (t *trace1) blank() {
	clear(t.v)
	t.sum, t.max = 0, 0
}

// remember stores a frame's times of all zones and paths. Frames come in order.
func (h *history) remember(seq uint64, values []value, zones []zoneValue) {
	for len(h.zones) < len(zones) {
		h.zones = append(h.zones, trace2{self: h.trace(), hier: h.trace(), birth: math.MaxUint64})
	}
	for i := range zones {
		z := &h.zones[i]
		if !zones[i].seen {
			continue
		}
		z.birth = min(z.birth, seq)
		z.self.put(seq, float32(zones[i].self))
		z.hier.put(seq, float32(zones[i].hier))
		if e := min(zones[i].estimated, gather.EstimatedCount); e != gather.EstimatedNone {
			z.signed[e-1] = seq + 1
		}
	}
	for len(h.paths) < min(len(values), tracedPaths) {
		h.paths = append(h.paths, h.trace())
	}
	for i := range h.paths {
		h.paths[i].put(seq, float32(values[i].hier))
	}
}

// skip stores 0 for a frame whose times are not known.
func (h *history) skip(p *pastFrame) {
	p.unknown = true
	h.known = max(h.known, p.seq+1)
	for i := range h.zones {
		h.zones[i].self.put(p.seq, 0)
		h.zones[i].hier.put(p.seq, 0)
	}
	for i := range h.paths {
		h.paths[i].put(p.seq, 0)
	}
}

// blank clears all traces.
func (h *history) blank() {
	for i := range h.zones {
		z := &h.zones[i]
		z.self.blank()
		z.hier.blank()
		z.signed = [gather.EstimatedCount]uint64{}
	}
	for i := range h.paths {
		h.paths[i].blank()
	}
}
