// Package kept keeps the answers of queries, for tests.
package kept

// Answer is an ask.Answer that keeps all rows.
type Answer struct {
	Names []string // of the columns
	Rows  [][]any
}

// Columns keeps the names of the columns.
func (a *Answer) Columns(names []string) error {
	a.Names = names
	return nil
}

// Row keeps a copy of a row.
func (a *Answer) Row(values []any) error {
	a.Rows = append(a.Rows, append([]any(nil), values...))
	return nil
}
