package process

// ownTraces holds the self time of each zone per frame on the lane that ends the frames. The busy time of a frame
// consists of it; other lanes run at the same time. It is brought up to date on request.
type ownTraces struct {
	zones []trace1 // slot = seq % frames
	sums  []float64
	next  uint64 // sequence number of the next frame to add
	seen  bool   // the lane that ends frames is known
}

// follow adds the frames since the last call.
func (o *ownTraces) follow(h *history, paths *tree, zones int) {
	if o.next > h.next {
		*o = ownTraces{sums: o.sums}
	}
	for len(o.zones) < zones {
		o.zones = append(o.zones, trace1{v: make([]float32, len(h.frames))})
	}
	for seq := max(o.next, h.first()); seq < h.next; seq++ {
		o.take(h, paths, h.at(seq))
	}
	o.next = h.next
}

// resize moves the traces to a history of another size.
func (o *ownTraces) resize(from, to *history) {
	for i := range o.zones {
		o.zones[i] = o.zones[i].moved(from, to)
	}
}

// take adds a frame. For a frame without records it takes the sums over all lanes, which are all that is known.
func (o *ownTraces) take(h *history, paths *tree, p *pastFrame) {
	o.sums = resized(o.sums, len(o.zones))
	clear(o.sums)
	for i := range min(len(o.zones), len(h.zones)) {
		if t := &h.zones[i].self; p.lost {
			o.sums[i] = float64(t.v[p.seq%uint64(len(t.v))])
		}
	}
	for _, l := range p.lanes { // none, if it has lost them
		if !l.updater {
			continue
		}
		o.seen = true
		for _, r := range p.records[l.from:l.to] {
			o.sums[paths.paths[r.path&pathMask].zone] += float64(r.self) * p.perTick
		}
	}
	for i := range o.zones {
		o.zones[i].put(p.seq, float32(o.sums[i]))
	}
}

// ownSelf is the trace of a zone on the lane of the view, else on the lane that ends the frames, or over all lanes if
// that lane is not known.
func (s *Session) ownSelf(zone ZoneID) *trace1 {
	if l := &s.lane; s.view.Lane != 0 && l.of == s.view.Lane && int(zone) < len(l.past.zones) {
		return &l.past.zones[zone].self
	}
	if s.own.seen && int(zone) < len(s.own.zones) {
		return &s.own.zones[zone]
	}
	return &s.past.zones[zone].self
}
