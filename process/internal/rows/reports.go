package rows

import (
	"math"
	"slices"
	"strconv"
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// Build makes a report.
func (s *Builder) Build(dst *report.Report, v *report.View) {
	s.SeenLane(v)
	p := s.Load(v)
	s.setIdleOutside(v, p)
	dst.Waits, dst.Runnable = false, false
	dst.Verdict.Clear()
	s.Verdict(&dst.Verdict, v)
	s.rows.reset()
	dst.View, dst.Records, dst.Warnings = *v, dst.Records[:0], dst.Warnings[:0]
	dst.Frame = s.Info(v, p)
	dst.Memory.Chosen = s.Kinds.AppendColumns(append(dst.Memory.Chosen[:0], report.UsualColumns...))
	dst.Columns, dst.Sorted = dst.Memory.Chosen, report.ColumnSelf
	if v.Mode != report.ReportSelfTime {
		dst.Sorted = report.ColumnHier
	}
	dst.ChooseColumns(v)
	if v.Order.Chosen && v.Order.By < report.NumColumns {
		dst.Sorted = v.Order.By
	}
	want := v.Columns.Or(dst.Want)
	if v.Compare {
		want.Add(report.ColumnDeviation) // to tell noise from a change
	}
	s.Stats.Asked = s.Stats.Asked || !want.And(report.DearEver).Empty()
	s.setTitle(dst, v)
	dst.Values = s.AppendValues(dst.Values[:0], v)
	s.setCalls(dst)
	dst.Marks = s.marksOf(dst.Marks[:0], v, &dst.Frame)
	if p != nil && !p.Lost && len(s.Zones) > 0 {
		s.list(v)
		s.noteParts(v)
		s.showAtOnce(dst, v)
		s.chooseStates(dst, v)
		for i := range s.rows.list {
			dst.Records = resize.To(dst.Records, i+1)
			s.record(&dst.Records[i], &s.rows.list[i], v, &dst.Frame, p)
			if r := &s.rows.list[i]; r.inParts(v) {
				s.addPartHistory(&dst.Records[i], r, v, want)
			}
			if v.Mode == report.ReportExtra {
				s.addExcess(&dst.Records[i], &s.rows.list[i])
			}
			if !want.Empty() {
				s.statistics(&dst.Records[i], &s.rows.list[i], v, want)
				s.wholeMeans(&dst.Records[i], &s.rows.list[i], v, want)
			}
		}
		s.addStateTimes(dst, v, p)
	}
	dst.Cursor = s.cursor(v, dst.Records)
	s.arrangeLines(dst, v)
	dst.Warnings, dst.Clock = s.AppendWarnings(dst.Warnings, &dst.Frame, dst), s.clockLine()
	dst.Tick = s.Clock.Tick()
	dst.Warnings = s.appendJoined(s.appendMissed(dst.Warnings, want))
	dst.Warnings = s.appendStatesWarning(dst.Warnings, v)
	dst.Warnings = s.appendHeapWarning(s.appendWholeWarning(dst.Warnings, v, want), v, want)
	dst.Warnings = s.appendLensWarnings(dst.Warnings, &dst.Frame, v.Mode)
}

// setCalls sets the data of single calls in a report.
func (s *Builder) setCalls(dst *report.Report) {
	if dst.Calls = dst.Calls[:0]; dst.WantCalls {
		dst.Calls = s.appendCallRows(dst.Calls)
	}
	slow, seen, now := s.SlowOnes()
	dst.SlowCalls, dst.SlowSeen, dst.Now = append(dst.SlowCalls[:0], slow...), seen, now
}

// setTitle writes the first line into the report's own memory. Title shares that memory: see Report.
func (s *Builder) setTitle(r *report.Report, v *report.View) {
	title := s.appendArrangement(s.appendPin(s.appendTitle(r.Memory.Title[:0], v, &r.Frame), v), v)
	r.Memory.Title, r.Title = title, unsafe.String(unsafe.SliceData(title), len(title))
}

// list makes the rows of a view, in order.
func (s *Builder) list(v *report.View) {
	spread := v.Recursion == report.RecursionSpread
	switch v.Mode {
	case report.ReportSelfTime, report.ReportHierarchicalTime:
		column := report.ColumnSelf
		if v.Mode == report.ReportHierarchicalTime {
			column = report.ColumnHier
		}
		s.flat(column, spread)
	case report.ReportCallGraph, report.ReportCallGraphDescendants:
		s.callGraph(s.focus(v), v.Mode == report.ReportCallGraphDescendants, spread)
		s.drop(true)
		s.arrange()
	case report.ReportCallTree:
		s.callTree()
	case report.ReportExtra:
		s.excess(v)
	}
}

// focus returns the row around which a call graph is made. An unknown zone counts as the root.
func (s *Builder) focus(v *report.View) rowKey {
	if v.Focus < 0 || int(v.Focus) >= len(s.Zones) {
		return rowKey{group: report.GroupFocus}
	}
	return rowKey{zone: v.Focus, depth: int32(v.FocusDepth), group: report.GroupFocus}
}

// drop removes silent rows. With keepFocus the focus stays.
func (s *Builder) drop(keepFocus bool) {
	list, kept := s.rows.list, 0
	for i := range list {
		if r := &list[i]; keepFocus && r.group == report.GroupFocus || !s.silent(&r.Value) {
			if kept < i {
				list[kept] = *r
			}
			kept++
		}
	}
	s.rows.list = list[:kept]
}

// arrange puts parents above the focus, the largest next to it, and children below it, the largest first.
func (s *Builder) arrange() {
	r := &s.rows
	r.sorting = append(r.sorting[:0], r.list...)
	r.list = r.list[:0]
	for group := report.GroupParent; group <= report.GroupChild; group++ {
		from := len(r.list)
		for _, row := range r.sorting {
			if row.group == group {
				row.indent = 1
				if group == report.GroupFocus {
					row.indent = 0
				}
				r.list = append(r.list, row)
			}
		}
		s.byColumn(r.list[from:], report.ColumnHier, group == report.GroupParent)
	}
}

// record turns a row into a Record, in place, because Records are large.
func (s *Builder) record(out *report.Record, r *row, v *report.View, i *report.FrameInfo, p *history.Frame) {
	z := &s.Zones[r.zone]
	// Field by field: a literal would be built elsewhere and copied.
	out.Zone, out.Path, out.Name, out.Site = r.zone, r.path, z.Name, s.site(r.zone)
	out.Package = z.Package()
	out.Indent, out.Mark, out.Heat = int(r.indent), report.MarkNone, 0
	out.Clear()
	out.States = nil
	out.Delta = report.Delta{}
	out.Open, out.Idle, out.Group, out.Mask = r.Open, s.idle(r.zone), r.group, report.BasicColumns
	out.Depth = s.depthOf(r, v)
	switch {
	case r.fold:
		out.Mark = report.MarkFocus
	case r.kids:
		out.Mark = report.MarkOpen
	}
	fillFrame(out, r, i, p)
	out.AddCharges(s.Charged.At(r.Extra), r.Hier)
	if r.group == report.GroupFocus && (len(v.Pin) == 0 || r.path > 0 && s.under(v, r.path)) {
		s.addHistory(out, r, v)
	}
	if len(s.Waited) > 0 {
		s.putWaited(out)
	}
	cost := s.Cost * p.PerTick * r.Count
	out.Costly = cost > history.CostlyRow*r.Hier && cost > 0 && r.Estimated == gather.EstimatedNone
	out.Budget = s.ZoneBudgets.Of(r.zone)
	out.Estimated, out.StandardError = r.Estimated, math.Sqrt(r.Variance)
}

// depthOf returns the deepest recursion of a row, or its own depth with RecursionSpread. It returns 0 for zones that do
// not recurse.
func (s *Builder) depthOf(r *row, v *report.View) int {
	deepest := r.deepest
	if v.Recursion == report.RecursionSpread {
		deepest = max(r.depth, s.ByZone[r.zone].Depth)
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
func fillFrame(out *report.Record, r *row, i *report.FrameInfo, p *history.Frame) {
	out.Values[report.ColumnSelf], out.Values[report.ColumnHier] = r.Self, r.Hier
	out.Values[report.ColumnCount] = r.Count
	out.Values[report.ColumnSelfPercent] = report.Share(r.Self, i.Length)
	out.Values[report.ColumnHierPercent] = report.Share(r.Hier, i.Length)
	out.Values[report.ColumnAtOnce] = 0
	if i.Length > 0 {
		out.Values[report.ColumnAtOnce] = r.Hier / i.Length
	}
	out.Values[report.ColumnTicks] = r.Hier / p.PerTick
	out.Values[report.ColumnErrors] = float64(r.Errors)
	if r.Count >= 0.25 {
		out.Values[report.ColumnSelfPerCall] = r.Self / r.Count
		out.Values[report.ColumnHierPerCall] = r.Hier / r.Count
		out.Mask.Add(report.ColumnSelfPerCall)
		out.Mask.Add(report.ColumnHierPerCall)
	}
}

// addHistory sets the values over the history, and the heat.
func (s *Builder) addHistory(out *report.Record, r *row, v *report.View) {
	column := 0
	if v.Mode != report.ReportSelfTime {
		column = 1
	}
	if s.Smooth(v) && v.Lane == 0 && v.Mode <= report.ReportHierarchicalTime {
		out.Heat = s.Live.Heat(r.zone, int(v.Average), column)
	}
	if v.Through() {
		return // statistics sets these, only from the frames of the lens
	}
	h := s.HistoryOf(v)
	if r.path > 0 {
		if int(r.path) < h.Paths.Len() {
			t := h.Paths.At(int(r.path))
			out.Values[report.ColumnMean] = s.Past.MeanOf(t, s.Tree.Paths[r.path].Birth)
			out.Values[report.ColumnMax] = float64(t.Max(s.Past.First()))
			out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax)
		}
		return
	}
	if int(r.zone) >= h.Zones.Len() || v.Recursion == report.RecursionSpread && r.path != 0 {
		return
	}
	z, first := h.Zones.At(int(r.zone)), s.Past.First()
	t := &z.Hier
	if r.path == 0 { // the row of a tree's root has the time outside zones
		t = &z.Self
	}
	out.Values[report.ColumnMean] = s.Past.MeanOf(t, s.Past.Zones.At(int(r.zone)).Birth)
	out.Values[report.ColumnMax], out.Values[report.ColumnMaxSelf] = float64(t.Max(first)), float64(z.Self.Max(first))
	out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax, report.ColumnMaxSelf)
}

// showAtOnce adds ColumnAtOnce to the usual columns once any row of goroutines has had more time than the frame.
func (s *Builder) showAtOnce(dst *report.Report, v *report.View) {
	if dst.AtOnce = false; v.Mode == report.ReportExtra || v.Lane != 0 {
		return
	}
	for i := range s.rows.list {
		r := &s.rows.list[i]
		s.Kinds.AtOnce = s.Kinds.AtOnce || r.Hier > report.MinAtOnce*dst.Frame.Length && dst.Frame.Length > 0 &&
			!s.Kinds.OnDevice(r.zone)
	}
	if dst.AtOnce = s.Kinds.AtOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.Memory.Chosen, report.ColumnHier) + 1
		dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnAtOnce)
		dst.Columns = dst.Memory.Chosen
	}
}

