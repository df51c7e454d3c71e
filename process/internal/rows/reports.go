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
func (b *Builder) Build(dst *report.Report, view *report.View) {
	v := b.held(view)
	b.SeenLane(v)
	p := b.Load(v)
	b.setIdleOutside(v, p)
	dst.Waits, dst.Runnable = false, false
	dst.Verdict.Clear()
	if b.choices.through(v) {
		b.choices.explain(&b.Looker, &dst.Verdict, v)
	} else {
		b.store.Verdict(&dst.Verdict, v)
	}
	b.rows.reset()
	dst.View, dst.Records, dst.Warnings = *v, dst.Records[:0], dst.Warnings[:0]
	dst.Frame = b.Info(v, p)
	dst.Memory.Chosen = b.store.Kinds.AppendColumns(append(dst.Memory.Chosen[:0], report.UsualColumns...))
	dst.Columns, dst.Sorted = dst.Memory.Chosen, report.ColumnSelf
	if v.Mode != report.ReportSelfTime {
		dst.Sorted = report.ColumnHier
	}
	dst.ChooseColumns(v)
	want := v.Columns.Or(dst.Want)
	if v.Order.Chosen && v.Order.By < report.NumColumns {
		dst.Sorted = v.Order.By
		want.Add(v.Order.By)
	}
	if v.Compare {
		want.Add(report.ColumnDeviation) // to tell noise from a change
	}
	b.store.Stats.Asked = b.store.Stats.Asked || !want.And(history.DearEver).Empty()
	b.setTitle(dst, v)
	dst.Values = b.AppendValues(dst.Values[:0], v)
	b.setCalls(dst)
	dst.Marks = b.marksOf(dst.Marks[:0], v, &dst.Frame)
	if p != nil && !p.Lost && len(b.store.Zones) > 0 {
		b.list(v)
		b.noteParts(v)
		b.showAtOnce(dst, v)
		b.chooseStates(dst, v)
		for i := range b.rows.list {
			dst.Records = resize.To(dst.Records, i+1)
			b.record(&dst.Records[i], &b.rows.list[i], v, &dst.Frame, p)
			more(b, &dst.Records[i], &b.rows.list[i], v, want)
		}
		b.addStateTimes(dst, v, p)
	}
	dst.Cursor, dst.Chosen = b.cursor(v, dst.Records), b.Chosen
	if dst.Baseline = (report.Baseline{}); b.choices.made {
		b.choices.arrange(b, dst, v)
	} else {
		dst.ListAll()
	}
	dst.Warnings, dst.Clock = b.AppendWarnings(dst.Warnings, &dst.Frame, dst), b.clockLine()
	dst.Tick = b.store.Clock.Tick()
	dst.Warnings = b.appendJoined(b.appendMissed(dst.Warnings, want))
	dst.Warnings = b.appendStatesWarning(dst.Warnings, v)
	dst.Warnings = b.appendHeapWarning(b.appendWholeWarning(dst.Warnings, v, want), v, want)
	dst.Warnings = b.appendLensWarnings(dst.Warnings, &dst.Frame, v.Mode)
}

// more sets the values of a record that a view or its columns ask for.
func more(b *Builder, out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	if b.choices.made && r.inParts(v) {
		b.choices.parts(b, out, r, v, want)
	}
	if b.choices.through(v) && v.Mode == report.ReportExtra {
		b.choices.excess(b, out, r)
	}
	if !want.Empty() {
		b.statistics(out, r, v, want)
		b.wholeMeans(out, r, v, want)
	}
}

// setCalls sets the data of single calls in a report.
func (b *Builder) setCalls(dst *report.Report) {
	if dst.Calls = dst.Calls[:0]; dst.WantCalls {
		dst.Calls = b.appendCallRows(dst.Calls)
	}
	slow, seen, now := b.store.SlowOnes()
	dst.SlowCalls, dst.SlowSeen, dst.Now = append(dst.SlowCalls[:0], slow...), seen, now
}

// setTitle writes the first line into the report's own memory. Title shares that memory: see Report.
func (b *Builder) setTitle(r *report.Report, v *report.View) {
	title := b.appendArrangement(b.appendPin(b.appendTitle(r.Memory.Title[:0], v, &r.Frame), v), v)
	r.Memory.Title, r.Title = title, unsafe.String(unsafe.SliceData(title), len(title))
}

