package draw

import "example.com/iprof/process"

// holdMs is how long rows keep their places although their values changed: long enough to read one.
const holdMs = 500

// rowOrder says which record stands on which line. In the flat reports, and where the user sorts, rows keep their order for
// holdMs of frames; new rows, the user's controls and a pause bring the order that the values have.
type rowOrder struct {
	by       rowSort
	filter   filter
	packages packages

	index     []int    // record by line, all records
	lines     []int    // record by line, of those that the filter lets through
	parents   []int    // by record: the one it is shown under, or -1
	keys      []rowKey // by line of index, as of the order kept
	since     float64  // ms of frames since the order was made
	frame     uint64   // the last one seen
	view      process.View
	cursor    rowKey   // the cursor's row then
	changes   []change // by record, while comparing
	comparing bool
	stale     bool // the user asked for another order
}

// rowKey tells rows apart from one report to the next.
type rowKey struct {
	zone, path int32
	depth      int
	group      process.Group
}

func keyOf(r *process.Record) rowKey { return rowKey{r.Zone, r.Path, r.Depth, r.Group} }

// cursorKey is the key of the cursor's record; the zero key where there is none.
func (d *shown) cursorKey() (k rowKey) {
	if i := d.report.Cursor; i >= 0 && i < len(d.report.Records) {
		k = keyOf(&d.report.Records[i])
	}
	return k
}

// len is the number of lines.
func (o *rowOrder) len() int { return len(o.lines) }

// record is the record on a line; of a package's own row, its first.
func (o *rowOrder) record(line int) int {
	if at := o.packageAt(line); at >= 0 {
		return o.packages.first[at]
	}
	return o.lines[line]
}

// packageAt is the place of the package whose own row a line is, or -1.
func (o *rowOrder) packageAt(line int) int32 {
	if i := o.lines[line]; i < 0 {
		return int32(-1 - i)
	}
	return -1
}

// lineOf is the line of a record, or -1 where the filter hides it.
func (o *rowOrder) lineOf(record int) int {
	for line, i := range o.lines {
		if i == record {
			return line
		}
	}
	return o.foldedLine(record)
}

// foldedLine is the line of the folded package that a record is in, or -1.
func (o *rowOrder) foldedLine(record int) int {
	for line := range o.lines {
		if at := o.packageAt(line); at >= 0 && o.packages.folded[at] && o.packages.holds(record) == at {
			return line
		}
	}
	return -1
}

// arrange finds the order for a report.
func (o *rowOrder) arrange(d *shown, base *baseline) {
	o.comparing, o.changes = base.on, o.changes[:0]
	if base.on {
		o.changes = base.appendChanges(o.changes, d)
	} else if o.by.column > ColumnName {
		o.by = rowSort{}
	}
	if d.info.Index > o.frame {
		o.since += float64(d.info.Index-o.frame) * d.info.Length
	}
	o.frame = d.info.Index
	if !o.holds(d) || !o.match(d.report.Records) {
		o.renew(d)
	}
	o.lines = o.filter.apply(o.lines[:0], o.index, o.parents, d.report.Records)
	o.lines = o.packages.apply(o.lines, d, o.changes)
}

// holds reports whether the order made last is still to be kept.
func (o *rowOrder) holds(d *shown) bool {
	flat := d.view.Mode == process.SelfTime || d.view.Mode == process.HierarchicalTime
	return (flat || o.by.on) && !o.stale && d.info.Live && o.since < holdMs && sameControls(&o.view, &d.view) &&
		(o.view.Cursor == d.view.Cursor || o.cursor == d.cursorKey()) // which follows its row
}

// renew takes the report's order, or the user's.
func (o *rowOrder) renew(d *shown) {
	r := d.report.Records
	o.index, o.keys, o.since, o.view, o.stale = o.index[:0], o.keys[:0], 0, d.view, false
	o.view.Pin, o.cursor = nil, d.cursorKey()
	for i := range r {
		o.index = append(o.index, i)
	}
	o.parents = appendParents(o.parents[:0], r)
	if o.by.on {
		o.by.sort(o, r)
	}
	for _, i := range o.index {
		o.keys = append(o.keys, keyOf(&r[i]))
	}
}

// appendParents finds the rows that rows are shown under, by how far they are indented within their group.
func appendParents(dst []int, r []process.Record) []int {
	for i := range r {
		p := i - 1
		for p >= 0 && (r[p].Indent >= r[i].Indent || r[p].Group != r[i].Group) {
			if r[p].Group != r[i].Group {
				p = -1
				break
			}
			p = dst[p]
		}
		dst = append(dst, p)
	}
	return dst
}

// sameControls reports whether the user touched nothing that changes the rows.
func sameControls(a, b *process.View) bool {
	return a.Mode == b.Mode && a.Average == b.Average && a.Recursion == b.Recursion && a.Age == b.Age &&
		a.Focus == b.Focus && a.Lane == b.Lane
}

// match puts the records on the lines that they had. It fails when there are others than before.
func (o *rowOrder) match(records []process.Record) bool {
	if len(records) != len(o.keys) {
		return false
	}
	for i := range records {
		line := o.find(keyOf(&records[i]), i)
		if line < 0 {
			return false
		}
		o.index[line] = i
	}
	o.parents = appendParents(o.parents[:0], records)
	return true
}

// find is the line of a row, looked for first where it would be if little moved.
func (o *rowOrder) find(k rowKey, near int) int {
	for off := range len(o.keys) {
		if i := near + off; i < len(o.keys) && o.keys[i] == k {
			return i
		}
		if i := near - off; i >= 0 && o.keys[i] == k {
			return i
		}
	}
	return -1
}
