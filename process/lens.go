package process

import (
	"cmp"
	"slices"

	"example.com/iprof/process/internal/history"
)

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
func (s *store) loadLens(v *View) *history.Frame {
	l, lane := &s.lens, s.lanePlace(v.Lane)
	of := v.LensInForce()
	if !l.Made || l.Of != of || l.Lane != lane || l.Gen != s.gen || len(l.Sums) != len(s.tree.Paths) {
		l.Made, l.Of, l.Lane, l.Gen = true, of, lane, s.gen
		s.choose(of)
		s.sumUp(l.Frames, lane)
		l.Sums = append(l.Sums[:0], s.values...)
		l.Charged = append(l.Charged[:0], s.charged...)
		l.Mean = s.meanFrame(l.Frames)
	}
	if v.Mode == ReportExtra {
		s.loadOthers(v, lane)
	}
	s.values = append(s.values[:0], l.Sums...)
	s.charged = append(s.charged[:0], l.Charged...)
	s.derive(v, lane, l.Mean.SpanMS)
	return &l.Mean
}

// derive computes s.values and s.byZone from self times and counts.
func (s *store) derive(v *View, lane int32, span float64) {
	if len(v.Pin) > 0 {
		s.pin(v.Pin)
		defer func() { s.pinned = 0 }()
	}
	s.rise()
	if lane == history.EveryLane && len(v.Pin) == 0 && len(s.values) > 0 {
		s.values[0].Hier = span
	}
	s.gatherZones(s.past.Next)
}

// choose finds the frames of a lens.
func (s *store) choose(of Lens) {
	l := &s.lens
	l.Frames, l.Lost = l.Frames[:0], 0
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		if of.Takes(&s.past.At(seq).FrameSummary) {
			l.Frames = append(l.Frames, seq)
		}
	}
	if of.Kind == LensSlowest {
		s.keepSlowest(cmp.Or(max(of.Slowest, 0), history.DefaultSlowest))
	}
	l.Frames = slices.DeleteFunc(l.Frames, func(seq uint64) bool {
		if s.past.At(seq).Lost {
			l.Lost++
			return true
		}
		return false
	})
}

// keepSlowest keeps the n frames with the most busy time; of equal ones, the newer.
func (s *store) keepSlowest(n int) {
	l := &s.lens
	slices.SortFunc(l.Frames, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(s.past.At(b).BusyMS, s.past.At(a).BusyMS), cmp.Compare(b, a))
	})
	l.Frames = l.Frames[:min(n, len(l.Frames))]
	slices.Sort(l.Frames)
}

// sumUp fills s.values and s.charged with means per frame over some frames. Errors are sums.
func (s *store) sumUp(frames []uint64, lane int32) {
	sums := &s.lens.Scratch
	*sums = resized(*sums, len(s.tree.Paths))
	clear(*sums)
	s.lens.Charges.Reset()
	for _, seq := range frames {
		s.sum(s.past.At(seq), lane)
		for i := range *sums {
			(*sums)[i].Plus(&s.values[i])
		}
		s.lens.Charge(s.values, s.charged)
	}
	n := float64(max(len(frames), 1))
	s.values = append(s.values[:0], *sums...)
	for i := range s.values {
		s.values[i].Self /= n
		s.values[i].Count /= n
		s.values[i].Variance /= n * n
	}
	s.charged = append(s.charged[:0], s.lens.Charges...)
	for i := range s.charged {
		s.charged[i].Ease(1-1/n, &Charges{})
	}
}

// meanFrame returns a frame with the means of some frames and the number of the newest.
func (s *store) meanFrame(frames []uint64) (m history.Frame) {
	m.PerTick = s.msPerTick()
	n := float64(max(len(frames), 1))
	for _, seq := range frames {
		p := s.past.At(seq)
		m.Seq, m.Index = p.Seq, p.Index
		m.LengthMS, m.BusyMS = m.LengthMS+p.LengthMS/n, m.BusyMS+p.BusyMS/n
		m.IdleMS, m.SpanMS = m.IdleMS+p.IdleMS/n, m.SpanMS+p.SpanMS/n
		m.CostMS, m.GPUMS, m.Devices = m.CostMS+p.CostMS/n, m.GPUMS+p.GPUMS/n, m.Devices || p.Devices
		m.CPUMS, m.JoinedMS = m.CPUMS+p.CPUMS/n, m.JoinedMS+p.JoinedMS/n
		m.RunQueue, m.LockWait = m.RunQueue+p.RunQueue/float32(n), m.LockWait+p.LockWait/float32(n)
	}
	m.Length, m.Busy, m.GPU, m.HasGPU = float32(m.LengthMS), float32(m.BusyMS), float32(m.GPUMS), m.Devices
	return m
}

// frameOf returns the frame of a view, or the mean frame of its lens, or nil.
func (s *builder) frameOf(v *View) *history.Frame {
	if v.Through() && s.past.Next > 0 {
		return s.load(v)
	}
	return s.shown(v)
}
