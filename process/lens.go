package process

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// SetLens sets the lens. Through a lens, each report shows means per frame over many frames, and Age and Average have
// no effect. The zero Lens is off. The cursor goes to the zone that causes the excess of these frames: see Verdict. Any
// goroutine may call it.
func (s *Session) SetLens(l report.Lens) {
	s.look(func(v *report.View) {
		v.Lens = l
		if l.Kind != report.LensOff {
			v.Kept = 0
		}
	})
}

// loadLens fills s.values and s.byZone with means per frame over the frames of a lens. It returns a frame with the
// means.
func (s *store) loadLens(v *report.View) *history.Frame {
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
	if v.Mode == report.ReportExtra {
		s.loadOthers(v, lane)
	}
	s.values = append(s.values[:0], l.Sums...)
	s.charged = append(s.charged[:0], l.Charged...)
	s.derive(v, lane, l.Mean.SpanMS)
	return &l.Mean
}

// derive computes s.values and s.byZone from self times and counts.
func (s *store) derive(v *report.View, lane int32, span float64) {
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
func (s *store) choose(of report.Lens) {
	l := &s.lens
	l.Frames, l.Lost = l.Frames[:0], 0
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		if of.Takes(&s.past.At(seq).FrameSummary) {
			l.Frames = append(l.Frames, seq)
		}
	}
	if of.Kind == report.LensSlowest {
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
	*sums = resize.To(*sums, len(s.tree.Paths))
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
		s.charged[i].Ease(1-1/n, &report.Charges{})
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
func (s *builder) frameOf(v *report.View) *history.Frame {
	if v.Through() && s.past.Next > 0 {
		return s.load(v)
	}
	return s.shown(v)
}

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (s *builder) describe(i *report.FrameInfo, v *report.View, p *history.Frame) {
	i.Lens = v.LensInForce()
	if i.Lens.Kind != report.LensOff {
		i.LensFrames, i.LensLost = len(s.lens.Frames), s.lens.Lost
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(s.past.Next - 1 - p.Seq)
		}
	}
}

// appendLensWarnings appends the warnings about frames that the lens misses.
func (s *builder) appendLensWarnings(dst []string, i *report.FrameInfo, mode report.ReportMode) []string {
	l := &s.lens
	switch {
	case i.Lens.Kind == report.LensOff || i.Frames == 0:
		return dst
	case i.LensFrames == 0 && i.LensLost == 0:
		dst = append(dst, "no frame of the history is one that the lens chooses")
	case mode == report.ReportExtra && len(l.Others.Frames) == 0:
		dst = append(dst, "all frames of the history are ones that the lens chooses: there are none to compare with")
	}
	if i.LensLost > 0 {
		dst = append(dst, l.LostWarning(i.LensLost))
	}
	return dst
}

// loadOthers fills s.lens.others, unless it is up to date.
func (s *store) loadOthers(v *report.View, lane int32) {
	o := &s.lens.Others
	if o.Made && o.Gen == s.gen && o.Of == s.lens.Of && o.Lane == lane &&
		slices.Equal(o.Pin, v.Pin) && len(o.Values) == len(s.tree.Paths) {
		return
	}
	o.Made, o.Gen, o.Of, o.Lane, o.Pin = true, s.gen, s.lens.Of, lane, append(o.Pin[:0], v.Pin...)
	o.Frames = o.Frames[:0]
	chosen := s.lens.Frames
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		if len(chosen) > 0 && chosen[0] == seq {
			chosen = chosen[1:]
		} else if p := s.past.At(seq); !p.Lost &&
			!(s.lens.Of.Kind != report.LensSlowest && s.lens.Of.Takes(&p.FrameSummary)) {
			o.Frames = append(o.Frames, seq)
		}
	}
	s.sumUp(o.Frames, lane)
	o.Mean = s.meanFrame(o.Frames)
	s.derive(v, lane, o.Mean.SpanMS)
	o.Values = append(o.Values[:0], s.values...)
	o.Zones = append(o.Zones[:0], s.byZone...)
}

