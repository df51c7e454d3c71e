// Package list draws a list in place of the table, such as the calls of a zone, frames or marks: it sorts, filters and
// has a cursor.
package list

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"example.com/iprof/process/report"
)

// Column is a column of a list.
type Column struct {
	Heading string
	Tip     string
	Width   float32 // in nominal pixels; 0: the rest of the row
	Number  bool    // it sorts by Row.Keys, the greatest first, and ends at the right
	Time    bool    // a filter such as ">5ms" looks at Row.Keys of it
}

// Row is a row of a list, with a word and a key for each column.
type Row struct {
	Words []string
	Keys  []float64
	Frame uint64 // FrameSummary.Index of its frame
	At    int    // for the owner of the list
}

// List is the rows of a list, with its filter, cursor and place. The zero value is closed.
type List struct {
	Open    bool
	Title   string
	Note    string // names omissions, or the way to get more
	None    string // the words without rows
	Columns []Column
	Filter  string // see report.FilterText
	Cursor  int    // in the order of the rows on the screen

	rows    []Row
	order   []int32
	by      int
	down    bool
	top     int
	visible int
	follow  bool // the next Draw brings the cursor into sight
}

// Show opens the list with rows, sorted by a column. The list keeps the slices.
func (l *List) Show(title string, columns []Column, rows []Row, by int) {
	*l = List{Open: true, Title: title, Columns: columns, rows: rows, by: by, visible: l.visible}
	l.down = columns[by].Number
	l.arrange()
}

// Sort sorts by a column: the greatest number first, or words from A to Z. A second time reverses the order. It ignores
// other columns.
func (l *List) Sort(column int) {
	if column < 0 || column >= len(l.Columns) {
		return
	}
	if l.by == column {
		l.down = !l.down
	} else {
		l.by, l.down = column, l.Columns[column].Number
	}
	l.arrange()
	l.Cursor, l.follow = 0, true
}

// SetFilter shows only rows with a text in one of their words, or of more than a time.
func (l *List) SetFilter(text string) {
	l.Filter = report.FilterText(text)
	l.arrange()
	l.Cursor, l.follow = 0, true
}

// arrange filters and sorts.
func (l *List) arrange() {
	l.order = l.order[:0]
	text, over := report.FilterWords(l.Filter)
	for i := range l.rows {
		if l.has(&l.rows[i], text, over) {
			l.order = append(l.order, int32(i))
		}
	}
	slices.SortStableFunc(l.order, func(a, b int32) int {
		n := l.compare(&l.rows[a], &l.rows[b])
		if l.down {
			return -n
		}
		return n
	})
	l.Cursor = max(min(l.Cursor, len(l.order)-1), 0)
}

// has reports whether the filter keeps a row.
func (l *List) has(r *Row, text string, over float64) bool {
	for i := range l.Columns {
		if l.Columns[i].Time && over >= 0 && !(r.Keys[i] > over) {
			return false
		}
	}
	return text == "" || slices.ContainsFunc(r.Words, func(w string) bool {
		return strings.Contains(strings.ToLower(w), text)
	})
}

func (l *List) compare(a, b *Row) int {
	if l.Columns[l.by].Number {
		return cmp.Compare(a.Keys[l.by], b.Keys[l.by])
	}
	return cmp.Compare(a.Words[l.by], b.Words[l.by])
}

// Len returns the number of rows that the filter keeps.
func (l *List) Len() int { return len(l.order) }

// Row returns the row under the cursor, nil without one.
func (l *List) Row() *Row { return l.RowAt(l.Cursor) }

// RowAt returns a row by its place on the screen, nil without one.
func (l *List) RowAt(at int) *Row {
	if at < 0 || at >= len(l.order) {
		return nil
	}
	return &l.rows[l.order[at]]
}

// Step moves the cursor by a number of rows. It stops at the ends, and reports whether the cursor moved.
func (l *List) Step(rows int) (moved bool) {
	was := l.Cursor
	l.Cursor, l.follow = max(min(l.Cursor+rows, len(l.order)-1), 0), true
	return l.Cursor != was
}

// Scroll moves the rows in sight. Draw clamps the lower end.
func (l *List) Scroll(rows int) { l.top = max(l.top+rows, 0) }

// Text returns the rows that the filter keeps, with the headings, as lines of words with tabs between.
func (l *List) Text() string {
	var b strings.Builder
	for i := range l.Columns {
		b.WriteString(l.Columns[i].Heading + "\t")
	}
	for i := range l.order {
		b.WriteString("\n" + strings.Join(l.RowAt(i).Words, "\t"))
	}
	return b.String() + "\n"
}

// Frames appends the frames of the rows that the filter keeps, ascending, each once.
func (l *List) Frames(dst []uint64) []uint64 {
	first := len(dst)
	for _, i := range l.order {
		dst = append(dst, l.rows[i].Frame)
	}
	sort.Slice(dst[first:], func(i, k int) bool { return dst[first+i] < dst[first+k] })
	return slices.Compact(dst)
}
