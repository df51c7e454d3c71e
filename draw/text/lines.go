package text

import (
	"math"
	"slices"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// columnsOf returns the columns of a report's table. With a baseline, the differences follow the times.
func columnsOf(r *report.Report) []report.Column {
	if !r.Baseline.Pinned {
		return r.Columns
	}
	at := slices.Index(r.Columns, report.ColumnHier) + 1
	if at == 0 {
		at = slices.Index(r.Columns, report.ColumnSelf) + 1
	}
	columns := append(slices.Clone(r.Columns[:at]), report.ColumnDelta, report.ColumnDeltaPercent)
	return append(columns, r.Columns[at:]...)
}

// greatestPercent is the greatest difference that is written as a number. Above it the baseline's value was close to
// zero.
const greatestPercent = 999.9

// deltaCell formats a difference from the baseline, in the unit of its column or in percent.
func deltaCell(d *report.Delta, c report.Column, unit report.TimeUnit, decimals int) string {
	switch {
	case c == report.ColumnName:
		return ""
	case d.New:
		return "new"
	case !d.Known:
		return "-"
	case c == report.ColumnDelta:
		return noise(d) + signed(d.MS/unit.MS, decimals)
	case math.IsInf(d.Percent, 0):
		return "-"
	case d.Percent > greatestPercent:
		return noise(d) + "> 999"
	}
	return noise(d) + signed(d.Percent, decimals)
}

// noise returns the sign before a difference that may be noise.
func noise(d *report.Delta) string {
	if d.Noise {
		return "~"
	}
	return ""
}

func signed(v float64, decimals int) string {
	s := fixed(v, decimals)
	if v > 0 {
		return "+" + s
	}
	return s
}

// lineName returns the text in the name column of a line.
func lineName(r *report.Report, line int) string {
	if p := r.Package(line); p != nil {
		return "= " + p.Estimated.Sign() + shown(p.Name) + rowsOf(p)
	}
	rec, _ := r.Line(line)
	if r.Grouped() {
		return recordName(rec, rec.Indent+1)
	}
	return recordName(rec, rec.Indent)
}

// rowsOf returns the number of rows of a package, in words.
func rowsOf(p *report.PackageRow) string {
	s := "  (" + printed.Count(p.Rows, "zone")
	if p.Folded {
		s += ", folded"
	}
	return s + ")"
}