// showWaited adds ColumnWaited to the usual columns if it is known.
func (s *Builder) showWaited(dst *report.Report, v *report.View) {
	if dst.Waited = len(s.Waited) > 0; !dst.Waited || v.Mode == report.ReportExtra || !v.Columns.Empty() {
		return
	}
	at := slices.Index(dst.Memory.Chosen, report.ColumnSelf) + 1
	dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnWaited)
	dst.Columns = dst.Memory.Chosen
}

// putWaited sets ColumnWaited of a row. An idle zone has waited for all its time.
func (s *Builder) putWaited(out *report.Record) {
	if share := s.Waited[out.Zone]; share > 0 {
		out.Put(report.ColumnWaited, 100*share)
	} else if out.Idle && out.Zone != 0 {
		out.Put(report.ColumnWaited, 100)
	}
}

// appendDepths appends the entries of a zone by depth in the frame that was loaded last. A zone without recursion has
// none.
func (s *Builder) appendDepths(dst []float64, zone report.ZoneID) []float64 {
	first := len(dst)
	for i := range s.Tree.Paths {
		if p := &s.Tree.Paths[i]; p.Zone == zone && i < len(s.Values) && s.Values[i].Count > 0 {
			dst = append(dst[:first], report.AddDepth(dst[first:], p.Depth, s.Values[i].Count)...)
		}
	}
	if len(dst) == first+1 {
		return dst[:first]
	}
	return dst
}

