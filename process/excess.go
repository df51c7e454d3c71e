package process

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/process/internal/history"
)

// loadOthers fills s.lens.others, unless it is up to date.
func (s *store) loadOthers(v *View, lane int32) {
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
		} else if p := s.past.At(seq); !p.Lost && !(s.lens.Of.Kind != LensSlowest && s.lens.Of.Takes(&p.FrameSummary)) {
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
func (s *builder) excess(v *View) {
	if len(s.lens.Frames) == 0 || len(s.lens.Others.Frames) == 0 {
		return
	}
	r := &s.rows
	least := s.leastExcess()
	s.markParents()
	r.list = r.list[:0]
	for i := range s.byZone {
		z := &s.byZone[i]
		n := row{rowKey: rowKey{zone: ZoneID(i), group: GroupFocus}, Value: z.Value,
			deepest: z.Depth, path: -1, kids: z.Kids}
		if z.Seen && !s.extraOf(&n).Below(least) {
			r.list = append(r.list, n)
		}
	}
	slices.SortFunc(r.list, func(a, b row) int { return s.byExcess(&a, &b) })
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
			n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: GroupFocus}, Value: s.values[i],
				deepest: p.Depth, path: int32(i), indent: 1}
			if !s.extraOf(&n).Below(least) {
				r.list = append(r.list, n)
			}
		}
	}
	slices.SortFunc(r.list[from:], func(a, b row) int { return s.byExcess(&a, &b) })
}

// wholeExcess is the busy time of the frames of the lens less that of the others, in ms a frame.
func (s *store) wholeExcess() float64 { return s.lens.Mean.BusyMS - s.lens.Others.Mean.BusyMS }

func (s *store) leastExcess() float64 {
	return max(history.LeastExcess, history.LeastExcessShare*math.Abs(s.wholeExcess()))
}

func (s *store) extraOf(r *row) (e history.Extra) {
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

func (s *store) byExcess(a, b *row) int {
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
func (s *store) addExcess(out *Record, r *row) {
	e := s.extraOf(r)
	out.Put(ColumnExtraSelf, e.Self)
	out.Put(ColumnExtraHier, e.Hier)
	if whole := s.wholeExcess(); whole > history.LeastExcess && !out.Idle {
		out.Put(ColumnExtraPercent, 100*e.Self/whole)
	}
	if r.path > 0 {
		out.Site = s.where(r.path)
	}
}

// where names the callers of a path, innermost first.
func (s *store) where(path int32) string {
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
