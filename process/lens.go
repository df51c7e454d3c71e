package process

import (
	"cmp"
	"slices"
)

// defaultSlowest is the number of frames of LensSlowest if Lens.Slowest is not set.
const defaultSlowest = 16

// lensed holds the means over the frames of a lens. They are computed again after any change.
type lensed struct {
	of      Lens
	lane    int32
	gen     uint64
	made    bool
	frames  []uint64 // sequence numbers of those with records, oldest first
	lost    int      // number of chosen frames without records
	sums    []value  // by path: self, count and errors per frame
	mean    pastFrame
	scratch []value
	charges charged // of scratch
	charged charged // of sums
	others  others
}

// SetLens sets the lens. Through a lens, each report shows means per frame over many frames, and Age and Average have
// no effect. The zero Lens is off. The cursor goes to the zone that causes the excess of these frames: see Verdict. Any
// goroutine may call it.
func (s *Session) SetLens(l Lens) {
	s.look(func(v *View) {
		v.Lens = l
		if l.Kind != LensOff {
			v.Kept = 0
		}
	})
}

// loadLens fills s.values and s.byZone with means per frame over the frames of a lens. It returns a frame with the
// means.
func (s *Session) loadLens(v *View) *pastFrame {
	l, lane := &s.lens, s.lanePlace(v.Lane)
	of := v.LensInForce()
	if !l.made || l.of != of || l.lane != lane || l.gen != s.gen || len(l.sums) != len(s.tree.paths) {
		l.made, l.of, l.lane, l.gen = true, of, lane, s.gen
		s.choose(of)
		s.sumUp(l.frames, lane)
		l.sums = append(l.sums[:0], s.values...)
		l.charged = append(l.charged[:0], s.charged...)
		l.mean = s.meanFrame(l.frames)
	}
	if v.Mode == ReportExtra {
		s.loadOthers(v, lane)
	}
	s.values = append(s.values[:0], l.sums...)
	s.charged = append(s.charged[:0], l.charged...)
	s.derive(v, lane, l.mean.span)
	return &l.mean
}

// derive computes s.values and s.byZone from self times and counts.
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
		if of.Takes(&s.past.at(seq).FrameSummary) {
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

// keepSlowest keeps the n frames with the most busy time; of equal ones, the newer.
func (s *Session) keepSlowest(n int) {
	l := &s.lens
	slices.SortFunc(l.frames, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(s.past.at(b).busy, s.past.at(a).busy), cmp.Compare(b, a))
	})
	l.frames = l.frames[:min(n, len(l.frames))]
	slices.Sort(l.frames)
}

// sumUp fills s.values and s.charged with means per frame over some frames. Errors are sums.
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
		s.charged[i].Ease(1-1/n, &Charges{})
	}
}

// meanFrame returns a frame with the means of some frames and the number of the newest.
func (s *Session) meanFrame(frames []uint64) (m pastFrame) {
	m.perTick = s.msPerTick()
	n := float64(max(len(frames), 1))
	for _, seq := range frames {
		p := s.past.at(seq)
		m.seq, m.Index = p.seq, p.Index
		m.length, m.busy, m.idle, m.span = m.length+p.length/n, m.busy+p.busy/n, m.idle+p.idle/n, m.span+p.span/n
		m.cost, m.gpu, m.devices = m.cost+p.cost/n, m.gpu+p.gpu/n, m.devices || p.devices
		m.cpu, m.joined = m.cpu+p.cpu/n, m.joined+p.joined/n
		m.RunQueue, m.LockWait = m.RunQueue+p.RunQueue/float32(n), m.LockWait+p.LockWait/float32(n)
	}
	m.Length, m.Busy, m.GPU, m.HasGPU = float32(m.length), float32(m.busy), float32(m.gpu), m.devices
	return m
}

// frameOf returns the frame of a view, or the mean frame of its lens, or nil.
func (s *Session) frameOf(v *View) *pastFrame {
	if v.Through() && s.past.next > 0 {
		return s.load(v)
	}
	return s.shown(v)
}
