package process

// ColumnSet is a set of columns. The zero set is empty, and sets can be compared with ==.
type ColumnSet [2]uint64

// This does not compile if a ColumnSet has too few bits.
const _ = uint(128 - NumColumns)

// AllColumns is the set of all columns.
var AllColumns = allColumns()

func allColumns() (s ColumnSet) {
	for c := range Column(NumColumns) {
		s.add(c)
	}
	return s
}

// ColumnsOf returns a set of columns. Columns out of range are left out.
func ColumnsOf(columns ...Column) ColumnSet { return ColumnSet{}.With(columns...) }

// Has reports whether a column is in the set.
func (s ColumnSet) Has(c Column) bool { return c < NumColumns && s[c/64]&(1<<(c%64)) != 0 }

// Empty reports whether the set has no column.
func (s ColumnSet) Empty() bool { return s == ColumnSet{} }

// With returns the set and more columns. Columns out of range are left out.
func (s ColumnSet) With(columns ...Column) ColumnSet {
	for _, c := range columns {
		if c < NumColumns {
			s.add(c)
		}
	}
	return s
}

// add adds a column in range.
func (s *ColumnSet) add(c Column) { s[c/64] |= 1 << (c % 64) }

// Or returns the columns that are in either set.
func (s ColumnSet) Or(t ColumnSet) ColumnSet { return ColumnSet{s[0] | t[0], s[1] | t[1]} }

// And returns the columns that are in both sets.
func (s ColumnSet) And(t ColumnSet) ColumnSet { return ColumnSet{s[0] & t[0], s[1] & t[1]} }

// Without returns the set without the columns of another.
func (s ColumnSet) Without(t ColumnSet) ColumnSet { return ColumnSet{s[0] &^ t[0], s[1] &^ t[1]} }

// AppendColumns appends the columns of the set in reading order: related columns stand together.
func (s ColumnSet) AppendColumns(dst []Column) []Column {
	for _, c := range readingOrder {
		if s.Has(c) {
			dst = append(dst, c)
		}
	}
	return dst
}
