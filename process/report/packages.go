package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/resize"
)

// leastIdle is the least number of idle rows that one row replaces.
const leastIdle = 2

// idleRows is the name of the idle rows among packages. No package has this name.
const idleRows = "\x00idle"

// IdleFolded returns the report with the idle rows at its end as one row. It returns the report itself if there are
// fewer than two idle rows, or if View.ShowIdle is set. The new report shares the records with the old one, whose lines
// stay.
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
	if r.Costly() && !folded.Costly() { // no row in sight has the sign that the warning mentions
		folded.Warnings = slices.Clone(r.Warnings)
		for i, warning := range folded.Warnings {
			folded.Warnings[i] = strings.TrimSuffix(warning, SeeMarked)
		}
	}
	return &folded
}

// foldIdle puts the idle rows at the end of a report under one heading, which is folded at first. It takes rows of a
// flat report, outermost rows of a tree with the rows below them, and callees of a call graph.
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
	p.ofRow = resize.To(p.ofRow, len(r.Records))
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
	if r.View.Mode.Flat() || r.View.Mode == ReportCallGraphDescendants { // rows may contain each other
		row.Put(ColumnHier, row.Values[ColumnSelf])
	} else {
		row.Put(ColumnHier, r.sumOf(from, least))
	}
	row.Put(ColumnHierPercent, Share(row.Values[ColumnHier], r.Frame.Length))
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
			continue // below an outermost row, which the loop reaches later
		case !rec.Idle, !v.Mode.Flat() && v.Mode != ReportCallTree && rec.Group != GroupChild, v.Mode == ReportExtra:
			return from, rows
		}
		from, rows = line, rows+1
	}
	return from, rows
}

// sumOf returns the hierarchical time of the lines with an indent, from line from on.
func (r *Report) sumOf(from, indent int) (sum float64) {
	for _, i := range r.Lines[from:] {
		if rec := &r.Records[i]; rec.Indent == indent {
			sum += rec.Values[ColumnHier]
		}
	}
	return sum
}

// IdleEnd returns where the idle children of a tree's root begin, their number, and their hierarchical time in ms. Only
// idle children and their callees follow, because busy children come first. If there are fewer than two, it returns the
// length of the tree and 0.
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

// FoldTotals takes two or more idle zones out of totals, and returns their number and their sums. The other zones keep
// their order. A single idle zone comes last.
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

// Grouping chooses the headings of rows.
type Grouping uint8

// The groupings.
const (
	GroupingNone    Grouping = iota
	GroupingPackage          // the package of the function that the zone is entered in
	GroupingLine             // the file and the line of that function
	numGroupings    = iota
)

// PackageRow is the heading of the rows of one package, or of the idle rows: see [Arranger.FoldIdle]. Its Record has
// the package's name and the sums of those values that add up. Its hierarchical time sums only the outermost stacks, so
// calls within the package count once.
type PackageRow struct {
	Record
	Rows   int  // number of rows of the package, shown or not
	First  int  // index of the first record of the package
	ID     int  // of the package, the same in all reports of an Arranger
	Folded bool // its rows are hidden

	baseline float64 // self time of its rows in the baseline, ms
}

// unknownPackage is the package of zones without a function and a file.
const unknownPackage = "(unknown package)"

// packages gives ids to the packages of zones, and puts rows under headings.
type packages struct {
	by     Grouping // of ofZone
	names  []string
	ids    map[string]int32
	ofZone []int32 // by zone: package ID plus one, 0 if not known yet
	folded []bool  // by package ID
	at     []int32 // scratch: by package ID, 1 + its place in Report.Packages
	ofRow  []int32 // scratch: by record, the ID of its package
	lines  []int32 // scratch
}

// of returns the ID of a zone's package.
func (p *packages) of(zone ZoneID, info func(ZoneID) gather.ZoneInfo) int32 {
	for int(zone) >= len(p.ofZone) {
		p.ofZone = append(p.ofZone, 0)
	}
	if id := p.ofZone[zone]; id > 0 {
		return id - 1
	}
	z := info(zone)
	name := cmp.Or(z.Package(), unknownPackage)
	if p.by == GroupingLine && z.File != "" {
		name = z.Site()
	}
	id := p.named(name)
	p.ofZone[zone] = id + 1
	return id
}

// named returns the ID of a package.
func (p *packages) named(name string) int32 {
	id, known := p.ids[name]
	if !known {
		if p.ids == nil {
			p.ids = make(map[string]int32)
		}
		id = int32(len(p.names))
		p.ids[name] = id
		p.names, p.folded = append(p.names, name), append(p.folded, false)
	}
	return id
}

