package viewer_test

import (
	"fmt"
	"slices"

	"example.com/iprof/process/report"
)

// AppendReport makes the rows for the demo's view.
func (d *demo) AppendReport(dst *report.Report) {
	*dst = report.Report{View: d.view, Frame: d.Info(), Warnings: d.warn, Clock: d.clock,
		Cursor: -1, Records: dst.Records[:0],
		Columns: dst.Columns[:0]}
	dst.Title = fmt.Sprintf("%.2f ms  %.1f fps  sort %s", dst.Frame.Length, dst.Frame.FPS,
		[]string{"self", "hier", "hier", "hier", "hier", "self"}[d.view.Mode])
	dst.Columns = append(dst.Columns, report.ColumnSelf, report.ColumnHier, report.ColumnCount)
	dst.Sorted = report.ColumnHier
	if d.view.Mode == report.ReportSelfTime {
		dst.Sorted = report.ColumnSelf
	}
	if d.frames == 0 || d.gone {
		return
	}
	if d.view.Age == demoSpike {
		dst.Verdict = d.verdict()
	}
	switch d.view.Mode {
	case report.ReportCallTree:
		d.treeRows(dst)
	case report.ReportCallGraph, report.ReportCallGraphDescendants:
		d.graphRows(dst)
	default:
		d.flatRows(dst)
	}
	dst.Cursor = min(max(d.view.Cursor, 0), len(dst.Records)-1)
	if d.view.Compare {
		d.compared.Compare(dst)
	}
}

// Arrange changes the demo's view, as a session does.
func (d *demo) Arrange(change func(a *report.Arrangement)) {
	change(&d.view.Arrangement)
	if d.view.Compare = d.view.Compare && d.compared.Pinned; !d.view.Compare && d.view.Order.By >= report.ColumnDelta {
		d.view.Order = report.Order{}
	}
}

// PinBaseline keeps the demo's report.
func (d *demo) PinBaseline() {
	v := d.view
	v.Mode, v.Cursor, v.Arrangement = report.ReportSelfTime, 0, report.Arrangement{}
	var r report.Report
	d.AppendReportOf(&r, v)
	d.view.Compare = d.compared.Pin(&r, d.AppendTree(nil, v)) || d.view.Compare
}

// AppendReportOf makes the rows for another view.
func (d *demo) AppendReportOf(dst *report.Report, v report.View) {
	other := *d
	other.view = v
	other.AppendReport(dst)
}

// chosen returns the number of frames of the demo's lens.
func (d *demo) chosen() (n int) {
	l := &d.view.Lens
	for i := range d.memory {
		f := &d.memory[i]
		if l.Kind == report.LensAll || l.Kind == report.LensOver && f.Over || l.Kind == report.LensWithin &&
			!f.Over ||
			l.Kind == report.LensRange && f.Index >= min(l.From, l.To) && f.Index <= max(l.From, l.To) {
			n++
		}
	}
	return n
}

var demoLanes = []report.LaneInfo{
	{ID: 1, Name: "main", Self: 14.2}, {ID: 2, Name: "worker 1", Self: 6.1},
	{ID: 3, Name: "loader of textures and sounds and everything else", Self: 0.25},
}

// record makes the row of a path.
func (d *demo) record(i int) report.Record {
	z := d.zones[i]
	at := d.at()
	r := report.Record{Zone: report.ZoneID(i), Path: int32(i), Name: d.nameOf(report.ZoneID(i)), Idle: z.idle,
		Estimated: d.signed[z.name], Mask: report.AllColumns}
	r.Values[report.ColumnSelf], r.Values[report.ColumnHier], r.Values[report.ColumnCount] = float64(z.self[at]),
		d.hier(i, at), z.count
	r.Values[report.ColumnSelfPercent] = 100 * float64(z.self[at]) / float64(d.memory[at].Length)
	r.Values[report.ColumnHierPerCall] = d.hier(i, at) / z.count
	r.Values[report.ColumnDeviation], r.Values[report.ColumnAllocBytes] = 0.07*float64(z.self[at]), 4096*z.count
	for f := range demoFrames {
		h := d.hier(i, f)
		r.Values[report.ColumnP99] = max(r.Values[report.ColumnP99], 0.8*h)
		r.Values[report.ColumnMean] += h / demoFrames
		r.Values[report.ColumnMax] = max(r.Values[report.ColumnMax], h)
	}
	r.Heat = float32(min(max(r.Values[report.ColumnHier]/r.Values[report.ColumnMean]-1.1, 0), 1))
	return r
}

// treeRows opens render_world and simulate.
func (d *demo) treeRows(dst *report.Report) {
	for i, z := range d.zones {
		if z.level < 1 || z.level > 2 {
			continue
		}
		r := d.record(i)
		r.Indent = int(z.level) - 1
		if i+1 < len(d.zones) && d.zones[i+1].level > z.level {
			r.Mark = report.MarkOpen
			if z.level == 1 {
				r.Mark = report.MarkFocus
			}
		}
		dst.Records = append(dst.Records, r)
	}
}

func (d *demo) flatRows(dst *report.Report) {
	for i := range d.zones {
		r := d.record(i)
		r.Mark = report.MarkOpen
		dst.Records = append(dst.Records, r)
	}
	column := dst.Sorted
	slices.SortStableFunc(dst.Records,
		func(a, b report.Record) int { return cmpDown(a.Values[column], b.Values[column]) })
}

// graphRows makes the call graph of physics_solve, with signs of every kind.
func (d *demo) graphRows(dst *report.Report) {
	add := func(name string, g report.Group, mark report.Mark, indent int) *report.Record {
		r := d.record(d.find(name))
		r.Group, r.Mark, r.Indent = g, mark, indent
		dst.Records = append(dst.Records, r)
		return &dst.Records[len(dst.Records)-1]
	}
	add("streaming", report.GroupParent, report.MarkOpen, 0).Site = "stream.go:88"
	add("simulate", report.GroupParent, report.MarkOpen, 0).Depth = 3
	add("physics_solve", report.GroupFocus, report.MarkFocus, 1).Open = true
	add("broadphase", report.GroupChild, report.MarkOpen, 2)
	add("islands", report.GroupChild, report.MarkOpen, 2).Costly = true
	add("ccd", report.GroupChild, report.MarkNone, 2)
}
