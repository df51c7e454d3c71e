package text

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// csvHead names the columns before the values.
var csvHead = []string{"frame", "frame_ms", "zone_id", "path_id", "zone", "site", "group", "depth", "indent", "mark",
	"costly", "open", "idle", "heat", "estimated", "standard_error_ms"}

// csvTail names the columns for numbers of the frame, after the values.
var csvTail = []string{"unit", "value", "value_mean", "value_max", "value_total"}

// csvLine names the columns after csvTail: a record's package and its difference from the baseline.
var csvLine = []string{"package", "delta_ms", "delta_percent", "delta_noise"}

// csvFrame names the last columns, which describe the frame.
var csvFrame = []string{"label", "busy_ms", "idle_ms"}

// WriteCSV writes r as comma-separated values (RFC 4180, lines end in CR LF): a heading line, then the report's lines
// in their order. The columns are always the same:
//
//	frame, frame_ms    index and length in ms of the report's frame
//	zone_id, path_id   numbers that stay the same while the program runs; path_id is -1 for rows that sum paths
//	zone, site         name, and "file.go:12" if several zones have the name
//	group              parent, focus or child of a call graph; focus in flat reports; package of a package's own row;
//	                   heap, count or level of a number of the frame. Such a line follows the records. It has its name
//	                   in zone and its values in the columns from unit on
//	depth, indent      deepest recursion; level of indentation
//	mark               closed (can be opened), opened, or empty
//	costly, open, idle 0 or 1: measuring costs over 10 % of the row; a scope was open at the frame's end; waiting, not
//	                   work
//	heat               0..1, how fast the row is changing
//	estimated          0 if all entries were timed, 1 if the time of some is estimated, 2 if their number is, too
//	standard_error_ms  of self time, if some of it is estimated, here or in zones inside
//	self_ms ... errors one for each report.Column, with its unit; empty if the record does not show that value
//	unit, value ...    numbers of the frame: bytes, ms or nothing; the value; value_mean and value_max of the history;
//	                   value_total since start or Reset, for a level the latest
//	package            the package of the record, in a grouped report
//	delta_ms ...       difference from the baseline, in ms and percent, and 1 if it may be noise; empty for a new row
//	label              of the frame: see iprof.BeginFrame
//	busy_ms, idle_ms   the frame's length less the idle zones of the updating lane; the idle time of all lanes
//
// Numbers have every digit, so they read back equal. Text is always quoted and escaped (see the package comment). A
// text that a spreadsheet would run as a formula, or that begins with an apostrophe, gets an apostrophe in front. To
// read a name back, drop one apostrophe, then undo the escapes. Errors are the writer's. Any goroutine may call
// WriteCSV. Its cost is measured by BenchmarkWriters.
func WriteCSV(w io.Writer, r *report.Report) error {
	c := csvWriter{p: newPrinter(w)}
	for _, name := range csvHead {
		c.plain(name)
	}
	for i := range report.NumColumns {
		c.plain(report.Column(i).Info().Name)
	}
	for _, name := range slices.Concat(csvTail, csvLine, csvFrame) {
		c.plain(name)
	}
	c.endLine()
	for i := range r.Len() {
		c.line(r, i)
	}
	for i := range r.Values {
		c.value(r, &r.Values[i])
	}
	return c.p.flush()
}

// csvWriter writes cells and lines.
type csvWriter struct {
	p    *printer
	cell bool   // the line has a cell already
	pack string // package of the current lines
}

// line writes one of the report's lines.
func (c *csvWriter) line(r *report.Report, i int) {
	rec, _ := r.Line(i)
	group := groupName(rec.Group)
	if p := r.Package(i); p != nil {
		group, c.pack = "package", p.Name
	}
	c.record(r, rec, group)
	for range csvTail {
		c.plain("")
	}
	c.text(c.pack)
	c.delta(r, &rec.Delta)
	c.frame(&r.Frame)
}

