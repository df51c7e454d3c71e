package html

import (
	"math"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// view is the report of the program's view. The page shows it as a table that needs no script.
type view struct {
	Title   string
	Columns []string
	Lines   []viewLine
}

type viewLine struct {
	Class, Name, Whole string // Whole is the full name if Name is a short name, else ""
	Cells              []string
}

// values returns the values of the template. A nil view has none.
func (v *view) values() values {
	if v == nil {
		return nil
	}
	lines := make([]values, len(v.Lines))
	for i, l := range v.Lines {
		lines[i] = values{".Class": l.Class, ".Name": l.Name, ".Whole": l.Whole, ".Cells": texts(l.Cells)}
	}
	return values{".Title": v.Title, ".Columns": texts(v.Columns), ".Lines": lines}
}

// mostLines is the greatest number of lines of the table. The last line counts the remaining ones.
const mostLines = 1000

// viewOf returns nil for a report without lines.
func viewOf(r *report.Report, zones []gather.ZoneInfo) *view {
	if r == nil || r.Len() == 0 {
		return nil
	}
	v := &view{Title: visible(r.Title)}
	for _, c := range viewColumns(r) {
		v.Columns = append(v.Columns, c.Info().Heading)
	}
	folded := r.IdleFolded()
	for i := range min(folded.Len(), mostLines) {
		v.Lines = append(v.Lines, viewLineOf(folded, zones, i))
	}
	if more := r.Len() - mostLines; more > 0 {
		v.Lines = append(v.Lines, viewLine{Name: "… and " + strconv.Itoa(more) + " more"})
	} else if folded != r {
		v.unfold(r, folded, zones)
	}
	return v
}

// unfold adds the lines behind a folded row at the end. The page shows them after a click on the row.
func (v *view) unfold(r, folded *report.Report, zones []gather.ZoneInfo) {
	at := folded.Len() - 1
	row := &v.Lines[at]
	row.Class, row.Name = "idle waits", "▸ "+row.Name+" ("+strconv.Itoa(folded.Package(at).Rows)+" zones)"
	for i := at; i < r.Len(); i++ {
		line := viewLineOf(r, zones, i)
		line.Class = strings.TrimSpace(line.Class + " folded")
		v.Lines = append(v.Lines, line)
	}
}

// viewColumns returns the report's columns. With a baseline, the columns of differences follow.
func viewColumns(r *report.Report) []report.Column {
	columns := append([]report.Column(nil), r.Columns...)
	if r.Baseline.Pinned {
		columns = append(columns, report.ColumnDelta, report.ColumnDeltaPercent)
	}
	return columns
}

func viewLineOf(r *report.Report, zones []gather.ZoneInfo, i int) viewLine {
	rec, _ := r.Line(i)
	indent := rec.Indent
	line := viewLine{}
	switch p := r.Package(i); {
	case p != nil:
		line.Class = "package"
	case r.Grouped():
		indent++
	}
	if rec.Idle {
		line.Class = strings.TrimSpace(line.Class + " idle")
	}
	name := rec.Name
	if at := int(rec.Zone); at >= 0 && at < len(zones) && zones[at].Name == name {
		if short := report.ShortName(&zones[at]); short != "" {
			name, line.Whole = short, visible(name)
		}
	}
	line.Name = strings.Repeat("\u2003", min(indent, 40)) + rec.Estimated.Sign() + visible(name)
	if rec.Site != "" {
		line.Name += "  " + visible(rec.Site)
	}
	for _, c := range viewColumns(r) {
		line.Cells = append(line.Cells, viewCell(rec, c))
	}
	return line
}

// viewCell formats a record's value in a column.
func viewCell(rec *report.Record, c report.Column) string {
	switch {
	case c == report.ColumnDelta:
		return viewDelta(&rec.Delta, rec.Delta.MS, 2)
	case c == report.ColumnDeltaPercent:
		return viewDelta(&rec.Delta, rec.Delta.Percent, 1)
	case !rec.Mask.Has(c):
		return "-"
	}
	return strconv.FormatFloat(rec.Values[c], 'f', viewDecimals(rec.Values[c], c), 64)
}

// viewDecimals returns the number of decimals of a value.
func viewDecimals(v float64, c report.Column) int {
	switch c.Info().Kind {
	case report.KindMilliseconds:
		return 2
	case report.KindPercent, report.KindTenths:
		return 1
	case report.KindEntries:
		if v != math.Trunc(v) {
			return 2
		}
	}
	return 0
}

// viewDelta formats a difference from the baseline.
func viewDelta(d *report.Delta, v float64, decimals int) string {
	switch {
	case d.New:
		return "new"
	case !d.Known || math.IsInf(v, 0):
		return "-"
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if v > 0 {
		text = "+" + text
	}
	if d.Noise {
		text = "~" + text
	}
	return text
}
