package history

import "example.com/iprof/process/internal/resize"

// OwnSeries holds the self time of each zone per frame on the lane that ends the frames. These self times add up to the
// busy time of a frame; other lanes run at the same time. It is updated on request.
type OwnSeries struct {
	Zones  List[Series]
	memory *Chunks
	sums   []float64
	next   uint64 // sequence number of the next frame to add
	Seen   bool   // the lane that ends frames is known
}

// Follow adds the frames since the last call.
func (o *OwnSeries) Follow(h *Ring, paths *Tree, zones int) {
	if o.next > h.Next {
		*o = OwnSeries{sums: o.sums}
	}
	if o.memory == nil {
		o.memory = new(Chunks)
	}
	for i := o.Zones.Grow(zones); i < zones; i++ {
		*o.Zones.At(i) = o.memory.NewSeries(nil)
	}
	for seq := max(o.next, h.First()); seq < h.Next; seq++ {
		o.take(h, paths, h.At(seq))
	}
	o.next = h.Next
	o.memory.trim(h.First())
}

// Bytes returns the memory of the series.
func (o *OwnSeries) Bytes() int {
	if o.memory == nil {
		return 0
	}
	return o.memory.Bytes()
}

// take adds a frame. For a frame without records it takes the sums over all lanes, because nothing else is known.
func (o *OwnSeries) take(h *Ring, paths *Tree, p *Frame) {
	o.sums = resize.To(o.sums, o.Zones.Len())
	clear(o.sums)
	for i := range min(o.Zones.Len(), h.Zones.Len()) {
		if p.Lost {
			o.sums[i] = float64(h.Zones.At(i).Self.At(p.Seq))
		}
	}
	for _, l := range p.Lanes { // empty if the records are lost
		if !l.Updater {
			continue
		}
		o.Seen = true
		for _, r := range p.Records[l.From:l.To] {
			o.sums[paths.Paths[r.Path&PathMask].Zone] += float64(r.Self) * p.PerTick
		}
	}
	for i, ms := range o.sums {
		o.Zones.At(i).Put(p.Seq, float32(ms))
	}
}
