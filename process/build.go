package process

import (
	"math"
	"unsafe"

	"example.com/iprof/gather"
)

// AppendReport fills dst with the report of the current view, reusing its memory.
func (s *Session) AppendReport(dst *Report) {
	s.lock()
	defer s.mu.Unlock()
	s.build(dst, &s.view)
	s.view.Cursor = max(dst.Cursor, 0)
}

// AppendReportOf fills dst with the report of any view, reusing its memory. The view is clamped; the session's own stays.
func (s *Session) AppendReportOf(dst *Report, v View) {
	s.lock()
	defer s.mu.Unlock()
	s.clamp(&v)
	s.build(dst, &v)
}

// The columns of all report modes, as in the manual, and the values that every record has beside them.
var (
	columns    = []Column{ColumnSelf, ColumnHier, ColumnCount}
	shownBasic = ColumnSet(1<<ColumnSelf | 1<<ColumnHier | 1<<ColumnCount | 1<<ColumnSelfPercent | 1<<ColumnHierPercent |
		1<<ColumnTicks | 1<<ColumnErrors)
)

// build makes a report.
func (s *Session) build(dst *Report, v *View) {
	p := s.load(v)
	s.rows.reset()
	dst.View, dst.Records, dst.Warnings = *v, dst.Records[:0], dst.Warnings[:0]
	dst.Frame = s.info(v, p)
	dst.chosen = s.kinds.appendColumns(append(dst.chosen[:0], columns...))
	dst.Columns, dst.Sorted = dst.chosen, ColumnSelf
	if v.Mode != SelfTime {
		dst.Sorted = ColumnHier
	}
	dst.chooseColumns(v)
	want := v.Columns | dst.Want
	s.stats.asked = s.stats.asked || want&dearEver != 0
	dst.setTitle(s, v)
	dst.Values = s.appendValues(dst.Values[:0], v)
	dst.Warnings = s.appendWarnings(dst.Warnings, &dst.Frame)
	dst.Warnings = s.appendMissed(dst.Warnings, want)
	dst.Warnings = s.appendLensWarnings(dst.Warnings, &dst.Frame, v.Mode)
	if p != nil && !p.lost && len(s.zones) > 0 {
		s.list(v)
		for i := range s.rows.list {
			dst.Records = resized(dst.Records, i+1)
			s.record(&dst.Records[i], &s.rows.list[i], v, &dst.Frame, p)
			if v.Mode == Extra {
				s.addExcess(&dst.Records[i], &s.rows.list[i])
			}
			if want != 0 {
				s.statistics(&dst.Records[i], &s.rows.list[i], v, want)
			}
		}
	}
	dst.Cursor = s.cursor(v, dst.Records)
}

// setTitle writes the first line into the report's own memory, which the Title shares: see Report.
func (r *Report) setTitle(s *Session, v *View) {
	r.title = s.appendPin(appendTitle(r.title[:0], v, &r.Frame), v)
	r.Title = unsafe.String(unsafe.SliceData(r.title), len(r.title))
}

// list makes the rows of a view, in order.
func (s *Session) list(v *View) {
	spread := v.Recursion == Spread
	switch v.Mode {
	case SelfTime, HierarchicalTime:
		column := ColumnSelf
		if v.Mode == HierarchicalTime {
			column = ColumnHier
		}
		s.flat(column, spread)
	case CallGraph, CallGraphDescendants:
		s.callGraph(s.focus(v), v.Mode == CallGraphDescendants, spread)
		s.drop(true)
		s.arrange()
	case CallTree:
		s.callTree()
	case Extra:
		s.excess(v)
	}
}

// focus is the row a call graph is about; a zone that is not known is the root.
func (s *Session) focus(v *View) rowKey {
	if v.Focus < 0 || int(v.Focus) >= len(s.zones) {
		return rowKey{group: GroupFocus}
	}
	return rowKey{zone: v.Focus, depth: int32(v.FocusDepth), group: GroupFocus}
}

// drop removes rows that have nothing to tell; the focus stays.
func (s *Session) drop(keepFocus bool) {
	list, kept := s.rows.list, 0
	for i := range list {
		if r := &list[i]; keepFocus && r.group == GroupFocus || !r.silent() {
			if kept < i {
				list[kept] = *r
			}
			kept++
		}
	}
	s.rows.list = list[:kept]
}

