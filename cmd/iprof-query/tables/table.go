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

	value func(s *Set, row int) any
}

// Value returns the value of a row: a string, an int64, a float64 or nil. The row must be in the table.
func (c *Column) Value(s *Set, row int) any { return c.value(s, row) }

// Table describes a table. It has no rows of its own: they are those of a Set.
type Table struct {
	Name, Words string
	Query       string // an example
	Columns     []Column

	parts parts
	rows  func(s *Set) int
	frame func(s *Set, row int) int64 // of tables with a column frame, by which the rows of a file ascend; else nil
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

// ByFrame reports whether the rows of each file are sorted by frame, so that Between finds them.
func (t *Table) ByFrame() bool { return t.frame != nil }

// Rows is a range of rows, without the last.
type Rows struct{ From, To int }

// Between returns the rows of the frames first to last, of all files. The table must be sorted by frame.
func (t *Table) Between(s *Set, first, last int64) (found []Rows) {
	for _, run := range s.runsOf(t) {
		of := func(i int) int64 { return t.frame(s, run.From+i) }
		n := run.To - run.From
		from := sort.Search(n, func(i int) bool { return of(i) >= first })
		to := sort.Search(n, func(i int) bool { return of(i) > last })
		if from < to {
			found = append(found, Rows{run.From + from, run.From + to})
		}
	}
	return found
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
