package viewer

import (
	"unicode/utf8"

	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/table"
)

// toggleColumn shows a column of the table, or hides it. It does not hide the last one. Unknown columns are ignored.
func (p *Panel) toggleColumn(c process.Column) {
	if c >= table.NumColumns {
		return
	}
	p.Change(func(o *Options) {
		if set := table.ColumnsOf(o.Columns).OrUsual().Toggled(c); set != (table.ColumnSet{}) {
			o.Columns = set.List()
		}
	})
}

// pinBaseline makes the frame or average that is shown now the baseline, and compares rows with it: see
// process.Session.PinBaseline.
func (p *Panel) pinBaseline() { p.change(p.source.PinBaseline) }

// toggleCompare shows or hides the differences from the baseline. Without a baseline nothing is shown.
func (p *Panel) toggleCompare() { p.arrange(func(a *process.Arrangement) { a.Compare = !a.Compare }) }

// toggleCallers hides the callees in call graphs, or shows them again.
func (p *Panel) toggleCallers() {
	p.arrange(func(a *process.Arrangement) { a.CallersOnly = !a.CallersOnly })
}

// openFilter begins typing a filter. It ends with CloseFilter, Dismiss or setFilter.
func (p *Panel) openFilter() { p.change(func() { p.table.Typing = true }) }

// CloseFilter ends typing, keeps the filter, and moves the cursor to a row that the filter shows. Any goroutine may
// call it.
func (p *Panel) CloseFilter() {
	p.change(func() { p.table.Typing = false })
	if s := p.session; s != nil {
		if record := p.step(s.View(), 0); record >= 0 {
			s.SetCursor(record)
		}
	}
}

// setFilter ends typing and filters the session's reports: see process.Session.SetFilter. Any goroutine may call it.
func (p *Panel) setFilter(text string) {
	p.arrange(func(a *process.Arrangement) { p.table.Typing, a.Filter = false, process.FilterText(text) })
}

// Type appends a character to the words that search the open menu, or else to the filter. Any goroutine may call it.
func (p *Panel) Type(r rune) {
	if p.inMenu(func(m *menu) bool { return m.typed(r) }) {
		return
	}
	p.arrange(func(a *process.Arrangement) { a.Filter = process.FilterText(a.Filter + string(r)) })
}

// Erase removes the last character of the words that search the open menu, or else of the filter. Any goroutine may
// call it.
func (p *Panel) Erase() {
	if p.inMenu((*menu).erased) {
		return
	}
	p.arrange(func(a *process.Arrangement) {
		_, size := utf8.DecodeLastRuneInString(a.Filter)
		a.Filter = a.Filter[:len(a.Filter)-size]
	})
}

// inMenu changes the open menu, and reports whether it can be searched.
func (p *Panel) inMenu(change func(m *menu) bool) (done bool) {
	p.change(func() { done = change(&p.menu) })
	return done
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
	if column >= table.NumColumns || column == ColumnBar || column == ColumnSpark {
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
	if v.Mode != p.shown.View.Mode {
		return -1
	}
	return p.shown.Report.Step(v.Cursor, lines)
}

// toggleGrouped groups the rows of the flat reports by package, or ends the grouping.
func (p *Panel) toggleGrouped() {
	p.arrange(func(a *process.Arrangement) { a.Grouping = process.GroupingPackage - a.Grouping })
}

// toggleFold folds or unfolds a package by its number in a hit of kind HitPackage. A number below 0 is the package of
// the cursor's zone. It reports whether there is such a package. Any goroutine may call it.
func (p *Panel) toggleFold(place int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.shown.Report.Packages) == 0 {
		return false
	}
	if fold := p.shown.CursorFold(); place < 0 && fold != nil {
		place = fold.ID
	} else if place < 0 {
		place = p.table.Arranger.PackageOf(p.shown.CursorZone())
	}
	p.serial++
	return p.table.Arranger.Fold(place)
}

// StartColumn begins to drag the border at the left of a column, with the mouse at x, in pixels. Columns that are not
// on the screen are ignored. Any goroutine may call it.
func (p *Panel) StartColumn(column process.Column, x float32) {
	p.change(func() { p.table.StartColumn(column, x) })
}

// DragColumn moves the border of StartColumn to the mouse at x, in pixels. The column keeps room for its heading, and
// the names keep theirs. From then on no column changes its width by itself. Any goroutine may call it.
func (p *Panel) DragColumn(x float32) {
	p.change(func() { p.table.DragColumn(x, p.canvas.Em) })
}

// ResetColumn gives a column its usual width again. Once the user has dragged no other, all columns have theirs. Any
// goroutine may call it.
func (p *Panel) ResetColumn(column process.Column) {
	p.change(func() { p.table.ResetColumn(column) })
}
