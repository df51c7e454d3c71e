package history

import "example.com/iprof/process/internal/resize"

// OwnTraces holds the self time of each zone per frame on the lane that ends the frames. The busy time of a frame
// consists of it; other lanes run at the same time. It is brought up to date on request.
type OwnTraces struct {
	Zones []Series // slot = seq % frames
	sums  []float64
	next  uint64 // sequence number of the next frame to add
	Seen  bool   // the lane that ends frames is known
}

// Follow adds the frames since the last call.
func (o *OwnTraces) Follow(h *Ring, paths *Tree, zones int) {
	if o.next > h.Next {
		*o = OwnTraces{sums: o.sums}
	}
	for len(o.Zones) < zones {
		o.Zones = append(o.Zones, Series{Values: make([]float32, len(h.Frames))})
	}
	for seq := max(o.next, h.First()); seq < h.Next; seq++ {
		o.take(h, paths, h.At(seq))
	}
	o.next = h.Next
}

// Resize moves the traces to a history of another size.
func (o *OwnTraces) Resize(from, to *Ring) {
	for i := range o.Zones {
		o.Zones[i] = o.Zones[i].moved(from, to)
	}
}

// take adds a frame. For a frame without records it takes the sums over all lanes, which are all that is known.
func (o *OwnTraces) take(h *Ring, paths *Tree, p *Frame) {
	o.sums = resize.To(o.sums, len(o.Zones))
	clear(o.sums)
	for i := range min(len(o.Zones), len(h.Zones)) {
		if t := &h.Zones[i].Self; p.Lost {
			o.sums[i] = float64(t.Values[p.Seq%uint64(len(t.Values))])
		}
	}
	for _, l := range p.Lanes { // none, if it has lost them
		if !l.Updater {
			continue
		}
		o.Seen = true
		for _, r := range p.Records[l.From:l.To] {
			o.sums[paths.Paths[r.Path&PathMask].Zone] += float64(r.Self) * p.PerTick
		}
	}
	for i := range o.Zones {
		o.Zones[i].Put(p.Seq, float32(o.sums[i]))
	}
}
