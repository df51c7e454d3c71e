package process

import (
	"slices"
	"strings"
)

// leastIdle is the least number of idle rows that one row replaces.
const leastIdle = 2

// idleRows is the name in packages of the idle rows. No package has it.
const idleRows = "\x00idle"

// ShowIdle sets whether reports list two and more idle zones one by one. If not, which is the default, one row at the
// end of what people read says how many there are, and their time. Any goroutine may call it.
func (s *Session) ShowIdle(on bool) { s.adjust(func(v *View) { v.ShowIdle = on }) }

// IdleFolded returns the report with the idle rows at its end as one row, or the report itself if these are less than
// two, or View.ShowIdle is set. It shares the records with the report, whose lines stay.
func (r *Report) IdleFolded() *Report {
	if len(r.Packages) > 0 {
		return r
	}
	folded, p := *r, packages{}
	if folded.Lines = slices.Clone(r.Lines); r.Lines == nil {
		for i := range r.Records {
			folded.Lines = append(folded.Lines, int32(i))
		}
	}
	if folded.Packages = nil; !p.foldIdle(&folded) {
		return r
	}
	if r.costly() && !folded.costly() { // no row in sight has the sign that a warning points to
		folded.Warnings = slices.Clone(r.Warnings)
		for i, warning := range folded.Warnings {
			folded.Warnings[i] = strings.TrimSuffix(warning, SeeMarked)
		}
	}
	return &folded
}

// foldIdle puts the idle rows at the end of a report under one heading, if there are some. It is folded at first. Those
// are the rows of a flat report, the outermost ones of a tree with what is below them, and the callees of a call graph.
func (p *packages) foldIdle(r *Report) bool {
	from, rows := r.idleEnd()
	if rows < leastIdle {
		return false
	}
	if _, known := p.ids[idleRows]; !known {
		p.folded[p.named(idleRows)] = true
	}
	id := p.ids[idleRows]
	row := PackageRow{First: int(r.Lines[from]), ID: int(id), Folded: p.folded[id],
		Record: Record{Zone: -1, Path: -1, Name: "waiting", Idle: true, Group: r.Records[r.Lines[from]].Group}}
	p.ofRow = resized(p.ofRow, len(r.Records))
	for i := range p.ofRow {
		p.ofRow[i] = -1
	}
	least := r.Records[r.Lines[from]].Indent
	for _, i := range r.Lines[from:] {
		if p.ofRow[i] = id; r.Records[i].Indent == least {
			row.add(&r.Records[i])
		}
	}
	row.Indent = least
	if r.View.Mode.flat() || r.View.Mode == ReportCallGraphDescendants { // rows may contain each other
		row.put(ColumnHier, row.Values[ColumnSelf])
	} else {
		row.put(ColumnHier, r.sumOf(from, least))
	}
	row.put(ColumnHierPercent, Share(row.Values[ColumnHier], r.Frame.Length))
	r.ofRow, r.Packages = p.ofRow, append(r.Packages, row)
	p.lines = append(p.lines[:0], r.Lines[from:]...)
	if r.Lines = append(r.Lines[:from], ^int32(0)); !row.Folded {
		r.Lines = append(r.Lines, p.lines...)
	}
	return true
}

// idleEnd returns the first of the lines at the end that are idle rows, and the number of rows.
func (r *Report) idleEnd() (from, rows int) {
	v := &r.View
	from = len(r.Lines)
	if v.Order.Chosen || v.Filter != "" || v.ShowIdle {
		return from, 0
	}
	for line := from - 1; line >= 0; line-- {
		rec := &r.Records[r.Lines[line]]
		switch {
		case v.Mode == ReportCallTree && rec.Indent > 0:
			continue // below a row that is to come
		case !rec.Idle, !v.Mode.flat() && v.Mode != ReportCallTree && rec.Group != GroupChild, v.Mode == ReportExtra:
			return from, rows
		}
		from, rows = line, rows+1
	}
	return from, rows
}

// sumOf returns the hierarchical time of the lines from one on that have an indent.
func (r *Report) sumOf(from, indent int) (sum float64) {
	for _, i := range r.Lines[from:] {
		if rec := &r.Records[i]; rec.Indent == indent {
			sum += rec.Values[ColumnHier]
		}
	}
	return sum
}

// IdleEnd returns where the idle children of a tree's root begin, with their number and their hierarchical time in ms:
// only they and what they call follow. They are the last ones, because busy ones come first. If they are less than two,
// it returns the length of the tree and 0.
func IdleEnd(nodes []TreeNode) (from, zones int, hier float64) {
	from = len(nodes)
	for i := len(nodes) - 1; i > 0; i-- {
		n := &nodes[i]
		if n.Level > 1 {
			continue
		}
		if n.Level < 1 || !n.Idle {
			break
		}
		from, zones, hier = i, zones+1, hier+n.Hier
	}
	if zones < leastIdle {
		return len(nodes), 0, 0
	}
	return from, zones, hier
}

// FoldTotals takes the idle zones from totals, if they are two or more, and returns their number and their sums. The
// others keep their order. A single one comes last.
func FoldTotals(totals []ZoneTotal) (busy []ZoneTotal, idle ZoneTotal, zones int) {
	var waiting []ZoneTotal
	for i := range totals {
		if z := &totals[i]; z.Idle {
			idle.add(&TreeNode{Count: z.Count, Self: z.Self, Idle: true, Charges: z.Charges}, false)
			waiting = append(waiting, *z)
		} else {
			busy = append(busy, *z)
		}
	}
	if len(waiting) < leastIdle {
		return append(busy, waiting...), ZoneTotal{}, 0
	}
	return busy, idle, len(waiting)
}