// excess makes the rows of ReportExtra: one per zone, the largest excess first. If a zone has several paths, one row
// for each follows.
func (s *builder) excess(v *report.View) {
	if len(s.lens.Frames) == 0 || len(s.lens.Others.Frames) == 0 {
		return
	}
	r := &s.rows
	least := s.leastExcess()
	s.markParents()
	r.list = r.list[:0]
	for i := range s.byZone {
		z := &s.byZone[i]
		n := row{rowKey: rowKey{zone: report.ZoneID(i), group: report.GroupFocus}, Value: z.Value,
			deepest: z.Depth, path: -1, kids: z.Kids}
		if z.Seen && !s.extraOf(&n).Below(least) {
			r.list = append(r.list, n)
		}
	}
	s.sortByExcess(0)
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for i := range r.sorting {
		r.list = append(r.list, r.sorting[i])
		s.excessPaths(&r.sorting[i], least)
	}
}

// excessPaths adds the rows of the paths of a zone.
func (s *builder) excessPaths(of *row, least float64) {
	if int(of.zone) >= len(s.stats.Only) || s.stats.Only[of.zone] != history.SeveralPaths {
		return
	}
	r := &s.rows
	from := len(r.list)
	for i := range s.tree.Paths {
		if p := &s.tree.Paths[i]; p.Zone == of.zone {
			n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: report.GroupFocus}, Value: s.values[i],
				deepest: p.Depth, path: int32(i), indent: 1}
			if !s.extraOf(&n).Below(least) {
				r.list = append(r.list, n)
			}
		}
	}
	s.sortByExcess(from)
}

// sortByExcess sorts the rows from one on. A generic sort of rows would add 30 kB to each program.
func (s *builder) sortByExcess(from int) {
	s.rows.sortFrom = from
	sort.Sort((*rowsByExcess)(s))
}

type rowsByExcess builder

func (s *rowsByExcess) list() []row { return s.rows.list[s.rows.sortFrom:] }
func (s *rowsByExcess) Len() int    { return len(s.list()) }
func (s *rowsByExcess) Less(i, k int) bool {
	return (*builder)(s).byExcess(&s.list()[i], &s.list()[k]) < 0
}
func (s *rowsByExcess) Swap(i, k int) { s.list()[i], s.list()[k] = s.list()[k], s.list()[i] }

// wholeExcess is the busy time of the frames of the lens less that of the others, in ms a frame.
func (s *builder) wholeExcess() float64 { return s.lens.Mean.BusyMS - s.lens.Others.Mean.BusyMS }

func (s *builder) leastExcess() float64 {
	return max(history.LeastExcess, history.LeastExcessShare*math.Abs(s.wholeExcess()))
}

func (s *builder) extraOf(r *row) (e history.Extra) {
	e = history.Extra{Self: r.Self, Hier: r.Hier}
	o := &s.lens.Others
	switch {
	case r.path >= 0 && int(r.path) < len(o.Values):
		e.Self, e.Hier = e.Self-o.Values[r.path].Self, e.Hier-o.Values[r.path].Hier
	case r.path < 0 && int(r.zone) < len(o.Zones):
		e.Self, e.Hier = e.Self-o.Zones[r.zone].Self, e.Hier-o.Zones[r.zone].Hier
	}
	return e
}

func (s *builder) byExcess(a, b *row) int {
	x, y := s.extraOf(a), s.extraOf(b)
	if idle := s.zones[a.zone].Idle; idle != s.zones[b.zone].Idle {
		if idle {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Hier, x.Hier),
		cmp.Compare(a.zone, b.zone), cmp.Compare(a.path, b.path))
}

// addExcess sets the excess of a record. Idle zones have no percentage: waiting does not make a frame slow.
func (s *builder) addExcess(out *report.Record, r *row) {
	e := s.extraOf(r)
	out.Put(report.ColumnExtraSelf, e.Self)
	out.Put(report.ColumnExtraHier, e.Hier)
	if whole := s.wholeExcess(); whole > history.LeastExcess && !out.Idle {
		out.Put(report.ColumnExtraPercent, 100*e.Self/whole)
	}
	if r.path > 0 {
		out.Site = s.where(r.path)
	}
}

// where names the callers of a path, innermost first.
func (s *builder) where(path int32) string {
	o := &s.lens.Others
	if text, known := o.Where[path]; known {
		return text
	}
	if o.Where == nil {
		o.Where = make(map[int32]string)
	}
	var above []string
	up := s.tree.Paths[path].Parent
	for ; up > 0 && len(above) < history.WhereLevels; up = s.tree.Paths[up].Parent {
		above = append(above, s.zones[s.tree.Paths[up].Zone].Name)
	}
	text := "at the top"
	if len(above) > 0 {
		text = "in " + strings.Join(above, " in ")
	}
	if up > 0 {
		text += " ..."
	}
	o.Where[path] = text
	return text
}
