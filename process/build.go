package process

import (
	"unsafe"

	"example.com/iprof/process/report"
)

// AppendReport fills dst with the report of the session's view. It reuses dst's memory, and does not allocate in steady
// state. Any goroutine may call it. Cost: BenchmarkReport of the root package.
func (s *Session) AppendReport(dst *Report) {
	s.lock()
	defer s.mu.Unlock()
	s.build(dst, &s.view)
	s.view.Cursor = max(dst.Cursor, 0)
}

// AppendReportOf fills dst with the report of a given view. It reuses dst's memory. Values of the view out of range are
// clamped; the session's own view stays. Any goroutine may call it.
func (s *Session) AppendReportOf(dst *Report, v View) {
	s.lock()
	defer s.mu.Unlock()
	s.clamp(&v)
	s.build(dst, &v)
}

// build makes a report.
func (s *builder) build(dst *Report, v *View) {
	s.seenLane(v)
	p := s.load(v)
	s.setIdleOutside(v, p)
	dst.Waits, dst.Runnable = false, false
	dst.Verdict.Clear()
	s.verdict(&dst.Verdict, v)
	s.rows.reset()
	dst.View, dst.Records, dst.Warnings = *v, dst.Records[:0], dst.Warnings[:0]
	dst.Frame = s.info(v, p)
	dst.Memory.Chosen = s.kinds.AppendColumns(append(dst.Memory.Chosen[:0], report.UsualColumns...))
	dst.Columns, dst.Sorted = dst.Memory.Chosen, ColumnSelf
	if v.Mode != ReportSelfTime {
		dst.Sorted = ColumnHier
	}
	dst.ChooseColumns(v)
	if v.Order.Chosen && v.Order.By < NumColumns {
		dst.Sorted = v.Order.By
	}
	want := v.Columns.Or(dst.Want)
	if v.Compare {
		want.Add(ColumnDeviation) // to tell noise from a change
	}
	s.stats.Asked = s.stats.Asked || !want.And(report.DearEver).Empty()
	s.setTitle(dst, v)
	dst.Values = s.appendValues(dst.Values[:0], v)
	dst.Marks = s.marksOf(dst.Marks[:0], v, &dst.Frame)
	if p != nil && !p.Lost && len(s.zones) > 0 {
		s.list(v)
		s.noteParts(v)
		s.showAtOnce(dst, v)
		s.chooseStates(dst, v)
		for i := range s.rows.list {
			dst.Records = resized(dst.Records, i+1)
			s.record(&dst.Records[i], &s.rows.list[i], v, &dst.Frame, p)
			if r := &s.rows.list[i]; r.inParts(v) {
				s.addPartHistory(&dst.Records[i], r, v, want)
			}
			if v.Mode == ReportExtra {
				s.addExcess(&dst.Records[i], &s.rows.list[i])
			}
			if !want.Empty() {
				s.statistics(&dst.Records[i], &s.rows.list[i], v, want)
			}
		}
		s.addStateTimes(dst, v, p)
	}
	dst.Cursor = s.cursor(v, dst.Records)
	s.arrangeLines(dst, v)
	dst.Warnings, dst.Clock = s.appendWarnings(dst.Warnings, &dst.Frame, dst), s.clockLine()
	dst.Warnings = s.appendMissed(dst.Warnings, want)
	dst.Warnings = s.appendStatesWarning(dst.Warnings, v)
	dst.Warnings = s.appendLensWarnings(dst.Warnings, &dst.Frame, v.Mode)
}

// setTitle writes the first line into the report's own memory. Title shares that memory: see Report.
func (s *builder) setTitle(r *Report, v *View) {
	title := s.appendArrangement(s.appendPin(s.appendTitle(r.Memory.Title[:0], v, &r.Frame), v), v)
	r.Memory.Title, r.Title = title, unsafe.String(unsafe.SliceData(title), len(title))
}

// list makes the rows of a view, in order.
func (s *builder) list(v *View) {
	spread := v.Recursion == RecursionSpread
	switch v.Mode {
	case ReportSelfTime, ReportHierarchicalTime:
		column := ColumnSelf
		if v.Mode == ReportHierarchicalTime {
			column = ColumnHier
		}
		s.flat(column, spread)
	case ReportCallGraph, ReportCallGraphDescendants:
		s.callGraph(s.focus(v), v.Mode == ReportCallGraphDescendants, spread)
		s.drop(true)
		s.arrange()
	case ReportCallTree:
		s.callTree()
	case ReportExtra:
		s.excess(v)
	}
}

// focus is the row around which a call graph is made. A zone that is not known is the root.
func (s *store) focus(v *View) rowKey {
	if v.Focus < 0 || int(v.Focus) >= len(s.zones) {
		return rowKey{group: GroupFocus}
	}
	return rowKey{zone: v.Focus, depth: int32(v.FocusDepth), group: GroupFocus}
}

// drop removes silent rows. With keepFocus the focus stays.
func (s *builder) drop(keepFocus bool) {
	list, kept := s.rows.list, 0
	for i := range list {
		if r := &list[i]; keepFocus && r.group == GroupFocus || !s.silent(&r.Value) {
			if kept < i {
				list[kept] = *r
			}
			kept++
		}
	}
	s.rows.list = list[:kept]
}

// arrange puts parents above the focus, the largest next to it, and children below it, the largest first.
func (s *builder) arrange() {
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
