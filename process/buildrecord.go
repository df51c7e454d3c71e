package process

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// record turns a row into a Record. It does so in place, because Records are large.
func (s *Session) record(out *Record, r *row, v *View, i *FrameInfo, p *pastFrame) {
	z := &s.zones[r.zone]
	// Field by field: a literal would be built elsewhere and copied.
	out.Zone, out.Path, out.Name, out.Site = r.zone, r.path, z.Name, s.site(r.zone)
	out.Indent, out.Mark, out.Heat = int(r.indent), MarkNone, 0
	out.Clear()
	out.States = nil
	out.Delta = Delta{}
	out.Open, out.Idle, out.Group, out.Mask = r.open, s.idle(r.zone), r.group, report.BasicColumns
	out.Depth = s.depthOf(r, v)
	switch {
	case r.fold:
		out.Mark = MarkFocus
	case r.kids:
		out.Mark = MarkOpen
	}
	fillFrame(out, r, i, p)
	out.AddCharges(s.charged.at(r.extra), r.hier)
	if r.group == GroupFocus && (len(v.Pin) == 0 || r.path > 0 && s.under(v, r.path)) {
		s.addHistory(out, r, v)
	}
	cost := s.cost * p.perTick * r.count
	out.Costly = cost > costlyRow*r.hier && cost > 0 && r.estimated == gather.EstimatedNone
	out.Budget = s.zoneBudgets.of(r.zone)
	out.Estimated, out.StandardError, out.Age = r.estimated, math.Sqrt(r.variance), float64(r.age)/1000
}

// depthOf is the deepest recursion of a row, or its own depth with RecursionSpread. It is 0 for zones that do not
// recurse.
func (s *Session) depthOf(r *row, v *View) int {
	deepest := r.deepest
	if v.Recursion == RecursionSpread {
		deepest = max(r.depth, s.byZone[r.zone].depth)
		if deepest > 0 {
			return int(r.depth) + 1
		}
	}
	if deepest > 0 {
		return int(deepest) + 1
	}
	return 0
}

// fillFrame sets the values of the frame itself.
func fillFrame(out *Record, r *row, i *FrameInfo, p *pastFrame) {
	out.Values[ColumnSelf], out.Values[ColumnHier], out.Values[ColumnCount] = r.self, r.hier, r.count
	out.Values[ColumnSelfPercent], out.Values[ColumnHierPercent] = Share(r.self, i.Length), Share(r.hier, i.Length)
	out.Values[ColumnAtOnce] = 0
	if i.Length > 0 {
		out.Values[ColumnAtOnce] = r.hier / i.Length
	}
	out.Values[ColumnTicks] = r.hier / p.perTick
	out.Values[ColumnErrors] = float64(r.errors)
	if r.count >= 0.25 {
		out.Values[ColumnSelfPerCall] = r.self / r.count
		out.Values[ColumnHierPerCall] = r.hier / r.count
		out.Mask.Add(ColumnSelfPerCall)
		out.Mask.Add(ColumnHierPerCall)
	}
}

// addHistory sets the values over the history, and the heat.
func (s *Session) addHistory(out *Record, r *row, v *View) {
	column := 0
	if v.Mode != ReportSelfTime {
		column = 1
	}
	if s.smooth(v) && v.Lane == 0 && int(r.zone) < len(s.live.zones) && v.Mode <= ReportHierarchicalTime {
		out.Heat = s.live.zones[r.zone].heat(int(v.Average), column)
	}
	if v.Through() {
		return // statistics sets these, from the frames of the lens only
	}
	h := s.historyOf(v)
	if r.path > 0 {
		if int(r.path) < len(h.paths) {
			t := &h.paths[r.path]
			out.Values[ColumnMean] = s.past.meanOf(t, s.tree.paths[r.path].birth)
			out.Values[ColumnMax] = float64(t.max)
			out.Mask = out.Mask.With(ColumnMean, ColumnMax)
		}
		return
	}
	if int(r.zone) >= len(h.zones) || v.Recursion == RecursionSpread && r.path != 0 {
		return
	}
	z := &h.zones[r.zone]
	t := &z.hier
	if r.path == 0 { // a tree's row of its root has the time in no zone
		t = &z.self
	}
	out.Values[ColumnMean] = s.past.meanOf(t, s.past.zones[r.zone].birth)
	out.Values[ColumnMax], out.Values[ColumnMaxSelf] = float64(t.max), float64(z.self.max)
	out.Mask = out.Mask.With(ColumnMean, ColumnMax, ColumnMaxSelf)
}

// meanOf is the mean of a trace over the frames since birth whose times are known.
func (h *history) meanOf(t *trace1, birth uint64) float64 {
	from := min(max(birth, h.first()), h.next)
	frames := h.next - from
	for seq := from; seq < h.next && t.gap != nil && t.gap.n > 0; seq++ {
		if !t.known(seq) {
			frames--
		}
	}
	if frames == 0 {
		return 0
	}
	return t.sum / float64(frames)
}
