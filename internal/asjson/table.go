package asjson

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Table is a list of calls, lanes, waits and so on, or of sums of them: see internal/tables.
type Table struct {
	Of     string     `json:"of"`        // the command
	By     string     `json:"by"`        // what a row stands for
	Sorted string     `json:"sorted_by"` // a value, or "frame": the oldest first
	Frames uint64     `json:"frames"`    // that were chosen
	Notes  []Text     `json:"notes,omitempty"`
	Rows   []TableRow `json:"rows"`
	Left   int        `json:"rows_left_out,omitempty"`
}

// TableRow is a row of a table.
type TableRow struct {
	ID    Text           `json:"id,omitempty"`    // for -id of the next command
	Group string         `json:"group,omitempty"` // of a call graph: caller, focus or callee
	Name  Text           `json:"name,omitempty"`
	Path  []Text         `json:"path,omitempty"` // names of zones, outermost first
	Zone  *report.ZoneID `json:"zone_id,omitempty"`
	Site
	Text    Text             `json:"text,omitempty"`  // of the line
	Place   Text             `json:"place,omitempty"` // of a wait
	EndedBy Text             `json:"ended_by,omitempty"`
	Lane    Text             `json:"lane,omitempty"`
	LaneID  *gather.LaneID   `json:"lane_id,omitempty"`
	Frame   *uint64          `json:"frame,omitempty"`
	Values  map[string]Known `json:"values"`
}
