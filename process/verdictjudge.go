package process

// The limits above which a frame gets a verdict.
const (
	material     = 0.10 // of the usual length: the least unusual excess
	materialTime = 0.01 // of the budget: the same
	nearly       = 0.5  // of the least excess: enough if a single path is far above its usual time
	frameSpreads = 3    // standard deviations above the usual time of a frame
	pathSpreads  = 2.8  // standard deviations above the usual time of a path
)

// explain fills in the verdict on one frame, which may be nil.
func (s *Session) explain(dst *Verdict, p *pastFrame) bool {
	if p == nil || p.lost {
		return false
	}
	t := &s.trial
	if of := (question{seq: p.seq, gen: s.gen}); !t.last.known(of, dst) {
		t.frames = append(t.frames[:0], p)
		t.usual.around(&s.past, p.seq)
		s.try(dst)
		t.last.keep(of, dst)
	}
	return dst.Found()
}

// question identifies the frames of a verdict.
type question struct {
	seq, gen uint64
	lens     Lens
}

// answer is the last verdict. Often the next question is the same.
type answer struct {
	to      question
	made    bool
	verdict Verdict
}

func (a *answer) known(q question, dst *Verdict) bool {
	if !a.made || a.to != q {
		return false
	}
	a.verdict.copyTo(dst)
	return true
}

func (a *answer) keep(q question, v *Verdict) {
	a.to, a.made = q, true
	v.copyTo(&a.verdict)
}

// try fills in the verdict on trial.frames if they are over budget or unusual.
func (s *Session) try(dst *Verdict) {
	t := &s.trial
	length, busy := t.describe(dst)
	dst.Budget = s.budget.Seconds() * 1000
	dst.Over = s.over(busy)
	if len(s.tree.paths) == 0 {
		return // no frame had a zone yet
	}
	if !t.usual.enough() {
		if dst.Over {
			s.largest(dst)
		}
		return
	}
	least := max(material*t.usual.length.mid, materialTime*dst.Budget)
	longer, worked := length-t.usual.length.mid, busy-t.usual.busy.mid
	dst.Usual, dst.Excess = t.usual.length.mid, longer
	if longer < least && worked >= least*nearly && worked > longer {
		dst.Working, dst.Time, dst.Usual, dst.Excess = true, busy, t.usual.busy.mid, worked
	}
	if dst.Excess >= least*nearly {
		t.weigh(&s.tree)
		t.suspect(leastPart * s.smallest(dst, worked, least))
		t.compare(&s.tree)
		if dst.Over && dst.Excess >= least || s.unusual(dst, least) {
			s.accuse(dst, t.pauseOf())
			s.accuseGPU(dst)
			s.addState(dst)
			s.addWorker(dst)
			s.addWaits(dst)
			return
		}
	}
	if dst.Over {
		s.largest(dst)
	}
}

// smallest is the least excess to search causes of: the excess of busy time may be smaller than that of the length.
func (s *Session) smallest(dst *Verdict, worked, least float64) float64 {
	if worked < least*nearly {
		return dst.Excess
	}
	return min(dst.Excess, worked)
}

// describe fills in index, number and time of trial.frames, and returns their mean length and busy time.
func (t *trial) describe(dst *Verdict) (length, busy float64) {
	n := float64(len(t.frames))
	slowest := t.frames[0]
	for _, p := range t.frames {
		length, busy = length+p.length/n, busy+p.busy/n
		if p.busy > slowest.busy {
			slowest = p
		}
	}
	dst.Index, dst.Frames, dst.Time = slowest.Index, len(t.frames), length
	return length, busy
}

// unusual reports whether the frames, or some of their paths, are further above the usual time than happens by chance.
func (s *Session) unusual(dst *Verdict, least float64) bool {
	t := &s.trial
	spread := t.usual.length.spread
	if dst.Working {
		spread = t.usual.busy.spread
	}
	if dst.Excess >= max(least, frameSpreads*spread) || len(t.frames) > 1 && dst.Excess >= least {
		return true
	}
	for i := range t.suspects {
		q := &t.suspects[i]
		switch {
		case dst.Working && s.tree.paths[q.path].idle:
		case q.own >= max(least, pathSpreads*q.usual.self.spread):
			return true
		case i > 0 && q.more >= max(least, pathSpreads*q.usual.hier.spread):
			return true
		}
	}
	return false
}

// largest names the path with the most self time. It is the cause if nothing took longer than usual.
func (s *Session) largest(dst *Verdict) {
	t := &s.trial
	dst.Working = false
	dst.Time, _ = t.describe(dst)
	dst.Usual, dst.Excess = t.usual.length.mid, 0
	if !t.usual.enough() {
		dst.Usual = 0
	}
	t.weigh(&s.tree)
	at := 0
	for i := range t.times {
		if p := &t.times[i]; !s.tree.paths[p.path].idle && p.self > t.times[at].self {
			at = i
		}
	}
	p := &t.times[at]
	c := s.newCause(dst, CauseLargest, p.path)
	c.Self, c.Time, c.Count = true, p.self, p.count
}

// explainLens fills in the verdict on the frames of a lens. A range is compared with the frames before it, any other
// choice with the frames that it leaves out.
func (s *Session) explainLens(dst *Verdict, v *View) bool {
	t, l := &s.trial, &s.lens
	of := question{gen: s.gen, lens: v.lens()}
	if t.last.known(of, dst) {
		return dst.Found()
	}
	if !l.made || l.of != of.lens || l.gen != s.gen {
		s.loadLens(v)
	}
	if len(l.frames) == 0 {
		return false
	}
	t.frames = t.frames[:0]
	for _, seq := range l.frames[max(0, len(l.frames)-usualFrames):] {
		t.frames = append(t.frames, s.past.at(seq))
	}
	if l.of.Kind == LensRange {
		t.usual.around(&s.past, l.frames[0])
	} else {
		t.usual.apart(&s.past, l.frames)
	}
	s.try(dst)
	t.last.keep(of, dst)
	return dst.Found()
}