// list makes the rows of a view, in order.
func (b *Builder) list(v *report.View) {
	switch {
	case b.choices.made:
		b.choices.list(b, v)
	case v.Mode == report.ReportHierarchicalTime:
		b.flatZones(report.ColumnHier)
	default:
		b.flatZones(report.ColumnSelf)
	}
}

// listAny is list for any choices.
func listAny(b *Builder, v *report.View) {
	spread := v.Recursion == report.RecursionSpread
	switch v.Mode {
	case report.ReportSelfTime, report.ReportHierarchicalTime:
		column := report.ColumnSelf
		if v.Mode == report.ReportHierarchicalTime {
			column = report.ColumnHier
		}
		b.flat(column, spread)
	case report.ReportCallGraph, report.ReportCallGraphDescendants:
		b.callGraph(b.focus(v), v.Mode == report.ReportCallGraphDescendants, spread)
		b.drop(true)
		b.arrange()
	case report.ReportCallTree:
		b.callTree()
	case report.ReportExtra:
		b.excess()
	}
}

// focus returns the row around which a call graph is made. An unknown zone counts as the root.
func (b *Builder) focus(v *report.View) rowKey {
	if v.Focus < 0 || int(v.Focus) >= len(b.store.Zones) {
		return rowKey{group: report.GroupFocus}
	}
	return rowKey{zone: v.Focus, depth: int32(v.FocusDepth), group: report.GroupFocus}
}

// drop removes silent rows. With keepFocus the focus stays.
func (b *Builder) drop(keepFocus bool) {
	list, kept := b.rows.list, 0
	for i := range list {
		if r := &list[i]; keepFocus && r.group == report.GroupFocus || !b.silent(&r.Value) {
			if kept < i {
				list[kept] = *r
			}
			kept++
		}
	}
	b.rows.list = list[:kept]
}

// arrange puts parents above the focus, the largest next to it, and children below it, the largest first.
func (b *Builder) arrange() {
	r := &b.rows
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
		b.byColumn(r.list[from:], report.ColumnHier, group == report.GroupParent)
	}
}

// record turns a row into a Record, in place, because Records are large.
func (b *Builder) record(out *report.Record, r *row, v *report.View, i *report.FrameInfo, p *history.Frame) {
	z := &b.store.Zones[r.zone]
	// Field by field: a literal would be built elsewhere and copied.
	out.Site = b.site(r.zone)
	out.Zone = r.zone
	out.Path = r.path
	out.Name = z.Name
	out.Package = z.Package()
	out.Indent, out.Sign, out.Heat = int(r.indent), report.SignNone, 0
	out.Clear()
	out.States = nil
	out.Delta = report.Delta{}
	out.Idle = b.idle(r.zone)
	out.Open = r.Open
	out.Group = r.group
	out.Mask = report.BasicColumns
	out.Depth = b.depthOf(r, v)
	switch {
	case r.fold:
		out.Sign = report.SignFocus
	case r.kids:
		out.Sign = report.SignOpen
	}
	fillFrame(out, r, i, p)
	out.AddCharges(b.store.Charged.At(r.Extra), r.Hier)
	if r.group == report.GroupFocus && (len(v.Pin) == 0 || r.path > 0 && b.under(v, r.path)) {
		b.addHistory(out, r, v)
	}
	if len(b.store.Waited) > 0 {
		b.putWaited(out)
	}
	cost := b.store.Cost * p.PerTick * r.Count
	out.Costly = cost > history.CostlyRow*r.Hier && cost > 0 && r.Estimated == gather.EstimatedNone
	out.Budget = b.store.ZoneBudgets.Of(r.zone)
	out.Estimated, out.StandardError = r.Estimated, math.Sqrt(r.Variance)
}

