package rows

import (
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// PinBaseline makes the frame or average of the view the baseline.
func (s *Builder) PinBaseline() {
	v := s.View
	v.Mode, v.Cursor, v.Recursion = report.ReportSelfTime, 0, report.RecursionFlattened
	v.Arrangement = report.Arrangement{}
	var r report.Report
	s.Build(&r, &v)
	if p := s.Load(&v); p == nil || p.Lost || len(s.Tree.Paths) == 0 {
		return
	}
	s.View.Compare = s.compared.Pin(&r, s.AppendBranch(nil, 0)) || s.View.Compare
}

// SetView replaces the view. The new view may choose another record.
func (s *Builder) SetView(v report.View) {
	s.Chosen = s.Chosen || v.Cursor != s.View.Cursor
	s.View, s.pointed, s.marked = v, true, mark{}
}

// Clamp brings a view's values into range.
func (s *Builder) Clamp(v *report.View) {
	v.Mode = min(v.Mode, report.NumReportModes-1)
	v.Average = min(v.Average, report.AverageInstant)
	v.Recursion = min(v.Recursion, report.RecursionSpread)
	v.Age = min(max(v.Age, 0), max(s.Past.Length()-1, 0))
	v.Cursor = max(v.Cursor, 0)
	v.FocusDepth = max(v.FocusDepth, 0)
	v.Columns = v.Columns.And(report.AllColumns)
	v.Lens.Clamp()
	v.Arrangement.Clamp()
	if v.Compare = v.Compare && s.compared.Pinned; !v.Compare && v.Order.By >= report.ColumnDelta {
		v.Order = report.Order{}
	}
}

// Point moves the cursor and clamps it to the present report.
func (s *Builder) Point(move func(row int) int) {
	s.Build(&s.last, &s.View)
	s.pointed = true
	s.setCursor(min(max(move(max(s.last.Cursor, 0)), 0), max(len(s.last.Records)-1, 0)))
}

// PointZone moves the cursor to the first record of a zone, if there is one.
func (s *Builder) PointZone(zone report.ZoneID) {
	s.Build(&s.last, &s.View)
	if i := slices.IndexFunc(s.last.Records, func(r report.Record) bool { return r.Zone == zone }); i >= 0 {
		s.pointed = true
		s.setCursor(i)
	}
}

// MoveCursor moves the cursor down by delta lines.
func (s *Builder) MoveCursor(delta int) {
	s.Point(func(row int) int { return s.last.Step(row, min(max(delta, -1<<30), 1<<30)) })
}

// setCursor highlights a record of s.last.
func (s *Builder) setCursor(i int) {
	s.View.Cursor, s.marked, s.Chosen = i, mark{}, true
	if i < len(s.last.Records) {
		s.marked = markOf(&s.last.Records[i])
	}
}

// OpenCursor shows the call graph of the highlighted record's zone.
func (s *Builder) OpenCursor() {
	s.Build(&s.last, &s.View)
	if s.last.Cursor < 0 {
		return
	}
	r := &s.last.Records[s.last.Cursor]
	s.open(r.Zone, r.Depth)
}

// OpenParent shows the call graph of the caller with the largest hierarchical time.
func (s *Builder) OpenParent() {
	v := s.View
	if v.Mode != report.ReportCallGraph && v.Mode != report.ReportCallGraphDescendants {
		s.Build(&s.last, &s.View)
		if s.last.Cursor < 0 {
			return
		}
		r := &s.last.Records[s.last.Cursor]
		v = v.Opened(r.Zone)
		v.FocusDepth = max(r.Depth-1, 0)
	}
	s.Build(&s.last, &v)
	for _, r := range slices.Backward(s.last.Records) {
		if r.Group == report.GroupParent && (r.Zone != v.Focus || v.Recursion == report.RecursionSpread) {
			s.open(r.Zone, r.Depth)
			return
		}
	}
}

// open shows a zone's call graph with the cursor on the zone.
func (s *Builder) open(zone report.ZoneID, depth int) {
	v := &s.View
	*v, s.pointed = v.Opened(zone), true
	if v.Recursion == report.RecursionSpread {
		v.FocusDepth = max(depth-1, 0)
	}
	s.Build(&s.last, v)
	for i, r := range s.last.Records {
		if r.Group == report.GroupFocus {
			s.setCursor(i)
		}
	}
}

// zoneBudgets has the budgets by zone, up to the last zone that has had one.
type zoneBudgets []time.Duration

// Set sets the budget of a known zone.
func (b *zoneBudgets) Set(zone report.ZoneID, d time.Duration) {
	if missing := int(zone) + 1 - len(*b); missing > 0 {
		*b = append(*b, make([]time.Duration, missing)...)
	}
	(*b)[zone] = max(d, 0)
}

// List returns the budgets above 0, or nil.
func (b zoneBudgets) List() (list []gather.ZoneBudget) {
	for zone, d := range b {
		if d > 0 {
			list = append(list, gather.ZoneBudget{Zone: report.ZoneID(zone), Budget: d})
		}
	}
	return list
}

// Of returns the budget of a zone, 0 without one.
func (b zoneBudgets) Of(zone report.ZoneID) time.Duration {
	if zone < 0 || int(zone) >= len(b) {
		return 0
	}
	return b[zone]
}

// ShowFrame shows the frame of an index, and reports whether there is such a frame.
func (s *Builder) ShowFrame(index uint64) bool {
	if p := s.Past.Find(index); p != nil && !p.Lost {
		s.View.Age, s.View.Kept, s.View.Lens = int(s.Past.Next-1-p.Seq), 0, report.Lens{}
		return true
	}
	if s.Slow.Find(index) == nil {
		return false
	}
	s.View.Kept, s.View.Lens = index+1, report.Lens{}
	return true
}

// Follow puts the cursor on the zone in the verdict on the frames shown. The cursor stays in views of one zone, which
// are call graphs and pinned paths, and in the live view of the newest frame.
func (s *Builder) Follow() {
	v, fresh := &s.View, &s.followed
	graph := v.Mode == report.ReportCallGraph || v.Mode == report.ReportCallGraphDescendants
	fresh.Clear()
	switch {
	case graph || len(v.Pin) > 0:
		return
	case v.Through():
		s.ExplainLens(fresh, v)
	case v.Age > 0 || v.Kept > 0 || s.Paused:
		s.Finder().Explain(fresh, s.Shown(v))
	}
	if fresh.Found() {
		s.PointAt(fresh)
	}
}

// OpenExtra puts the cursor on the zone of the cause in ReportExtra, or else on the first row.
func (s *Builder) OpenExtra() {
	s.View.Cursor, s.pointed, s.marked, s.Chosen = 0, true, mark{}, false
	s.Follow()
}

// PointAt puts the cursor on the row of the zone of a verdict's cause.
func (s *Builder) PointAt(v *report.Verdict) {
	c := v.Target()
	s.pointed, s.Chosen = true, false
	s.marked = mark{set: true, zone: c.Zone, path: c.Path, depth: 1, group: report.GroupFocus}
	if s.View.Mode == report.ReportCallTree {
		s.unfold(c.Path)
	}
}

// unfold unfolds all ancestors of a path in the tree.
func (s *Builder) unfold(path int32) {
	if s.folded == nil {
		s.folded = make(map[int32]bool)
	}
	for up := s.Tree.Paths[path].Parent; up > 0; up = s.Tree.Paths[up].Parent {
		if indent := s.Tree.Paths[up].Level - 1; !s.unfolded(up, indent) {
			s.folded[up] = !s.folded[up]
		}
	}
}
