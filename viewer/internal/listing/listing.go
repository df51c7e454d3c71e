// Package listing makes the rows of the lists that stand in place of the table, from what a session has.
package listing

import (
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// Content is what a list shows.
type Content struct {
	Title   string
	Note    string // names omissions, or the way to get more
	None    string // the words without rows
	Columns []list.Column
	Rows    []list.Row
	By      int             // the column by which they are sorted
	Calls   []timeline.Call // of lists of calls, by list.Row.At
}
