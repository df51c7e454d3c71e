// Package tables has captures as tables of rows, for SQL and for Parquet: frames, zones, paths, calls and more. The
// rows stay in slices of Go; a table only reads them.
//
//	var s tables.Set
//	if err := s.Read(path, tables.Limits{}, nil); err != nil {
//		return err
//	}
//	calls := tables.Find("calls")
//	for row := range calls.Len(&s) {
//		fmt.Println(calls.Columns[0].Value(&s, row))
//	}
package tables

import "sort"

// Kind is the kind of a column's values.
type Kind uint8

// The kinds. A value that is not known is nil in each of them.
const (
	Text    Kind = iota // a string of any bytes
	Integer             // an int64
	Real                // a float64
)

// String returns SQL's name of the kind.
func (k Kind) String() string { return [...]string{"TEXT", "INTEGER", "REAL"}[k] }

// Column is a column of a table. Names of times and sizes end with their unit.
type Column struct {
	Name, Words string
	Kind        Kind
	Null        bool // some values are not known
	Hidden      bool // select * leaves it out

	value func(s *Set, row int) any
}

// Value returns the value of a row: a string, an int64, a float64 or nil. The row must be in the table.
func (c *Column) Value(s *Set, row int) any { return c.value(s, row) }

// Table describes a table. It has no rows of its own: they are those of a Set.
type Table struct {
	Name, Words string
	Query       string // an example
	Columns     []Column

	parts   parts
	rows    func(s *Set) int
	capture func(s *Set, row int) int32 // by which the rows ascend
	frame   func(s *Set, row int) int64 // by which the rows of a capture ascend; nil without a column frame
}

// Len returns the number of the table's rows in a set.
func (t *Table) Len(s *Set) int { return t.rows(s) }

// Column returns the number of a column, or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// ByFrame reports whether the rows of each capture are sorted by the column frame.
func (t *Table) ByFrame() bool { return t.frame != nil }

// Rows is a range of rows, without the last.
type Rows struct{ From, To int }

// Choice chooses rows of a table.
type Choice struct {
	OfFile      bool
	File        string // with OfFile: only of captures with this text in the column file
	First, Last int64  // only of these frames, in tables with a column frame
}

// Choose returns the rows of a choice, in their order.
func (t *Table) Choose(s *Set, by Choice) (found []Rows) {
	if !by.OfFile {
		for _, run := range s.runsOf(t).found {
			found = t.within(s, found, run, by)
		}
		return found
	}
	for _, capture := range s.named(by.File) {
		for _, run := range s.runsOf(t).of(capture) {
			found = t.within(s, found, run, by)
		}
	}
	return found
}

// within appends the rows of the chosen frames in a run.
func (t *Table) within(s *Set, found []Rows, run Rows, by Choice) []Rows {
	from, to := 0, run.To-run.From
	if t.frame != nil {
		of := func(i int) int64 { return t.frame(s, run.From+i) }
		to = sort.Search(to, func(i int) bool { return of(i) > by.Last })
		from = sort.Search(to, func(i int) bool { return of(i) >= by.First })
	}
	if from == to {
		return found
	}
	return append(found, Rows{run.From + from, run.From + to})
}

// All are the tables, by subject.
var All = []*Table{capturesTable(), framesTable(), zonesTable(), pathsTable(), callsTable(), lanesTable(),
	statesTable(), countersTable(), marksTable(), sectionsTable(), memoryTable(), verdictsTable()}

// Find returns a table by its name, or nil.
func Find(name string) *Table {
	for _, t := range All {
		if t.Name == name {
			return t
		}
	}
	return nil
}
