package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/process/internal/resize"
)

// The limits of a filter, in bytes.
const (
	longestFilter = 64
	searched      = 4096 // bytes of a name that are searched
)

// FilterText returns the normal form of a filter text, as View.Filter has it: at most 64 bytes, printable, ASCII
// letters in lower case.
func FilterText(text string) string {
	if isNormalFilter(text) {
		return text
	}
	b := make([]byte, 0, longestFilter)
	for _, r := range text {
		if r >= ' ' && r != 0x7f && r != utf8.RuneError && len(b)+utf8.RuneLen(r) <= longestFilter {
			b = utf8.AppendRune(b, r)
		}
	}
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

func isNormalFilter(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == 0x7f || c != lower(c) {
			return false
		}
	}
	return len(text) <= longestFilter && utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError)
}

// filter appends the indexes of the records to show, and returns the number of matches. It always shows the row of the
// subject.
func (a *Arrangement) filter(dst, index []int32, r []Record, subject ZoneID) (lines []int32, found int) {
	wanted := termsOf(a.Filter)
	for at, i := range index {
		switch {
		case a.CallersOnly && r[i].Group == GroupChild:
		case a.Hides(r[i].Zone) && (r[i].Group != GroupFocus || r[i].Zone != subject):
		case wanted.match(&r[i]):
			found++
			dst = append(dst, i)
		case wanted.aboveMatch(at, index, r):
			dst = append(dst, i)
		}
	}
	return dst, found
}

// aboveMatch reports whether a row is shown above a match. The rows below it follow it in index.
func (t *terms) aboveMatch(at int, index []int32, r []Record) bool {
	row := &r[index[at]]
	for _, i := range index[at+1:] {
		if r[i].Group != row.Group || r[i].Indent <= row.Indent {
			return false
		}
		if t.match(&r[i]) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// mostHidden is the greatest number of hidden zones. Each row of a report is looked up among them.
const mostHidden = 256

// Hide hides the rows of a zone in all reports, and its part of the history, or shows them again. A hidden zone is
// still measured, and its callers keep their time. The zone of a call graph keeps its row. At most 256 zones are
// hidden; further ones stay.
func (a *Arrangement) Hide(zone ZoneID, on bool) {
	others := resize.Delete(slices.Clone(a.Hidden), func(z ZoneID) bool { return z == zone })
	if on && zone >= 0 && len(others) < mostHidden {
		others = append(others, zone)
	}
	a.Hidden = others
}

// Hides reports whether a zone is hidden.
func (a *Arrangement) Hides(zone ZoneID) bool { return slices.Contains(a.Hidden, zone) }

// Arrangement chooses the order and the filter of a report's rows. It is part of a View. The zero value shows all rows
// in the order of the report mode.
type Arrangement struct {
	Order       Order
	Filter      string   // shows only rows whose name contains this text, and the rows above them: see FilterText
	CallersOnly bool     // hides the callees of a call graph
	Grouping    Grouping // headings of the rows of flat reports
	Compare     bool     // fills in Record.Delta: see PinBaseline
	ShowIdle    bool     // lists idle zones one by one; otherwise two or more are one row
	Hidden      []ZoneID // zones hidden in reports and in the history: see Hide; do not change the slice
}

// The keys of an Order other than the values of a Record.
const (
	ColumnName         Column = NumColumns + iota // Record.Name
	ColumnDelta                                   // Record.Delta, ms
	ColumnDeltaPercent                            // Record.Delta, percent
)

// Order is the order of rows. Rows stay below their parent row. The zero Order is the order of the report mode.
type Order struct {
	Chosen    bool   // false: the order of the report mode
	By        Column // a value of Record, ColumnName, ColumnDelta or ColumnDeltaPercent; out of range it is ColumnSelf
	Ascending bool   // smallest first
}

// OrderBy returns the order by the column of a report with a name, such as "self_ms", or with a heading: the smallest
// name first, of all others the largest value. ok is false if there is no such column; names has those that there are.
func OrderBy(name string) (o Order, names []string, ok bool) {
	for c := range ColumnDelta {
		i := c.Info()
		if names = append(names, i.Name); name == i.Name || name == i.Heading {
			return Order{Chosen: true, By: c, Ascending: c == ColumnName}, nil, true
		}
	}
	return o, names, false
}

// Clamp brings an arrangement into range.
func (a *Arrangement) Clamp() {
	if !a.Order.Chosen {
		a.Order = Order{}
	} else if a.Order.By > ColumnDeltaPercent {
		a.Order.By = ColumnSelf
	}
	a.Grouping = min(a.Grouping, numGroupings-1)
	a.Filter = FilterText(a.Filter)
}

// sort sorts the indexes of records.
func (o Order) sort(index []int32, parents []int32, r []Record) {
	slices.SortFunc(index, func(a, b int32) int {
		if g := cmp.Compare(r[a].Group, r[b].Group); g != 0 {
			return g
		}
		x, y := divide(a, b, parents)
		if x == y {
			return cmp.Compare(a, b) // one is an ancestor of the other, and stays first
		}
		return cmp.Or(o.compare(&r[x], &r[y]), cmp.Compare(a, b))
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

// levelOf returns the number of ancestors of a row.
func levelOf(i int32, parents []int32) (n int) {
	for i = parents[i]; i >= 0; i = parents[i] {
		n++
	}
	return n
}

// appendParents appends, for each record, the index of the record it is shown under, or -1. The parent follows from
// Indent within the group.
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

// AppendWords names the order in a report's title. Names usually ascend and numbers descend; only the opposite
// direction is named.
func (o Order) AppendWords(dst []byte) []byte {
	dst = append(dst, o.By.Info().Heading...)
	switch {
	case o.Ascending == (o.By == ColumnName):
		return dst
	case o.Ascending:
		return append(dst, ", smallest first"...)
	}
	return append(dst, ", last first"...)
}
