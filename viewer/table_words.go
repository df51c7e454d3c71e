package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// Columns of the table, besides those of reports.
const (
	ColumnName                        = process.ColumnName         // the zone's name, which is always shown; for SortBy
	ColumnDelta                       = process.ColumnDelta        // difference from the baseline, ms
	ColumnDeltaPercent                = process.ColumnDeltaPercent // difference from the baseline, percent
	ColumnBar          process.Column = iota + process.NumColumns  // self time within hierarchical time, as a bar
	ColumnSpark                                                    // the last 60 frames, as a line
	numColumns         = iota + process.NumColumns
)

// ownColumns are the words for the columns that only the table has.
var ownColumns = [numColumns - process.NumColumns]draw.ColumnWords{
	ColumnName - process.NumColumns:  {Heading: "zone", Words: "name", Kind: draw.KindWhole},
	ColumnBar - process.NumColumns:   {Words: "bar of self in time with callees"},
	ColumnSpark - process.NumColumns: {Heading: "last 60 frames", Words: "line of the last 60 frames"},
	ColumnDelta - process.NumColumns: {Heading: "Δ ms", Words: "difference from the baseline"},
	ColumnDeltaPercent - process.NumColumns: {
		Heading: "Δ %", Words: "difference from the baseline, %", Kind: draw.KindShare},
}

// describe returns the words for a column of the table.
func describe(c process.Column) draw.ColumnWords {
	if c < process.NumColumns {
		return draw.Describe(c)
	}
	return ownColumns[c-process.NumColumns]
}

// columnName returns the name of a column. The bar has a name but no heading.
func columnName(w draw.ColumnWords) string {
	if w.Heading == "" {
		return "bar"
	}
	return w.Heading
}
