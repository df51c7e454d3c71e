package process

// accuseGPU puts the GPU first among the causes if it explains the excess. That is the case if the program waited, or
// if the GPU was busy for almost all of the frame: then the driver stopped the program in some call.
func (s *Session) accuseGPU(dst *Verdict) {
	t := &s.trial
	length, gpu := 0.0, 0.0
	for _, p := range t.frames {
		length, gpu = length+p.length/float64(len(t.frames)), gpu+p.gpu/float64(len(t.frames))
	}
	more := gpu - t.usual.gpu.mid
	waited := len(dst.Causes) == 0 || dst.Causes[0].Kind == CauseWaiting || dst.Causes[0].Kind == CauseOutside
	if more < mainShare*dst.Excess || !waited && (more < slackShare*dst.Excess || gpu < boundShare*length) {
		return
	}
	path := s.worstOn(device)
	if path.path < 0 {
		return
	}
	second := Cause{}
	if len(dst.Causes) > 0 {
		second, dst.Causes = dst.Causes[0], dst.Causes[:0]
		second.Callers = append([]string(nil), second.Callers...)
	}
	c := s.newCause(dst, CauseGPU, path.path)
	c.Self, c.Time, c.Usual, c.Excess, c.Count = true, path.self, path.usual.self.mid, path.own, path.count
	c.Spread = path.usual.self.spread
	if second.Kind != CauseNone {
		dst.Causes = append(dst.Causes, second)
	}
}

// worstOn returns the path on some lanes whose self time exceeds the usual most. Its path is -1 if there is none.
func (s *Session) worstOn(which func(*laneRecords) bool) suspect {
	t := &s.trial
	t.restart(len(s.tree.paths))
	t.times = t.times[:0]
	n := float64(len(t.frames))
	for _, p := range t.frames {
		p.eachOn(which, func(r *record) {
			if path := int32(r.path & pathMask); int(path) < len(t.places) {
				at := t.spot(&s.tree, path)
				t.times[at].self += float64(r.self) * p.perTick / n
				t.times[at].count += float64(r.count) / n
			}
		})
	}
	paths, frames := len(t.times), len(t.usual.frames)
	t.values = resized(t.values, paths*frames)
	clear(t.values)
	for k, p := range t.usual.frames {
		p.eachOn(which, func(r *record) {
			path := int32(r.path & pathMask)
			if int(path) < len(t.places) && t.places[path].stamp == t.stamp {
				t.values[int(t.places[path].at)*frames+k] += float32(float64(r.self) * p.perTick)
			}
		})
	}
	worst := suspect{pathTime: pathTime{path: -1}}
	for i := range t.times {
		q := suspect{pathTime: t.times[i]}
		q.usual.self = middleOf(t.values[i*frames:][:frames])
		if q.own = q.self - q.usual.self.mid; q.path > 0 && q.own > worst.own {
			worst = q
		}
	}
	return worst
}

// device reports whether a lane is a GPU's or another device's.
func device(l *laneRecords) bool { return l.device }

// eachOn calls do with the records of some lanes, without their roots.
func (p *pastFrame) eachOn(which func(*laneRecords) bool, do func(*record)) {
	for i := range p.lanes {
		if l := &p.lanes[i]; which(l) {
			for at := l.from + 1; at < l.to; at++ {
				do(&p.records[at])
			}
		}
	}
}
