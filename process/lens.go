package process

import (
	"cmp"
	"slices"
	"strconv"
)

// defaultSlowest is how many frames LensSlowest chooses when it is not said.
const defaultSlowest = 16

// lensed is what the frames of a lens come to. It is worked out again when anything may have changed.
type lensed struct {
	of      Lens
	lane    int32
	gen     uint64
	made    bool
	frames  []uint64 // sequence numbers of those with records, oldest first
	lost    int      // and how many have none
	sums    []value  // by path: self, count and errors per frame
	mean    pastFrame
	scratch []value
	charges charged // of scratch
	charged charged // of sums
	others  others
}

// SetLens chooses the frames that every report is of, instead of the one frame, or moving average, that Age and Average
// choose: it shows means per frame over them. The zero Lens is off.
func (s *Session) SetLens(l Lens) {
	s.adjust(func(v *View) {
		v.Lens = l
		if l.Kind != LensOff {
			v.Kept = 0
		}
	})
}

// clamp brings a lens into range.
func (l *Lens) clamp() {
	if l.Kind >= NumLensKinds {
		*l = Lens{}
	}
	if l.From > l.To {
		l.From, l.To = l.To, l.From
	}
}

// lens is the lens in force: what is extra in slow frames is a question about some of them.
func (v *View) lens() Lens {
	if v.Mode == Extra && (v.Lens.Kind == LensOff || v.Lens.Kind == LensAll) {
		return Lens{Kind: LensOver}
	}
	return v.Lens
}

// Opened is the view of a zone's call graph, through the lens that the view looks through: from what is extra in slow frames
// it is that of the frames over budget, so that the numbers that led there stay.
func (v View) Opened(zone int32) View {
	if v.Lens = v.lens(); v.Lens.Kind != LensOff {
		v.Kept = 0
	}
	if v.Mode != CallGraphDescendants {
		v.Mode = CallGraph
	}
	v.Focus, v.FocusDepth = zone, 0
	return v
}

// through reports whether a view is through a lens.
func (v *View) through() bool { return v.Lens.Kind != LensOff || v.Mode == Extra }

// loadLens fills s.values and s.byZone with means per frame over the frames of a lens, and returns a frame that stands for
// them.
func (s *Session) loadLens(v *View) *pastFrame {
	l, lane := &s.lens, s.lanePlace(v.Lane)
	if of := v.lens(); !l.made || l.of != of || l.lane != lane || l.gen != s.gen || len(l.sums) != len(s.tree.paths) {
		l.made, l.of, l.lane, l.gen = true, of, lane, s.gen
		s.choose(of)
		s.sumUp(l.frames, lane)
		l.sums = append(l.sums[:0], s.values...)
		l.charged = append(l.charged[:0], s.charged...)
		l.mean = s.meanFrame(l.frames)
	}
	if v.Mode == Extra {
		s.loadOthers(v, lane)
	}
	s.values = append(s.values[:0], l.sums...)
	s.charged = append(s.charged[:0], l.charged...)
	s.derive(v, lane, l.mean.span)
	return &l.mean
}

// derive fills in what follows from self times and counts.
func (s *Session) derive(v *View, lane int32, span float64) {
	if len(v.Pin) > 0 {
		s.pin(v.Pin)
		defer func() { s.pinned = 0 }()
	}
	s.rise()
	if lane == everyLane && len(v.Pin) == 0 && len(s.values) > 0 {
		s.values[0].hier = span
	}
	s.gatherZones(s.past.next)
}

// choose finds the frames of a lens.
func (s *Session) choose(of Lens) {
	l := &s.lens
	l.frames, l.lost = l.frames[:0], 0
	for seq := s.past.first(); seq < s.past.next; seq++ {
		if of.takes(s.past.at(seq)) {
			l.frames = append(l.frames, seq)
		}
	}
	if of.Kind == LensSlowest {
		s.keepSlowest(cmp.Or(max(of.Slowest, 0), defaultSlowest))
	}
	l.frames = slices.DeleteFunc(l.frames, func(seq uint64) bool {
		if s.past.at(seq).lost {
			l.lost++
			return true
		}
		return false
	})
}

// takes reports whether a frame is among those that a lens chooses. LensSlowest chooses among all.
func (l *Lens) takes(p *pastFrame) bool {
	switch l.Kind {
	case LensAll, LensSlowest:
		return true
	case LensOver:
		return p.Over
	case LensWithin:
		return !p.Over
	case LensRange:
		return l.From <= p.Index && p.Index <= l.To
	}
	return false
}

