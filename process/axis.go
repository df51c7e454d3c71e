package process

// follow places a new frame on the axis of timelines.
func (h *history) follow(p *pastFrame) {
	p.run = p.seq
	before := h.age(1)
	if before == nil {
		return
	}
	p.at = before.at + max(float64(p.from-before.from)*before.perTick, 0)
	if adjoin(before, p) {
		p.run = before.run
	}
}

// adjoin reports whether the gap between two frames is no longer than the longer of them.
func adjoin(a, b *pastFrame) bool {
	return b.from >= a.to && b.from-a.to <= max(a.to-a.from, b.to-b.from) && a.to > a.from && b.to > b.from
}

// end is the end of a frame on the axis of timelines.
func (p *pastFrame) end() float64 { return p.at + float64(p.to-p.from)*p.perTick }
