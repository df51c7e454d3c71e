package process

import (
	"math"
	"strings"

	"example.com/iprof/gather"
)

// Grouping chooses the headings of rows.
type Grouping uint8

// The groupings.
const (
	GroupingNone    Grouping = iota
	GroupingPackage          // the package of the function that the zone is entered in
	NumGroupings    = iota
)

// SetGrouping puts the rows of flat reports under headings. Other reports keep their structure. Groupings beyond the
// last are the last. Any goroutine may call it.
func (s *Session) SetGrouping(g Grouping) { s.adjust(func(v *View) { v.Grouping = g }) }

// PackageRow is the heading of the rows of one package, or of the idle rows: see Arranger.FoldIdle. Its
// Record has the package's name and the sums of those values that add up. Its hierarchical time is that of the
// outermost stacks, so calls within the package count once.
type PackageRow struct {
	Record
	Rows   int  // number of rows of the package, shown or not
	First  int  // index of the first record of the package
	ID     int  // of the package, the same in all reports of an Arranger
	Folded bool // its rows are hidden

	before float64 // self time of its rows in the baseline, ms
}

// unknownPackage is the package of zones without a function and a file.
const unknownPackage = "(unknown package)"

// packageOf returns the package of a zone: of its function, else the folder of its file.
func packageOf(z gather.ZoneInfo) string {
	if f := z.Function; f != "" {
		slash := strings.LastIndexByte(f, '/') + 1
		if dot := strings.IndexByte(f[slash:], '.'); dot >= 0 {
			f = f[:slash+dot]
		}
		return f
	}
	if i := strings.LastIndexAny(z.File, `/\`); i > 0 {
		folder := z.File[:i]
		return folder[strings.LastIndexAny(folder, `/\`)+1:]
	}
	return unknownPackage
}

// packages gives ids to the packages of zones, and puts rows under headings.
type packages struct {
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
	id := p.named(packageOf(info(zone)))
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
	p.at = resized(p.at, len(p.names))
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
	if m == ReportSelfTime && p.before > 0 {
		p.Delta.Percent = 100 * p.Delta.MS / p.before
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
			p.Mask.add(c)
		}
	}
	p.Delta.New = p.Delta.New || r.Delta.New
	if r.Delta.Known {
		p.Delta.MS, p.Delta.Known = p.Delta.MS+r.Delta.MS, true
		p.before += r.Values[ColumnSelf] - r.Delta.MS
	}
}

// hierarchical sets the hierarchical time of packages: that of their outermost stacks.
func (p *packages) hierarchical(r *Report, tree []TreeNode, info func(ZoneID) gather.ZoneInfo) {
	for i := range tree {
		n := &tree[i]
		id := p.of(n.Zone, info)
		if int(id) >= len(p.at) || p.at[id] == 0 || p.within(tree, n.Parent, id, info) {
			continue
		}
		row := &r.Packages[p.at[id]-1]
		row.put(ColumnHier, row.Values[ColumnHier]+n.Hier)
		row.put(ColumnHierPercent, Share(row.Values[ColumnHier], r.Frame.Length))
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