// group puts the lines of a report under headings, in the order of the first line of each package.
func (p *packages) group(r *Report, tree []TreeNode, info func(ZoneID) gather.ZoneInfo) {
	if p.by != r.View.Grouping {
		p.by, p.ofZone = r.View.Grouping, p.ofZone[:0]
	}
	p.sum(r, info)
	p.hierarchical(r, tree, info)
	p.lines = append(p.lines[:0], r.Lines...)
	r.Lines = r.Lines[:0]
	for i := range r.Packages {
		row := &r.Packages[i]
		row.Folded = p.folded[row.ID]
		r.Lines = append(r.Lines, ^int32(i))
		if row.Folded {
			continue
		}
		for _, record := range p.lines {
			if p.ofRow[record] == int32(row.ID) {
				r.Lines = append(r.Lines, record)
			}
		}
	}
}

// sum makes the heading of each package.
func (p *packages) sum(r *Report, info func(ZoneID) gather.ZoneInfo) {
	p.ofRow = p.ofRow[:0]
	for i := range r.Records {
		p.ofRow = append(p.ofRow, p.of(r.Records[i].Zone, info))
	}
	r.ofRow = p.ofRow
	p.at = resize.To(p.at, len(p.names))
	clear(p.at)
	for _, i := range r.Lines {
		id := p.ofRow[i]
		if p.at[id] == 0 {
			row := Record{Zone: -1, Path: -1, Name: p.names[id], Idle: true}
			r.Packages = append(r.Packages, PackageRow{Record: row, First: int(i), ID: int(id)})
			p.at[id] = int32(len(r.Packages))
		}
		r.Packages[p.at[id]-1].add(&r.Records[i])
	}
	for i := range r.Packages {
		r.Packages[i].compare(r.View.Mode)
	}
}

// compare sets Delta.Percent for self time. Hierarchical times of rows overlap, so their sum has no percentage.
func (p *PackageRow) compare(m ReportMode) {
	p.Delta.New = p.Delta.New && !p.Delta.Known
	if !p.Delta.Known {
		return
	}
	p.Delta.Percent = math.Inf(1)
	if m == ReportSelfTime && p.baseline > 0 {
		p.Delta.Percent = 100 * p.Delta.MS / p.baseline
	}
}

// summed are the columns that add up.
var summed = [...]Column{ColumnSelf, ColumnSelfPercent, ColumnCount, ColumnAllocs, ColumnAllocBytes, ColumnFrees,
	ColumnFreeBytes, ColumnErrors, ColumnHeapObjects, ColumnHeapBytes, ColumnUnits}

// add adds a row to its package.
func (p *PackageRow) add(r *Record) {
	p.Rows++
	p.Idle = p.Idle && r.Idle
	p.Open = p.Open || r.Open
	p.Estimated = max(p.Estimated, r.Estimated)
	for _, c := range summed {
		p.Values[c] += r.Values[c]
		if r.Mask.Has(c) {
			p.Mask.Add(c)
		}
	}
	p.Delta.New = p.Delta.New || r.Delta.New
	if r.Delta.Known {
		p.Delta.MS, p.Delta.Known = p.Delta.MS+r.Delta.MS, true
		p.baseline += r.Values[ColumnSelf] - r.Delta.MS
	}
}

// hierarchical sets the hierarchical time of packages: the sum over their outermost stacks.
func (p *packages) hierarchical(r *Report, tree []TreeNode, info func(ZoneID) gather.ZoneInfo) {
	for i := range tree {
		n := &tree[i]
		id := p.of(n.Zone, info)
		if int(id) >= len(p.at) || p.at[id] == 0 || p.within(tree, n.Parent, id, info) {
			continue
		}
		row := &r.Packages[p.at[id]-1]
		row.Put(ColumnHier, row.Values[ColumnHier]+n.Hier)
		row.Put(ColumnHierPercent, Share(row.Values[ColumnHier], r.Frame.Length))
	}
}

// within reports whether a node, or one above it, belongs to a package.
func (p *packages) within(tree []TreeNode, node, id int32, info func(ZoneID) gather.ZoneInfo) bool {
	for ; node >= 0 && int(node) < len(tree); node = tree[node].Parent {
		if p.of(tree[node].Zone, info) == id {
			return true
		}
	}
	return false
}