// arrange puts parents above the focus, the largest next to it, and children below, the largest first.
func (s *Session) arrange() {
	r := &s.rows
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for group := GroupParent; group <= GroupChild; group++ {
		from := len(r.list)
		for _, row := range r.sorting {
			if row.group == group {
				row.indent = 1
				if group == GroupFocus {
					row.indent = 0
				}
				r.list = append(r.list, row)
			}
		}
		s.byColumn(r.list[from:], ColumnHier, group == GroupParent)
	}
}

// record turns a row into a Record, in place: Records are large.
func (s *Session) record(out *Record, r *row, v *View, i *FrameInfo, p *pastFrame) {
	z := &s.zones[r.zone]
	// Field by field: a literal would be made elsewhere and copied.
	out.Zone, out.Path, out.Name, out.Site = r.zone, r.path, z.Name, s.site(r.zone)
	out.Indent, out.Mark, out.Heat = int(r.indent), MarkNone, 0
	out.clear()
	out.Open, out.Idle, out.Group, out.Mask = r.open, z.Idle, r.group, shownBasic
	out.Depth = s.depthOf(r, v)
	switch {
	case r.fold:
		out.Mark = MarkFocus
	case r.kids:
		out.Mark = MarkOpen
	}
	out.fill(r, i, p)
	out.charge(s.charged.at(r.extra), r.hier)
	if r.group == GroupFocus && v.Lane == 0 && len(v.Pin) == 0 {
		s.addHistory(out, r, v)
	}
	cost := s.cost * p.perTick * r.count
	out.Costly = cost > costlyRow*r.hier && cost > 0 && r.estimated == gather.Exact
	out.Estimated, out.StandardError = r.estimated, math.Sqrt(r.variance)
}

// depthOf is the deepest recursion of a row, or the one depth it is about; 0 for zones that do not recurse.
func (s *Session) depthOf(r *row, v *View) int {
	deepest := r.deepest
	if v.Recursion == Spread {
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

// fill sets the values of the frame itself.
func (out *Record) fill(r *row, i *FrameInfo, p *pastFrame) {
	out.Values[ColumnSelf], out.Values[ColumnHier], out.Values[ColumnCount] = r.self, r.hier, r.count
	out.Values[ColumnSelfPercent], out.Values[ColumnHierPercent] = 0, 0
	if i.Length > 0 {
		out.Values[ColumnSelfPercent] = 100 * r.self / i.Length
		out.Values[ColumnHierPercent] = 100 * r.hier / i.Length
	}
	out.Values[ColumnTicks] = r.hier / p.perTick
	out.Values[ColumnErrors] = float64(r.errors)
	if r.count >= 0.25 {
		out.Values[ColumnSelfPerCall] = r.self / r.count
		out.Values[ColumnHierPerCall] = r.hier / r.count
		out.Mask |= 1<<ColumnSelfPerCall | 1<<ColumnHierPerCall
	}
}

// addHistory sets the values over the history, and the heat.
func (s *Session) addHistory(out *Record, r *row, v *View) {
	column := 0
	if v.Mode != SelfTime {
		column = 1
	}
	if s.smooth(v) && int(r.zone) < len(s.live.zones) && v.Mode <= HierarchicalTime {
		out.Heat = s.live.zones[r.zone].heat(int(v.Average), column)
	}
	if v.through() {
		return // of its frames, not of the whole history: see statistics
	}
	if r.path > 0 {
		if int(r.path) < len(s.past.paths) {
			t := &s.past.paths[r.path]
			out.Values[ColumnMean] = t.mean(s.past.lived(s.tree.paths[r.path].birth))
			out.Values[ColumnMax] = float64(t.max)
			out.Mask |= 1<<ColumnMean | 1<<ColumnMax
		}
		return
	}
	if int(r.zone) >= len(s.past.zones) || v.Recursion == Spread {
		return
	}
	z := &s.past.zones[r.zone]
	out.Values[ColumnMean] = z.hier.mean(s.past.lived(z.birth))
	out.Values[ColumnMax], out.Values[ColumnMaxSelf] = float64(z.hier.max), float64(z.self.max)
	out.Mask |= 1<<ColumnMean | 1<<ColumnMax | 1<<ColumnMaxSelf
}

// lived is how many frames of the history something born in a frame has seen.
func (h *history) lived(birth uint64) int {
	return int(h.next - min(max(birth, h.first()), h.next))
}

// mean is the mean over so many frames.
func (t *trace1) mean(frames int) float64 {
	if frames == 0 {
		return 0
	}
	return t.sum / float64(frames)
}
