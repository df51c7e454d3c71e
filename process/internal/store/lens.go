package store

import (
	"slices"
	"sort"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// LoadLens fills Values and ByZone of the store with means per frame over the frames of a lens. It returns a frame with
// the means.
func (k *Looker) LoadLens(v *report.View) *history.Frame {
	s, l := k.store, &k.Lens
	lane := s.LanePlace(v.Lane)
	of := v.LensInForce()
	if !l.Made || l.Of != of || l.Lane != lane || l.Gen != s.Gen || len(l.Sums) != len(s.Tree.Paths) {
		l.Made = true
		l.Of = of
		l.Lane = lane
		l.Gen = s.Gen
		w := s.WholeFor(of)
		k.choose(of)
		if l.Count = k.sumLens(w, l.Frames, v.Lane, lane, &l.Mean); l.Count < 2 {
			s.Charged.DropHeap(s.Values)
		}
		l.Sums = append(l.Sums[:0], s.Values...)
		l.Charged = append(l.Charged[:0], s.Charged...)
	}
	if v.Mode == report.ReportExtra {
		k.loadOthers(v, lane)
	}
	s.Values = append(s.Values[:0], l.Sums...)
	s.Charged = append(s.Charged[:0], l.Charged...)
	s.Derive(v, lane, l.Mean.SpanMS)
	return &l.Mean
}

// sumLens fills s.Values and s.Charged with means over frames of the history, or with sums over all frames, and m with
// the mean frame. It returns the number of frames. lane is the place of the viewed lane.
func (k *Looker) sumLens(w *Whole, frames []uint64, viewed report.LaneID, lane int32, m *history.Frame) (count int) {
	s := k.store
	if *m = s.meanFrame(frames, k.Lens.Of.Per(len(frames))); w == nil {
		k.sumUp(frames, lane)
		return len(frames)
	}
	if len(frames) == 0 {
		m.Seq = s.Past.Next - 1
	}
	k.sumWhole(w, viewed, m)
	return int(w.Frames)
}

// Derive computes s.Values and s.ByZone from self times and counts.
func (s *Store) Derive(v *report.View, lane int32, span float64) {
	if len(v.Pin) > 0 {
		s.pin(v.Pin)
		defer func() { s.pinned = 0 }()
	}
	s.rise()
	if lane == history.EveryLane && len(v.Pin) == 0 && len(s.Values) > 0 {
		s.Values[0].Hier = span
	}
	s.gatherZones(s.Past.Next)
}

// choose finds the frames of a lens.
func (k *Looker) choose(of report.Lens) {
	s, l := k.store, &k.Lens
	l.Frames, l.Lost = l.Frames[:0], 0
	for seq := s.Past.First(); seq < s.Past.Next; seq++ {
		if of.Takes(&s.Past.At(seq).FrameSummary) {
			l.Frames = append(l.Frames, seq)
		}
	}
	if of.Kind == report.LensSlowest {
		k.keepSlowest(of.Frames())
	}
	l.Frames = resize.Delete(l.Frames, func(seq uint64) bool {
		if s.Past.At(seq).Lost {
			l.Lost++
			return true
		}
		return false
	})
}

// keepSlowest keeps the n frames with the most judged time. Of equal frames it keeps the newer.
func (k *Looker) keepSlowest(n int) {
	l := &k.Lens
	sort.Sort((*bySlowness)(k))
	l.Frames = l.Frames[:min(n, len(l.Frames))]
	sort.Sort((*bySequence)(k))
}

// bySequence sorts the frames of the lens by sequence number: see bySlowness. It is used as a pointer, which allocates
// nothing.
type bySequence Looker

func (b *bySequence) Len() int           { return len(b.Lens.Frames) }
func (b *bySequence) Less(i, k int) bool { return b.Lens.Frames[i] < b.Lens.Frames[k] }
func (b *bySequence) Swap(i, k int)      { (*bySlowness)(b).Swap(i, k) }

// bySlowness sorts the frames of the lens. A generic sort would add 15 kB to each program.
type bySlowness Looker

func (b *bySlowness) Len() int { return len(b.Lens.Frames) }
func (b *bySlowness) Less(i, k int) bool {
	seq, other := b.Lens.Frames[i], b.Lens.Frames[k]
	ms, others := b.store.Past.At(seq).JudgedMS(), b.store.Past.At(other).JudgedMS()
	return ms > others || ms == others && seq > other
}
func (b *bySlowness) Swap(i, k int) {
	b.Lens.Frames[i], b.Lens.Frames[k] = b.Lens.Frames[k], b.Lens.Frames[i]
}

// sumUp fills s.Values and s.Charged with means per frame over some frames, or sums. Errors are sums.
func (k *Looker) sumUp(frames []uint64, lane int32) {
	s := k.store
	sums := &k.Lens.Scratch
	*sums = resize.To(*sums, len(s.Tree.Paths))
	clear(*sums)
	k.Lens.Charges.Reset()
	for _, seq := range frames {
		s.Sum(s.Past.At(seq), lane)
		for i := range *sums {
			(*sums)[i].Plus(&s.Values[i])
		}
		k.Lens.Charge(s.Values, s.Charged)
	}
	k.divide(k.Lens.Of.Per(len(frames)))
}

// divide turns the sums of the lens into means over n frames. Errors stay sums.
func (k *Looker) divide(n float64) {
	s := k.store
	s.Values = append(s.Values[:0], k.Lens.Scratch...)
	for i := range s.Values {
		s.Values[i].Self /= n
		s.Values[i].Count /= n
		s.Values[i].Variance /= n * n
	}
	s.Charged = append(s.Charged[:0], k.Lens.Charges...)
	for i := range s.Charged {
		s.Charged[i].Ease(1-1/n, &report.Charges{})
	}
}

// meanFrame returns a frame with the sums of some frames, divided by n, and the number of the newest.
func (s *Store) meanFrame(frames []uint64, n float64) (m history.Frame) {
	m.PerTick = s.MsPerTick()
	for _, seq := range frames {
		p := s.Past.At(seq)
		m.Seq, m.Index = p.Seq, p.Index
		m.Times.Add(&p.Times)
	}
	m.Divide(n)
	m.Summarize()
	return m
}

// loadOthers fills k.Lens.others, unless it is up to date.
func (k *Looker) loadOthers(v *report.View, lane int32) {
	s, o := k.store, &k.Lens.Others
	if o.Made && o.Gen == s.Gen && o.Of == k.Lens.Of && o.Lane == lane &&
		slices.Equal(o.Pin, v.Pin) && len(o.Values) == len(s.Tree.Paths) {
		return
	}
	w := (*Whole)(nil)
	if s.WholeFor(k.Lens.Of) != nil {
		w = s.lensSums(k.Lens.Of, true)
	}
	o.Made = true
	o.Gen = s.Gen
	o.Of = k.Lens.Of
	o.Lane = lane
	o.Pin = append(o.Pin[:0], v.Pin...)
	o.Frames = o.Frames[:0]
	chosen := k.Lens.Frames
	for seq := s.Past.First(); seq < s.Past.Next; seq++ {
		if len(chosen) > 0 && chosen[0] == seq {
			chosen = chosen[1:]
		} else if p := s.Past.At(seq); !p.Lost &&
			!(k.Lens.Of.Kind != report.LensSlowest && k.Lens.Of.Takes(&p.FrameSummary)) {
			o.Frames = append(o.Frames, seq)
		}
	}
	o.Count = k.sumLens(w, o.Frames, v.Lane, lane, &o.Mean)
	s.Derive(v, lane, o.Mean.SpanMS)
	o.Values = append(o.Values[:0], s.Values...)
	o.Zones = append(o.Zones[:0], s.ByZone...)
}