// frame writes the cells of the frame, and ends the line.
func (c *csvWriter) frame(i *report.FrameInfo) {
	c.text(i.Label)
	c.float(i.Busy)
	c.float(i.Idle)
	c.endLine()
}

// delta writes the difference from the baseline.
func (c *csvWriter) delta(r *report.Report, d *report.Delta) {
	if !r.Baseline.Pinned || !d.Known {
		c.plain("")
		c.plain("")
		c.plain("")
		return
	}
	c.float(d.MS)
	c.float(d.Percent)
	c.bool(d.Noise)
}

// record writes the cells of a record.
func (c *csvWriter) record(r *report.Report, rec *report.Record, group string) {
	c.plain(strconv.FormatUint(r.Frame.Index, 10))
	c.float(r.Frame.Length)
	c.plain(strconv.Itoa(int(rec.Zone)))
	c.plain(strconv.Itoa(int(rec.Path)))
	c.text(rec.Name)
	c.text(rec.Site)
	c.plain(group)
	c.plain(strconv.Itoa(rec.Depth))
	c.plain(strconv.Itoa(rec.Indent))
	c.plain(markName(rec.Mark))
	c.bool(rec.Costly)
	c.bool(rec.Open)
	c.bool(rec.Idle)
	c.plain(strconv.FormatFloat(float64(rec.Heat), 'g', -1, 32))
	c.plain(strconv.Itoa(int(rec.Estimated)))
	c.float(rec.StandardError)
	for i := range rec.Values {
		if rec.Mask.Has(report.Column(i)) {
			c.float(rec.Values[i])
		} else {
			c.plain("")
		}
	}
}

// value writes the line of a number of the frame. The cells of records stay empty.
func (c *csvWriter) value(r *report.Report, v *report.FrameValue) {
	c.plain(strconv.FormatUint(r.Frame.Index, 10))
	c.float(r.Frame.Length)
	c.plain("-1")
	c.plain("-1")
	c.text(v.Name)
	c.text("")
	c.plain(kindName(v.Kind))
	for range len(csvHead) - 7 + report.NumColumns {
		c.plain("")
	}
	c.plain(unitName(v.Unit))
	for _, x := range []float64{v.Value, v.Mean, v.Max, v.Total} {
		c.float(x)
	}
	for range csvLine {
		c.plain("")
	}
	c.frame(&r.Frame)
}

// plain writes a cell without quotes.
func (c *csvWriter) plain(s string) {
	if c.cell {
		c.p.put(",")
	}
	c.p.put(s)
	c.cell = true
}

// float writes a number. A number that is not finite gives an empty cell, because readers would take it for text.
func (c *csvWriter) float(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		c.plain("")
		return
	}
	c.plain(strconv.FormatFloat(v, 'g', -1, 64))
}

func (c *csvWriter) bool(v bool) {
	if v {
		c.plain("1")
		return
	}
	c.plain("0")
}

// text writes a quoted cell.
func (c *csvWriter) text(s string) {
	c.plain(`"`)
	c.p.put(strings.ReplaceAll(defuse(printed.Distinct(s)), `"`, `""`), `"`)
}

// defuse puts an apostrophe before a text that a spreadsheet takes for a formula, also after spaces and with
// full-width signs.
func defuse(s string) string {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == "" {
		return s
	}
	if strings.ContainsRune("=+-@'", rune(trimmed[0])) ||
		strings.ContainsAny(trimmed[:min(3, len(trimmed))], "＝＋－＠") {
		return "'" + s
	}
	return s
}

func (c *csvWriter) endLine() {
	c.p.put("\r\n")
	c.cell = false
}

// markName returns the mark as a word, because a spreadsheet would take its sign for a formula.
func markName(m report.Mark) string {
	switch m {
	case report.MarkOpen:
		return "closed"
	case report.MarkFocus:
		return "opened"
	}
	return ""
}

// groupName returns the group as a word.
func groupName(g report.Group) string {
	switch g {
	case report.GroupParent:
		return "parent"
	case report.GroupChild:
		return "child"
	}
	return "focus"
}
