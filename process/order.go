package process

import (
	"cmp"
	"slices"
	"strings"
)

// Arrangement chooses the order and the filter of a report's rows. It is part of a View. The zero value shows all rows
// in the order of the report mode.
type Arrangement struct {
	Order       Order
	Filter      string   // shows only rows whose name contains it, and the rows above them: see SetFilter
	CallersOnly bool     // hides the callees of a call graph
	Grouping    Grouping // headings of the rows of flat reports
	Compare     bool     // fills in Record.Delta: see PinBaseline
	ShowIdle    bool     // idle zones are listed one by one: see Session.ShowIdle
	Hidden      []ZoneID // zones without rows, and without a part of the history: see SetHidden; do not change it
}

// The keys of an Order other than the values of a Record.
const (
	ColumnName         Column = NumColumns + iota // Record.Name
	ColumnDelta                                   // Record.Delta, ms
	ColumnDeltaPercent                            // Record.Delta, percent
)

// Order is the order of rows. Rows stay below the row that they are shown under. The zero Order is that of the report
// mode.
type Order struct {
	Chosen    bool   // false: the order of the report mode
	By        Column // a value of Record, ColumnName, ColumnDelta or ColumnDeltaPercent; out of range it is ColumnSelf
	Ascending bool   // smallest first
}

// Arrange changes the arrangement of reports with a function. The function must not call the session. Any goroutine may
// call Arrange.
func (s *Session) Arrange(change func(a *Arrangement)) {
	s.adjust(func(v *View) { change(&v.Arrangement) })
}

// SetOrder sorts the rows of reports. Any goroutine may call it.
func (s *Session) SetOrder(o Order) { s.adjust(func(v *View) { v.Order = o }) }

// clamp brings an arrangement into range.
func (a *Arrangement) clamp() {
	if !a.Order.Chosen {
		a.Order = Order{}
	} else if a.Order.By > ColumnDeltaPercent {
		a.Order.By = ColumnSelf
	}
	a.Grouping = min(a.Grouping, NumGroupings-1)
	a.Filter = FilterText(a.Filter)
}

// sort sorts the indexes of records.
func (o Order) sort(index []int32, parents []int32, r []Record) {
	slices.SortStableFunc(index, func(a, b int32) int {
		if g := cmp.Compare(r[a].Group, r[b].Group); g != 0 {
			return g
		}
		x, y := divide(a, b, parents)
		if x == y {
			return cmp.Compare(a, b) // one is above the other, and was before it
		}
		return o.compare(&r[x], &r[y])
	})
}

// divide returns the ancestors of two rows that have the same parent.
func divide(a, b int32, parents []int32) (x, y int32) {
	da, db := levelOf(a, parents), levelOf(b, parents)
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

// levelOf is the number of rows above a row.
func levelOf(i int32, parents []int32) (n int) {
	for i = parents[i]; i >= 0; i = parents[i] {
		n++
	}
	return n
}

// appendParents appends, for each record, the index of the record it is shown under, or -1. It follows from Indent
// within the group.
func appendParents(dst []int32, r []Record) []int32 {
	for i := range r {
		p := int32(i) - 1
		for p >= 0 && r[p].Group == r[i].Group && r[p].Indent >= r[i].Indent {
			p = dst[p]
		}
		if p >= 0 && r[p].Group != r[i].Group {
			p = -1
		}
		dst = append(dst, p)
	}
	return dst
}

// compare compares two rows. Rows without a value come last in either direction.
func (o Order) compare(a, b *Record) int {
	if o.By == ColumnName {
		return o.turn(strings.Compare(a.Name, b.Name))
	}
	x, has := o.value(a)
	y, other := o.value(b)
	if has != other {
		if has {
			return -1
		}
		return 1
	}
	return o.turn(cmp.Compare(x, y))
}

// value returns the sort key of a row, and whether it has one.
func (o Order) value(r *Record) (v float64, has bool) {
	switch o.By {
	case ColumnDelta:
		return r.Delta.MS, r.Delta.Known
	case ColumnDeltaPercent:
		return r.Delta.Percent, r.Delta.Known
	}
	return r.Values[o.By], r.Mask.Has(o.By)
}

func (o Order) turn(n int) int {
	if o.Ascending {
		return n
	}
	return -n
}

// appendWords names the order in a report's title. Names usually ascend and numbers descend; only the opposite
// direction is mentioned.
func (o Order) appendWords(dst []byte) []byte {
	dst = append(dst, o.By.Info().Heading...)
	switch {
	case o.Ascending == (o.By == ColumnName):
		return dst
	case o.Ascending:
		return append(dst, ", smallest first"...)
	}
	return append(dst, ", last first"...)
}
