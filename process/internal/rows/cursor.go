package rows

import (
	"slices"

	"example.com/iprof/process/report"
)

// PinBaseline makes the frame or average of the view the baseline.
func (b *Builder) PinBaseline() {
	b.Choose()
	v := b.View
	v.Lens = v.LensInForce() // ReportExtra has its own
	v.Mode, v.Cursor, v.Recursion = report.ReportSelfTime, 0, report.RecursionFlattened
	v.Arrangement = report.Arrangement{}
	var r report.Report
	b.Build(&r, &v)
	if p := b.Load(&v); p == nil || p.Lost || len(b.store.Tree.Paths) == 0 {
		return
	}
	b.View.Compare = b.compared.Pin(&r, b.AppendBranch(nil, 0)) || b.View.Compare
}

// SetView replaces the view. The new view may choose another record.
func (b *Builder) SetView(v report.View) {
	b.Choose()
	b.Chosen = b.Chosen || v.Cursor != b.View.Cursor
	b.View, b.pointed, b.marked = v, true, mark{}
}

// Clamp brings a view's values into range.
func (b *Builder) Clamp(v *report.View) {
	b.Choose()
	v.Mode = min(v.Mode, report.NumReportModes-1)
	v.Average = min(v.Average, report.AverageInstant)
	v.Recursion = min(v.Recursion, report.RecursionSpread)
	v.Age = min(max(v.Age, 0), max(b.store.Past.Length()-1, 0))
	v.Cursor = max(v.Cursor, 0)
	v.FocusDepth = max(v.FocusDepth, 0)
	v.Columns = v.Columns.And(report.AllColumns)
	v.Lens.Clamp()
	v.Arrangement.Clamp()
	if v.Compare = v.Compare && b.compared.Pinned; !v.Compare && v.Order.By >= report.ColumnDelta {
		v.Order = report.Order{}
	}
}

// ShowOlder moves the view one frame back, unless it shows the oldest.
func (b *Builder) ShowOlder() { b.View.Age = min(b.View.Age+1, max(b.store.Past.Length()-1, 0)) }

// Point moves the cursor and clamps it to the present report.
func (b *Builder) Point(move func(row int) int) {
	b.Build(&b.last, &b.View)
	b.pointed = true
	b.setCursor(min(max(move(max(b.last.Cursor, 0)), 0), max(len(b.last.Records)-1, 0)))
}

// PointZone moves the cursor to the first record of a zone, if there is one.
func (b *Builder) PointZone(zone report.ZoneID) {
	b.Build(&b.last, &b.View)
	if i := slices.IndexFunc(b.last.Records, func(r report.Record) bool { return r.Zone == zone }); i >= 0 {
		b.pointed = true
		b.setCursor(i)
	}
}

// MoveCursor moves the cursor down by delta lines.
func (b *Builder) MoveCursor(delta int) {
	b.Point(func(row int) int { return b.last.Step(row, min(max(delta, -1<<30), 1<<30)) })
}

// setCursor highlights a record of s.last.
func (b *Builder) setCursor(i int) {
	b.View.Cursor, b.marked, b.Chosen = i, mark{}, true
	if i < len(b.last.Records) {
		b.marked = markOf(&b.last.Records[i])
	}
}

// OpenCursor shows the call graph of the highlighted record's zone.
func (b *Builder) OpenCursor() {
	b.Build(&b.last, &b.View)
	if b.last.Cursor < 0 {
		return
	}
	r := &b.last.Records[b.last.Cursor]
	b.open(r.Zone, r.Depth)
}

// OpenParent shows the call graph of the caller with the largest hierarchical time.
func (b *Builder) OpenParent() {
	b.Choose()
	v := b.View
	if v.Mode != report.ReportCallGraph && v.Mode != report.ReportCallGraphDescendants {
		b.Build(&b.last, &b.View)
		if b.last.Cursor < 0 {
			return
		}
		r := &b.last.Records[b.last.Cursor]
		v = v.Opened(r.Zone)
		v.FocusDepth = max(r.Depth-1, 0)
	}
	b.Build(&b.last, &v)
	for _, r := range slices.Backward(b.last.Records) {
		if r.Group == report.GroupParent && (r.Zone != v.Focus || v.Recursion == report.RecursionSpread) {
			b.open(r.Zone, r.Depth)
			return
		}
	}
}

// open shows a zone's call graph with the cursor on the zone.
func (b *Builder) open(zone report.ZoneID, depth int) {
	b.Choose()
	v := &b.View
	*v, b.pointed = v.Opened(zone), true
	if v.Recursion == report.RecursionSpread {
		v.FocusDepth = max(depth-1, 0)
	}
	b.Build(&b.last, v)
	for i, r := range b.last.Records {
		if r.Group == report.GroupFocus {
			b.setCursor(i)
		}
	}
}

// ShowFrame shows the frame of an index, and reports whether there is such a frame.
func (b *Builder) ShowFrame(index uint64) bool {
	if p := b.store.Past.Find(index); p != nil && !p.Lost {
		b.View.Age, b.View.Kept, b.View.Lens = int(b.store.Past.Next-1-p.Seq), 0, report.Lens{}
		return true
	}
	if b.store.Slow.Find(index) == nil {
		return false
	}
	b.View.Kept, b.View.Lens = index+1, report.Lens{}
	return true
}

// Follow puts the cursor on the zone in the verdict on the frames shown. The cursor stays in views of one zone, which
// are call graphs and pinned paths, and in the live view of the newest frame.
func (b *Builder) Follow() {
	v, fresh := &b.View, &b.followed
	graph := v.Mode == report.ReportCallGraph || v.Mode == report.ReportCallGraphDescendants
	fresh.Clear()
	switch {
	case graph || len(v.Pin) > 0:
		return
	case v.Through():
		b.Looker.ExplainLens(fresh, v)
	case v.Age > 0 || v.Kept > 0 || b.store.Paused:
		b.store.Finder().Explain(fresh, b.store.Shown(v))
	}
	if fresh.Found() {
		b.PointAt(fresh)
	}
}

// OpenExtra puts the cursor on the zone of the cause in ReportExtra, or else on the first row.
func (b *Builder) OpenExtra() {
	b.View.Cursor = 0
	b.pointed = true
	b.marked = mark{}
	b.Chosen = false
	b.Follow()
}

// PointAt puts the cursor on the row of the zone of a verdict's cause.
func (b *Builder) PointAt(v *report.Verdict) {
	c := v.Target()
	b.pointed, b.Chosen = true, false
	b.marked = mark{set: true, zone: c.Zone, path: c.Path, depth: 1, group: report.GroupFocus}
	if b.View.Mode == report.ReportCallTree {
		b.unfold(c.Path)
	}
}

// unfold unfolds all ancestors of a path in the tree.
func (b *Builder) unfold(path int32) {
	if b.folded == nil {
		b.folded = make(map[int32]bool)
	}
	for up := b.store.Tree.Paths[path].Parent; up > 0; up = b.store.Tree.Paths[up].Parent {
		if indent := b.store.Tree.Paths[up].Level - 1; !b.unfolded(up, indent) {
			b.folded[up] = !b.folded[up]
		}
	}
}
