package viewer

import "example.com/iprof/process"

// rowKey identifies a row across reports.
type rowKey struct {
	zone  process.ZoneID
	path  int32
	depth int
	group process.Group
}

// cursorKey returns the key of the cursor's record, or the zero key if there is none.
func (d *shown) cursorKey() (k rowKey) {
	if r := d.Report.CursorRecord(); r != nil {
		k = rowKey{r.Zone, r.Path, r.Depth, r.Group}
	}
	return k
}

// arrange changes the arrangement of the session's reports.
func (p *Panel) arrange(change func(a *process.Arrangement)) {
	p.change(func() { p.source.Arrange(change) })
}

// arrangement returns the arrangement of the session's reports.
func (p *Panel) arrangement() process.Arrangement { return p.source.View().Arrangement }

// sortBy sorts the rows by a column: the greatest value first, or names from A to Z. A second time, it reverses the
// order. Rows stay below the row that they belong to. ColumnBar, ColumnSpark and unknown columns are ignored. Any
// goroutine may call it.
func (p *Panel) sortBy(column process.Column) {
	if column >= numColumns || column == ColumnBar || column == ColumnSpark {
		return
	}
	p.arrange(func(a *process.Arrangement) {
		if a.Order.Chosen && a.Order.By == column {
			a.Order.Ascending = !a.Order.Ascending
		} else {
			a.Order = process.Order{Chosen: true, By: column, Ascending: column == ColumnName}
		}
	})
}

// sortAsReported restores the report's own order of rows.
func (p *Panel) sortAsReported() {
	p.arrange(func(a *process.Arrangement) { a.Order = process.Order{} })
}

// step returns the record a number of lines below the cursor of the view, in the order of the rows on the screen. It
// stops at the ends. Keys that move the cursor pass the result to Session.SetCursor. It is -1 if the last Draw had no
// rows, or had another report mode. Any goroutine may call it.
func (p *Panel) step(v process.View, lines int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.Mode != p.shown.view.Mode {
		return -1
	}
	return p.shown.Report.Step(v.Cursor, lines)
}
