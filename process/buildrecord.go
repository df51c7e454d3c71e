package process

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// record turns a row into a Record. It does so in place, because Records are large.
func (s *builder) record(out *Record, r *row, v *View, i *FrameInfo, p *history.Frame) {
	z := &s.zones[r.zone]
	// Field by field: a literal would be built elsewhere and copied.
	out.Zone, out.Path, out.Name, out.Site = r.zone, r.path, z.Name, s.site(r.zone)
	out.Indent, out.Mark, out.Heat = int(r.indent), MarkNone, 0
	out.Clear()
	out.States = nil
	out.Delta = Delta{}
	out.Open, out.Idle, out.Group, out.Mask = r.Open, s.idle(r.zone), r.group, report.BasicColumns
	out.Depth = s.depthOf(r, v)
	switch {
	case r.fold:
		out.Mark = MarkFocus
	case r.kids:
		out.Mark = MarkOpen
	}
	fillFrame(out, r, i, p)
	out.AddCharges(s.charged.At(r.Extra), r.Hier)
	if r.group == GroupFocus && (len(v.Pin) == 0 || r.path > 0 && s.under(v, r.path)) {
		s.addHistory(out, r, v)
	}
	cost := s.cost * p.PerTick * r.Count
	out.Costly = cost > history.CostlyRow*r.Hier && cost > 0 && r.Estimated == gather.EstimatedNone
	out.Budget = s.zoneBudgets.of(r.zone)
	out.Estimated, out.StandardError, out.Age = r.Estimated, math.Sqrt(r.Variance), float64(r.Age)/1000
}

// depthOf is the deepest recursion of a row, or its own depth with RecursionSpread. It is 0 for zones that do not
// recurse.
func (s *store) depthOf(r *row, v *View) int {
	deepest := r.deepest
	if v.Recursion == RecursionSpread {
		deepest = max(r.depth, s.byZone[r.zone].Depth)
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
func fillFrame(out *Record, r *row, i *FrameInfo, p *history.Frame) {
	out.Values[ColumnSelf], out.Values[ColumnHier], out.Values[ColumnCount] = r.Self, r.Hier, r.Count
	out.Values[ColumnSelfPercent], out.Values[ColumnHierPercent] = Share(r.Self, i.Length), Share(r.Hier, i.Length)
	out.Values[ColumnAtOnce] = 0
	if i.Length > 0 {
		out.Values[ColumnAtOnce] = r.Hier / i.Length
	}
	out.Values[ColumnTicks] = r.Hier / p.PerTick
	out.Values[ColumnErrors] = float64(r.Errors)
	if r.Count >= 0.25 {
		out.Values[ColumnSelfPerCall] = r.Self / r.Count
		out.Values[ColumnHierPerCall] = r.Hier / r.Count
		out.Mask.Add(ColumnSelfPerCall)
		out.Mask.Add(ColumnHierPerCall)
	}
}

// addHistory sets the values over the history, and the heat.
func (s *store) addHistory(out *Record, r *row, v *View) {
	column := 0
	if v.Mode != ReportSelfTime {
		column = 1
	}
	if s.smooth(v) && v.Lane == 0 && int(r.zone) < len(s.live.Zones) && v.Mode <= ReportHierarchicalTime {
		out.Heat = s.live.Zones[r.zone].Heat(int(v.Average), column)
	}
	if v.Through() {
		return // statistics sets these, from the frames of the lens only
	}
	h := s.historyOf(v)
	if r.path > 0 {
		if int(r.path) < len(h.Paths) {
			t := &h.Paths[r.path]
			out.Values[ColumnMean] = s.past.MeanOf(t, s.tree.Paths[r.path].Birth)
			out.Values[ColumnMax] = float64(t.Max)
			out.Mask = out.Mask.With(ColumnMean, ColumnMax)
		}
		return
	}
	if int(r.zone) >= len(h.Zones) || v.Recursion == RecursionSpread && r.path != 0 {
		return
	}
	z := &h.Zones[r.zone]
	t := &z.Hier
	if r.path == 0 { // a tree's row of its root has the time in no zone
		t = &z.Self
	}
	out.Values[ColumnMean] = s.past.MeanOf(t, s.past.Zones[r.zone].Birth)
	out.Values[ColumnMax], out.Values[ColumnMaxSelf] = float64(t.Max), float64(z.Self.Max)
	out.Mask = out.Mask.With(ColumnMean, ColumnMax, ColumnMaxSelf)
}
