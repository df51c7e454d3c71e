package text

import (
	"io"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// leastName is the least width of a report's name column, if Options.Width allows it.
const leastName = 30

// WriteReport writes r as aligned text: title, verdict, a slow call, marks, warnings, headings, the report's lines in
// their order, then the durations of single calls and slow calls if the report has them (see report.Report.WantCalls),
// and the numbers of the frame as a whole. Values are rounded to Options.Precision decimals, or to the resolution of
// the clock if that is coarser. Of a server, the single calls stand before the lines. Errors are the writer's. Any
// goroutine may call WriteReport. Its cost is measured by BenchmarkWriters.
//
// A line has the record's sign (+ can be opened, - opened, ! measuring costs more than 10 % of the row), its
// indentation, its recursion depth as "(n)", its site if several zones have the name, and the values that the record
// shows. A package's own row has "=" before its name, and the number of its rows after it. So has the row of idle
// zones, unless Options.Idle lists them. In a report with a baseline, two columns have the difference. A "~" stands
// before a difference that may be noise, and "new" marks a row that the baseline does not have.
func WriteReport(w io.Writer, r *report.Report, o Options) error {
	t := table{p: newPrinter(w), o: &o, r: r}
	if !o.Idle {
		t.r = r.IdleFolded()
	}
	t.titles()
	if r.Len() == 0 {
		t.p.put(noLines(r), "\n")
		t.calls()
		t.slowCalls()
		t.values()
		return t.p.flush()
	}
	first := r.Frame.Kind == report.KindServer // its routes are what it does
	if first {
		t.calls()
		t.p.put("\n")
	}
	t.layout()
	t.headings()
	for i := range t.r.Len() {
		t.line(i)
	}
	if t.r != r {
		t.p.put(t.fit(foldedIdle), "\n")
	}
	if !first {
		t.calls()
	}
	t.slowCalls()
	t.values()
	return t.p.flush()
}

// foldedIdle says how to list idle zones.
const foldedIdle = "the command \"waiting on\", or View.ShowIdle, lists waiting zones"

// noLines returns the reason why a report has no lines.
func noLines(r *report.Report) string {
	if len(r.Records) > 0 {
		return "no record matches the filter"
	}
	return "no records"
}

// numColumns is the number of columns that a report's table can have, differences included.
const numColumns = report.ColumnDeltaPercent + 1

// table lays out one report.
type table struct {
	p        *printer
	o        *Options
	r        *report.Report
	names    []string        // by line: names as drawn, with sign and indentation
	nameCell int             // width of the name column
	columns  []report.Column // the columns that fit
	decimals [numColumns]int // of each column
	units    [numColumns]report.TimeUnit
	named    bool            // a column has another unit than ms, so that each heading names its own
	widths   [numColumns]int // of each column
}

func (t *table) titles() {
	t.p.put(t.fit(printed.Distinct(t.r.Title)), "\n")
	if t.r.Verdict.Found() {
		t.p.put(t.fit(verdictAt(&t.r.Verdict, t.o.Zone)), "\n")
	}
	t.slowCall()
	t.marks()
	for _, warning := range t.r.Warnings {
		t.p.put(t.fit("warning: "+printed.Distinct(warning)), "\n")
	}
	t.p.put("\n")
}

// layout finds the width of every column.
func (t *table) layout() {
	t.nameCell = leastName
	t.names = make([]string, t.r.Len())
	for i := range t.names {
		t.names[i] = lineName(t.r, i)
		t.nameCell = max(t.nameCell, displayWidth(t.names[i]))
	}
	t.columns = columnsOf(t.r)
	for _, c := range t.columns {
		t.decimals[c], t.units[c] = t.decimalsOf(c), t.r.UnitOf(c)
		t.named = t.named || t.units[c].MS > 0 && t.units[c] != report.Milliseconds
	}
	for _, c := range t.columns {
		t.widths[c] = max(t.widthOf(c), len(t.heading(c)), 9)
	}
	if t.o.Width > 0 {
		t.narrow()
	}
}

// narrow makes lines fit Options.Width. It leaves out columns, the last ones first, and then cuts names.
func (t *table) narrow() {
	room := t.o.Width
	if t.o.Cursor {
		room -= 2
	}
	taken := 0
	for i, c := range t.columns {
		if taken += t.widths[c] + 2; i > 0 && taken+min(t.nameCell, leastName) > room {
			taken -= t.widths[c] + 2
			t.columns = t.columns[:i]
			break
		}
	}
	t.nameCell = min(t.nameCell, max(room-taken, narrowest))
	for i := range t.names {
		t.names[i] = cutName(t.names[i], t.nameCell)
	}
}

// narrowest is the least width of the name column for any Options.Width.
const narrowest = 8

// fit cuts a line to Options.Width.
func (t *table) fit(line string) string {
	if t.o.Width <= 0 {
		return line
	}
	return cut(line, max(t.o.Width, narrowest))
}

// decimalsOf returns the number of decimals of a column's values.
func (t *table) decimalsOf(c report.Column) int {
	switch c.Info().Kind {
	case report.KindMilliseconds:
		if report.MeasuredColumns.Has(c) && !t.r.Averages(c) {
			return t.resolvable(t.o.precision())
		}
		return t.o.precision()
	case report.KindPercent, report.KindTenths:
		return 1
	case report.KindWhole:
		return 0
	}
	for i := range t.r.Len() {
		if rec, _ := t.r.Line(i); rec.Mask.Has(c) && rec.Values[c] != float64(int64(rec.Values[c])) {
			return 2
		}
	}
	return 0
}

// resolvable returns the number of decimals of a time between two readings of the clock: at most those that the clock
// resolves.
func (t *table) resolvable(wanted int) int { return report.Decimals(wanted, 1, t.r.Tick) }

// widthOf returns the width of a column's widest value.
func (t *table) widthOf(c report.Column) int {
	width := 0
	for i := range t.r.Len() {
		rec, _ := t.r.Line(i)
		width = max(width, len(t.cell(rec, c)))
	}
	return width
}

// heading returns the heading of a column with its unit.
func (t *table) heading(c report.Column) string {
	return t.units[c].Plain().Heading(c.Info().Heading, t.named)
}

func (t *table) headings() {
	t.cursor(false)
	t.p.left("  zone", t.nameCell)
	for _, c := range t.columns {
		t.p.right(t.heading(c), t.widths[c]+2)
	}
	t.p.put("\n")
}

// line writes one line, without spaces at its end.
func (t *table) line(i int) {
	rec, record := t.r.Line(i)
	t.cursor(record >= 0 && record == t.r.Cursor || record < 0 && t.r.LineOf(t.r.Cursor) == i)
	last := t.lastShown(rec)
	if last < 0 {
		t.p.put(t.names[i], "\n")
		return
	}
	t.p.left(t.names[i], t.nameCell)
	for _, c := range t.columns[:last+1] {
		t.p.right(t.cell(rec, c), t.widths[c]+2)
	}
	t.p.put("\n")
}

// cell formats a record's value in a column.
func (t *table) cell(rec *report.Record, c report.Column) string {
	switch {
	case c >= report.NumColumns:
		return deltaCell(&rec.Delta, c, t.units[c], t.decimals[c])
	case rec.Mask.Has(c):
		if u := t.units[c]; u.MS > 0 {
			return string(u.Append(nil, rec.Values[c], t.decimals[c]))
		}
		return fixed(rec.Values[c], t.decimals[c])
	case report.Statistics.Has(c):
		return "-"
	}
	return ""
}

// lastShown returns the index of the last column with a value, or -1.
func (t *table) lastShown(rec *report.Record) int {
	for i := len(t.columns) - 1; i >= 0; i-- {
		if t.cell(rec, t.columns[i]) != "" {
			return i
		}
	}
	return -1
}

// cursor writes the column that marks the highlighted record.
func (t *table) cursor(here bool) {
	switch {
	case !t.o.Cursor:
	case here:
		t.p.put("> ")
	default:
		t.p.put("  ")
	}
}