// arrangeLines compares the report with the baseline and puts its rows on lines.
func (s *Builder) arrangeLines(r *report.Report, v *report.View) {
	if r.Baseline = (report.Baseline{}); v.Compare {
		s.compared.Compare(r)
	}
	var tree []report.TreeNode
	if r.Grouped() && len(r.Records) > 0 {
		s.grouped = s.AppendBranch(s.grouped[:0], 0)
		tree = s.grouped
	}
	s.arranger.Arrange(r, tree, s.Zone)
}

// appendArrangement describes the arrangement in a report's title.
func (s *Builder) appendArrangement(dst []byte, v *report.View) []byte {
	if v.Order.Chosen {
		dst = v.Order.AppendWords(append(dst, "  by "...))
	}
	if v.Grouping == report.GroupingPackage {
		dst = append(dst, "  by package"...)
	}
	if v.CallersOnly {
		dst = append(dst, "  callers only"...)
	}
	if v.Filter != "" {
		dst = append(append(append(dst, "  find \""...), v.Filter...), '"')
	}
	if n := len(v.Hidden); n > 0 {
		dst = append(strconv.AppendInt(append(dst, "  "...), int64(n), 10), " hidden"...)
	}
	if v.Compare {
		dst = append(append(dst, "  "...), s.compared.Label...)
	}
	return dst
}

// DumpReport returns the report of the view.
func (s *Builder) DumpReport() *report.Report {
	if s.Past.Next == 0 {
		return nil
	}
	r := new(report.Report)
	s.Build(r, &s.View)
	return r
}
