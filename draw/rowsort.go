package draw

import (
	"cmp"
	"slices"
	"strings"

	"example.com/iprof/process"
)

// rowSort is an order that the user chose: by any column, up or down. Rows stay below the row they belong to.
type rowSort struct {
	on     bool
	column process.Column
	up     bool // the least first
}

// sort orders the lines. Rows that are sorted by how they differ need their changes.
func (s rowSort) sort(o *rowOrder, r []process.Record) {
	slices.SortStableFunc(o.index, func(a, b int) int {
		if g := cmp.Compare(r[a].Group, r[b].Group); g != 0 {
			return g
		}
		x, y := divide(a, b, o.parents)
		if x == y {
			return cmp.Compare(a, b) // one is above the other, and was before it
		}
		if s.column > ColumnName {
			return s.turn(cmp.Compare(s.change(o.changes[x]), s.change(o.changes[y])))
		}
		return s.compare(&r[x], &r[y])
	})
}

// divide goes up from two rows to where their ways part: to rows under the same one.
func divide(a, b int, parents []int) (x, y int) {
	below := func(i int) (n int) {
		for i = parents[i]; i >= 0; i = parents[i] {
			n++
		}
		return n
	}
	da, db := below(a), below(b)
	for ; da > db; da-- {
		a = parents[a]
	}
	for ; db > da; db-- {
		b = parents[b]
	}
	for a != b && parents[a] != parents[b] {
		a, b = parents[a], parents[b]
	}
	return a, b
}

// compare orders two rows. Those without a value come last either way.
func (s rowSort) compare(a, b *process.Record) int {
	if s.column == ColumnName {
		return s.turn(strings.Compare(a.Name, b.Name))
	}
	if has, other := a.Mask.Has(s.column), b.Mask.Has(s.column); has != other {
		if has {
			return -1
		}
		return 1
	}
	return s.turn(cmp.Compare(a.Values[s.column], b.Values[s.column]))
}

// change is what counts of a change.
func (s rowSort) change(c change) float64 {
	if s.column == ColumnDeltaPercent {
		return c.percent
	}
	return c.ms
}

func (s rowSort) turn(n int) int {
	if s.up {
		return n
	}
	return -n
}

// SortBy sorts the rows by a column: the greatest first, names from A to Z. By the column that they are sorted by already, it
// turns the order round. Rows keep to the row that they are shown under.
func (p *Panel) SortBy(column process.Column) {
	if column >= numColumns || column == ColumnBar || column == ColumnSpark {
		return
	}
	p.change(func() {
		o := &p.table.rows
		if o.by.on && o.by.column == column {
			o.by.up = !o.by.up
		} else {
			o.by = rowSort{on: true, column: column, up: column == ColumnName}
		}
		o.stale = true
	})
}

// SortAsReported gives the rows the order of their report again.
func (p *Panel) SortAsReported() {
	p.change(func() { p.table.rows.by, p.table.rows.stale = rowSort{}, true })
}

// stop is the record that a step of so many lines to a line ends on. The row of an unfolded package is passed over.
func (o *rowOrder) stop(line, lines int) int {
	way := 1
	if lines < 0 && line > 0 {
		way = -1
	}
	for ; line+way >= 0 && line+way < o.len(); line += way {
		if at := o.packageAt(line); at < 0 || o.packages.folded[at] {
			break
		}
	}
	return o.record(line)
}

// Step returns the record so many lines below the view's cursor, as the rows stand on the screen; it stops at the ends. It is
// what keys that move the cursor give to Session.SetCursor; -1 where what was drawn last has no rows, or is of another mode.
func (p *Panel) Step(v process.View, lines int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := &p.table.rows
	if o.len() == 0 || v.Mode != p.shown.view.Mode {
		return -1
	}
	line := o.lineOf(max(min(v.Cursor, len(o.index)-1), 0))
	if line < 0 && lines < 0 {
		line = 0
	}
	return o.stop(min(max(line+lines, 0), o.len()-1), lines)
}
