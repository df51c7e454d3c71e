// Package listing makes the rows of the lists that stand in place of the table, from what a session has.
package listing

import (
	"math"

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
	Calls   []timeline.Call // where the rows lead, by list.Row.At; their Frame may be NoFrame
}

// NoFrame is the frame of a row that leads nowhere.
const NoFrame = math.MaxUint64