// keepSlowest leaves the n frames that were busy longest; of equal ones, the newer.
func (s *Session) keepSlowest(n int) {
	l := &s.lens
	slices.SortFunc(l.frames, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(s.past.at(b).busy, s.past.at(a).busy), cmp.Compare(b, a))
	})
	l.frames = l.frames[:min(n, len(l.frames))]
	slices.Sort(l.frames)
}

// sumUp fills s.values with self time, count and the like of some frames, each per frame but errors.
func (s *Session) sumUp(frames []uint64, lane int32) {
	sums := &s.lens.scratch
	*sums = resized(*sums, len(s.tree.paths))
	clear(*sums)
	s.lens.charges.reset()
	for _, seq := range frames {
		s.sum(s.past.at(seq), lane)
		for i := range *sums {
			(*sums)[i].plus(&s.values[i])
		}
		s.lens.charge(s.values, s.charged)
	}
	n := float64(max(len(frames), 1))
	s.values = append(s.values[:0], *sums...)
	for i := range s.values {
		s.values[i].self /= n
		s.values[i].count /= n
		s.values[i].variance /= n * n
	}
	s.charged = append(s.charged[:0], s.lens.charges...)
	for i := range s.charged {
		s.charged[i].ease(1-1/n, &Charges{})
	}
}

// plus adds what another frame has; hierarchical time follows later.
func (v *value) plus(w *value) {
	v.self += w.self
	v.count += w.count
	v.errors += w.errors
	v.variance, v.estimated = v.variance+w.variance, max(v.estimated, w.estimated)
	v.open = v.open || w.open
}

// meanFrame returns a frame that stands for some: the newest, with the means of all.
func (s *Session) meanFrame(frames []uint64) (m pastFrame) {
	m.perTick = s.msPerTick()
	n := float64(max(len(frames), 1))
	for _, seq := range frames {
		p := s.past.at(seq)
		m.seq, m.Index = p.seq, p.Index
		m.length, m.busy, m.idle, m.span = m.length+p.length/n, m.busy+p.busy/n, m.idle+p.idle/n, m.span+p.span/n
		m.cost += p.cost / n
	}
	m.Length, m.Busy = float32(m.length), float32(m.busy)
	return m
}

// describe fills in what a report says of its lens.
func (s *Session) describe(i *FrameInfo, v *View, p *pastFrame) {
	i.Lens = v.lens()
	if i.Lens.Kind != LensOff {
		i.LensFrames, i.LensLost = len(s.lens.frames), s.lens.lost
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(s.past.next - 1 - p.seq)
		}
	}
}

// appendLens writes which frames a report is of.
func (i *FrameInfo) appendLens(dst []byte) []byte {
	dst = append(dst, "mean of "...)
	dst = strconv.AppendInt(dst, int64(i.LensFrames), 10)
	dst = append(dst, " frame"...)
	if i.LensFrames != 1 {
		dst = append(dst, 's')
	}
	switch i.Lens.Kind {
	case LensOver:
		dst = append(dst, " over budget"...)
	case LensWithin:
		dst = append(dst, " within budget"...)
	case LensSlowest:
		dst = append(dst, ", the slowest"...)
	case LensRange:
		dst = strconv.AppendUint(append(dst, ", "...), i.Lens.From, 10)
		dst = strconv.AppendUint(append(dst, " to "...), i.Lens.To, 10)
	}
	return dst
}

// appendLensWarnings says what a lens could not see.
func (s *Session) appendLensWarnings(dst []string, i *FrameInfo, mode ReportMode) []string {
	l := &s.lens
	switch {
	case i.Lens.Kind == LensOff || i.Frames == 0:
		return dst
	case i.LensFrames == 0 && i.LensLost == 0:
		dst = append(dst, "no frame of the history is one that the lens chooses")
	case mode == Extra && len(l.others.frames) == 0:
		dst = append(dst, "all frames of the history are ones that the lens chooses: there are none to compare with")
	}
	if i.LensLost > 0 {
		dst = append(dst, l.lostWarning(i.LensLost))
	}
	return dst
}

// frameOf returns the frame that a view shows, or the one that stands for those of its lens; nil when there is none.
func (s *Session) frameOf(v *View) *pastFrame {
	if v.through() && s.past.next > 0 {
		return s.load(v)
	}
	return s.shown(v)
}
