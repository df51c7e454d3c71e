package text

import (
	"io"
	"math"
	"strconv"
	"strings"

	"example.com/iprof/process"
)

// csvHead names the columns before the values.
var csvHead = []string{"frame", "frame_ms", "zone_id", "path_id", "zone", "site", "group", "depth", "indent", "mark", "costly", "open", "idle", "heat", "estimated", "standard_error_ms"}

// csvTail names those after them, of the lines that are numbers of the frame.
var csvTail = []string{"unit", "value", "value_mean", "value_max", "value_total"}

// WriteCSV writes r as comma-separated values (RFC 4180, lines end in CR LF): one heading line, one line a record. The
// columns are always the same, in this order:
//
//	frame, frame_ms    index and length in ms of the report's frame
//	zone_id, path_id   numbers that stay the same while the program runs; path_id is -1 for rows that sum several paths
//	zone, site         name, and "file.go:12" where equal names need telling apart
//	group              parent, focus or child of a call graph; focus in flat reports; heap, count or level of a line that is
//	                   no record but a number of the frame, after the records: its name is in zone, its values in the last columns
//	depth, indent      deepest recursion; level of indentation
//	mark               closed (can be opened), opened, or empty
//	costly, open, idle 0 or 1: measuring costs over 10 % of the row; a scope was open at the frame's end; waiting, not work
//	heat               0..1, how fast the row is changing
//	estimated          0 when all entries were timed, 1 when the time of some is estimated, 2 when their number is too
//	standard_error_ms  of self time, where some of it is estimated or was estimated of zones inside
//	self_ms ... errors one per process.Column, its unit in its name; empty where the record does not show that value
//	unit, value ...    of numbers of the frame: bytes, ms or nothing; its value, and value_mean and value_max of the history,
//	                   value_total since start or Reset, the latest of a level
//
// Numbers have every digit, so they read back equal. Text is always quoted and written as people read it (see the package
// comment), and a text that a spreadsheet would run as a formula, or that begins with an apostrophe, gets an apostrophe in
// front: to read a name back, drop one apostrophe, then undo the backslashes. Cost: BenchmarkWriters.
func WriteCSV(w io.Writer, r *process.Report) error {
	c := csvWriter{p: newPrinter(w)}
	for _, name := range csvHead {
		c.plain(name)
	}
	for i := range columns {
		c.plain(columns[i].name)
	}
	for _, name := range csvTail {
		c.plain(name)
	}
	c.endLine()
	for i := range r.Records {
		c.record(r, &r.Records[i])
	}
	for i := range r.Values {
		c.value(r, &r.Values[i])
	}
	return c.p.flush()
}

// csvWriter writes cells.
type csvWriter struct {
	p    *printer
	cell bool // a cell stands before in this line
}

func (c *csvWriter) record(r *process.Report, rec *process.Record) {
	c.plain(strconv.FormatUint(r.Frame.Index, 10))
	c.float(r.Frame.Length)
	c.plain(strconv.Itoa(int(rec.Zone)))
	c.plain(strconv.Itoa(int(rec.Path)))
	c.text(rec.Name)
	c.text(rec.Site)
	c.plain(groupName(rec.Group))
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
		if shows(rec, process.Column(i)) {
			c.float(rec.Values[i])
		} else {
			c.plain("")
		}
	}
	for range csvTail {
		c.plain("")
	}
	c.endLine()
}

// value writes the line of a number of the frame: the cells of records are empty.
func (c *csvWriter) value(r *process.Report, v *process.FrameValue) {
	c.plain(strconv.FormatUint(r.Frame.Index, 10))
	c.float(r.Frame.Length)
	c.plain("-1")
	c.plain("-1")
	c.text(v.Name)
	c.text("")
	c.plain(kindName(v.Kind))
	for range len(csvHead) - 7 + len(columns) {
		c.plain("")
	}
	c.plain(unitName(v.Unit))
	for _, x := range []float64{v.Value, v.Mean, v.Max, v.Total} {
		c.float(x)
	}
	c.endLine()
}

// plain writes a cell that needs no quotes.
func (c *csvWriter) plain(s string) {
	if c.cell {
		c.p.put(",")
	}
	c.p.put(s)
	c.cell = true
}

// float writes a number; one that is not finite would be read as text and stays empty.
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
	c.p.put(strings.ReplaceAll(defuse(escape(s)), `"`, `""`), `"`)
}

// defuse puts an apostrophe before what a spreadsheet takes for a formula, also behind spaces and in full width.
func defuse(s string) string {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == "" {
		return s
	}
	if strings.ContainsRune("=+-@'", rune(trimmed[0])) || strings.ContainsAny(trimmed[:min(3, len(trimmed))], "＝＋－＠") {
		return "'" + s
	}
	return s
}

func (c *csvWriter) endLine() {
	c.p.put("\r\n")
	c.cell = false
}

// markName returns the mark in a word: its sign alone would be a formula to a spreadsheet.
func markName(m process.Mark) string {
	switch m {
	case process.MarkOpen:
		return "closed"
	case process.MarkFocus:
		return "opened"
	}
	return ""
}

// groupName returns the group in a word.
func groupName(g process.Group) string {
	switch g {
	case process.GroupParent:
		return "parent"
	case process.GroupChild:
		return "child"
	}
	return "focus"
}
