package draw

import "example.com/iprof/process"

// holdMs is how long rows keep their places although their values changed: long enough to read one.
const holdMs = 500

// rowOrder says which record stands on which line. In the flat reports rows keep their order for holdMs of frames; new
// rows, the user's controls and a pause bring the report's own order.
type rowOrder struct {
	index []int    // record by line; empty: line is record
	keys  []rowKey // by line, as of the order kept
	since float64  // ms of frames since the order was made
	frame uint64   // the last one seen
	view  process.View
}

// rowKey tells rows apart from one report to the next.
type rowKey struct {
	zone, path int32
	depth      int
}

func keyOf(r *process.Record) rowKey { return rowKey{r.Zone, r.Path, r.Depth} }

// record is the record on a line.
func (o *rowOrder) record(line int) int {
	if line < len(o.index) {
		return o.index[line]
	}
	return line
}

// lineOf is the line of a record.
func (o *rowOrder) lineOf(record int) int {
	for line, i := range o.index {
		if i == record {
			return line
		}
	}
	return record
}

// arrange finds the order for a report.
func (o *rowOrder) arrange(d *shown) {
	if d.info.Index > o.frame {
		o.since += float64(d.info.Index-o.frame) * d.info.Length
	}
	o.frame = d.info.Index
	flat := d.view.Mode == process.SelfTime || d.view.Mode == process.HierarchicalTime
	if flat && d.info.Live && o.since < holdMs && sameControls(&o.view, &d.view) && o.match(d.report.Records) {
		return
	}
	o.renew(d)
}

// renew takes the report's order.
func (o *rowOrder) renew(d *shown) {
	o.index, o.keys, o.since, o.view = o.index[:0], o.keys[:0], 0, d.view
	o.view.Pin = nil
	for i := range d.report.Records {
		o.index = append(o.index, i)
		o.keys = append(o.keys, keyOf(&d.report.Records[i]))
	}
}

// sameControls reports whether the user touched nothing that changes the rows.
func sameControls(a, b *process.View) bool {
	return a.Mode == b.Mode && a.Average == b.Average && a.Recursion == b.Recursion && a.Age == b.Age &&
		a.Cursor == b.Cursor && a.Focus == b.Focus && a.Lane == b.Lane
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
