package process

// ownTraces is each zone's self time per frame on the lane that ends the frames: what a frame's busy time is made of. What other
// lanes do at the same time is no part of it. It is brought up to date when it is asked for.
type ownTraces struct {
	zones []trace1 // slot = seq % frames
	sums  []float64
	next  uint64 // sequence number of the first frame not taken in
	seen  bool   // a lane ended frames: otherwise nothing is known of it
}

// follow takes in the frames that came since the last call.
func (o *ownTraces) follow(s *Session) {
	h := &s.past
	if o.next > h.next {
		*o = ownTraces{sums: o.sums}
	}
	for len(o.zones) < len(s.zones) {
		o.zones = append(o.zones, trace1{v: make([]float32, len(h.frames))})
	}
	for seq := max(o.next, h.first()); seq < h.next; seq++ {
		o.take(s, h.at(seq))
	}
	o.next = h.next
}

// resize moves the traces, of frames that have been taken in, from one history to another.
func (o *ownTraces) resize(from, to *history) {
	for i := range o.zones {
		o.zones[i] = o.zones[i].moved(from, to)
	}
}

// take takes in a frame. Of one that has lost its records no more is known than what all lanes did.
func (o *ownTraces) take(s *Session, p *pastFrame) {
	o.sums = resized(o.sums, len(o.zones))
	clear(o.sums)
	for i := range min(len(o.zones), len(s.past.zones)) {
		if t := &s.past.zones[i].self; p.lost {
			o.sums[i] = float64(t.v[p.seq%uint64(len(t.v))])
		}
	}
	for _, l := range p.lanes { // none, if it has lost them
		if !l.updater {
			continue
		}
		o.seen = true
		for _, r := range p.records[l.from:l.to] {
			o.sums[s.tree.paths[r.path&pathMask].zone] += float64(r.self) * p.perTick
		}
	}
	for i := range o.zones {
		o.zones[i].put(p.seq, float32(o.sums[i]))
	}
}

// ownSelf is a zone's trace on the lane that ends the frames, or on all lanes where none is known to.
func (s *Session) ownSelf(zone int32) *trace1 {
	if s.own.seen && int(zone) < len(s.own.zones) {
		return &s.own.zones[zone]
	}
	return &s.past.zones[zone].self
}