// depthOf returns the deepest recursion of a row, or its own depth with RecursionSpread. It returns 0 for zones that do
// not recurse.
func (b *Builder) depthOf(r *row, v *report.View) int {
	deepest := r.deepest
	if v.Recursion == report.RecursionSpread {
		deepest = max(r.depth, b.store.ByZone[r.zone].Depth)
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
func (b *Builder) addHistory(out *report.Record, r *row, v *report.View) {
	column := 0
	if v.Mode != report.ReportSelfTime {
		column = 1
	}
	if b.store.Smooth(v) && v.Lane == 0 && v.Mode <= report.ReportHierarchicalTime {
		out.Heat = b.store.Live.Heat(r.zone, int(v.Average), column)
	}
	if v.Through() {
		return // statistics sets these, only from the frames of the lens
	}
	h := b.Looker.HistoryOf(v)
	if r.path > 0 {
		if int(r.path) < h.Paths.Len() {
			t := h.Paths.At(int(r.path))
			out.Values[report.ColumnMean] = b.store.Past.MeanOf(t, b.store.Tree.Paths[r.path].Birth)
			out.Values[report.ColumnMax] = float64(t.Max(b.store.Past.First()))
			out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax)
		}
		return
	}
	if int(r.zone) >= h.Zones.Len() || v.Recursion == report.RecursionSpread && r.path != 0 {
		return
	}
	z, first := h.Zones.At(int(r.zone)), b.store.Past.First()
	t := &z.Hier
	if r.path == 0 { // the row of a tree's root has the time outside zones
		t = &z.Self
	}
	out.Values[report.ColumnMean] = b.store.Past.MeanOf(t, b.store.Past.Zones.At(int(r.zone)).Birth)
	out.Values[report.ColumnMax], out.Values[report.ColumnMaxSelf] = float64(t.Max(first)), float64(z.Self.Max(first))
	out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax, report.ColumnMaxSelf)
}

// showAtOnce adds ColumnAtOnce to the usual columns once any row of goroutines has had more time than the frame.
func (b *Builder) showAtOnce(dst *report.Report, v *report.View) {
	if dst.AtOnce = false; v.Mode == report.ReportExtra || v.Lane != 0 {
		return
	}
	for i := range b.rows.list {
		r := &b.rows.list[i]
		b.store.Kinds.AtOnce = b.store.Kinds.AtOnce || r.Hier > report.MinAtOnce*dst.Frame.Length &&
			dst.Frame.Length > 0 &&
			!b.store.Kinds.OnDevice(r.zone)
	}
	if dst.AtOnce = b.store.Kinds.AtOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.Memory.Chosen, report.ColumnHier) + 1
		dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnAtOnce)
		dst.Columns = dst.Memory.Chosen
	}
}

// showWaited adds ColumnWaited to the usual columns if it is known.
func (b *Builder) showWaited(dst *report.Report, v *report.View) {
	if dst.Waited = len(b.store.Waited) > 0; !dst.Waited || v.Mode == report.ReportExtra || !v.Columns.Empty() {
		return
	}
	at := slices.Index(dst.Memory.Chosen, report.ColumnSelf) + 1
	dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnWaited)
	dst.Columns = dst.Memory.Chosen
}

// putWaited sets ColumnWaited of a row. An idle zone has waited for all its time.
func (b *Builder) putWaited(out *report.Record) {
	if share := b.store.Waited[out.Zone]; share > 0 {
		out.Put(report.ColumnWaited, 100*share)
	} else if out.Idle && out.Zone != 0 {
		out.Put(report.ColumnWaited, 100)
	}
}

// appendDepths appends the entries of a zone by depth in the frame that was loaded last. A zone without recursion has
// none.
func (b *Builder) appendDepths(dst []float64, zone report.ZoneID) []float64 {
	first := len(dst)
	for i := range b.store.Tree.Paths {
		if p := &b.store.Tree.Paths[i]; p.Zone == zone && i < len(b.store.Values) && b.store.Values[i].Count > 0 {
			dst = append(dst[:first], report.AddDepth(dst[first:], p.Depth, b.store.Values[i].Count)...)
		}
	}
	if len(dst) == first+1 {
		return dst[:first]
	}
	return dst
}

// arrangeLines compares the report with the baseline and puts its rows on lines.
func (b *Builder) arrangeLines(r *report.Report, v *report.View) {
	if v.Compare {
		b.compared.Compare(r)
	}
	var tree []report.TreeNode
	if r.Grouped() && len(r.Records) > 0 {
		b.grouped = b.AppendBranch(b.grouped[:0], 0)
		tree = b.grouped
	}
	b.arranger.Arrange(r, tree, b.store.Zone)
}

// appendArrangement describes the arrangement in a report's title.
func (b *Builder) appendArrangement(dst []byte, v *report.View) []byte {
	if v.Order.Chosen {
		dst = v.Order.AppendWords(append(dst, "  by "...))
	}
	switch v.Grouping {
	case report.GroupingPackage:
		dst = append(dst, "  by package"...)
	case report.GroupingLine:
		dst = append(dst, "  by line"...)
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
		dst = append(append(dst, "  "...), b.compared.Label...)
	}
	return dst
}

// DumpReport returns the report of the view.
func (b *Builder) DumpReport() *report.Report {
	if b.store.Past.Next == 0 {
		return nil
	}
	r := new(report.Report)
	b.Build(r, &b.View)
	return r
}
