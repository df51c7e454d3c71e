package text

import (
	"io"
	"strconv"

	"example.com/iprof/process"
)

// leastName is the least width of a report's name column.
const leastName = 30

// WriteReport writes r as aligned text: title, warnings, headings, and one line a record with its sign (+ can be opened,
// - opened, ! measuring cost above 10 % of the row), its indentation, its recursion depth as "(n)", its site where equal
// names need it, and the values the record shows; then the numbers of the frame as a whole, if it has any. Values round to Options.Precision decimals. Cost: BenchmarkWriters.
func WriteReport(w io.Writer, r *process.Report, o Options) error {
	t := table{p: newPrinter(w), o: &o, r: r}
	t.titles()
	if len(r.Records) == 0 {
		t.p.put("no records\n")
		t.values()
		return t.p.flush()
	}
	t.layout()
	t.headings()
	for i := range r.Records {
		t.record(i)
	}
	t.values()
	return t.p.flush()
}

// table lays out one report.
type table struct {
	p        *printer
	o        *Options
	r        *process.Report
	names    []string                // drawn names, with sign and indentation
	nameCell int                     // width of the name column
	columns  []process.Column        // those that fit
	decimals [process.NumColumns]int // of each column
	widths   [process.NumColumns]int // of each column
}

func (t *table) titles() {
	t.p.put(t.fit(escape(t.r.Title)), "\n")
	for _, warning := range t.r.Warnings {
		t.p.put(t.fit("warning: "+escape(warning)), "\n")
	}
	t.p.put("\n")
}

// layout finds the width of every column.
func (t *table) layout() {
	t.nameCell = leastName
	t.names = make([]string, len(t.r.Records))
	for i := range t.r.Records {
		t.names[i] = recordName(&t.r.Records[i])
		t.nameCell = max(t.nameCell, displayWidth(t.names[i]))
	}
	for _, c := range t.r.Columns {
		t.decimals[c] = t.decimalsOf(c)
		t.widths[c] = max(t.widthOf(c), len(columns[c].heading), 9)
	}
	t.columns = t.r.Columns
	if t.o.Width > 0 {
		t.narrow()
	}
}

// narrow leaves out columns, the last ones first, and then cuts names, until lines fit.
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
		t.names[i] = cut(t.names[i], t.nameCell)
	}
}

// narrowest is the least width of the name column, whatever Options.Width asks for.
const narrowest = 8

// fit cuts a line to the width asked for.
func (t *table) fit(line string) string {
	if t.o.Width <= 0 {
		return line
	}
	return cut(line, max(t.o.Width, narrowest))
}

// decimalsOf returns the decimals of a column's values.
func (t *table) decimalsOf(c process.Column) int {
	switch columns[c].kind {
	case milliseconds:
		return t.o.precision()
	case percentage, tenths:
		return 1
	case whole:
		return 0
	}
	for i := range t.r.Records {
		if rec := &t.r.Records[i]; shows(rec, c) && rec.Values[c] != float64(int64(rec.Values[c])) {
			return 2
		}
	}
	return 0
}

// widthOf returns the width of a column's widest value.
func (t *table) widthOf(c process.Column) int {
	width := 0
	for i := range t.r.Records {
		if rec := &t.r.Records[i]; shows(rec, c) {
			width = max(width, len(fixed(rec.Values[c], t.decimals[c])))
		}
	}
	return width
}

func (t *table) headings() {
	t.cursor(false)
	t.p.left("  zone", t.nameCell)
	for _, c := range t.columns {
		t.p.right(columns[c].heading, t.widths[c]+2)
	}
	t.p.put("\n")
}

// record writes one line, without spaces at its end.
func (t *table) record(i int) {
	rec := &t.r.Records[i]
	t.cursor(i == t.r.Cursor)
	last := t.lastShown(rec)
	if last < 0 {
		t.p.put(t.names[i], "\n")
		return
	}
	t.p.left(t.names[i], t.nameCell)
	for _, c := range t.columns[:last+1] {
		value := ""
		if shows(rec, c) {
			value = fixed(rec.Values[c], t.decimals[c])
		} else if process.Statistics.Has(c) {
			value = "-"
		}
		t.p.right(value, t.widths[c]+2)
	}
	t.p.put("\n")
}

// lastShown returns the index of the last column the record has a value in, -1 for none.
func (t *table) lastShown(rec *process.Record) int {
	for i := len(t.columns) - 1; i >= 0; i-- {
		if shows(rec, t.columns[i]) || process.Statistics.Has(t.columns[i]) {
			return i
		}
	}
	return -1
}

// cursor writes the column that shows the highlighted record.
func (t *table) cursor(here bool) {
	switch {
	case !t.o.Cursor:
	case here:
		t.p.put("> ")
	default:
		t.p.put("  ")
	}
}

// shows reports whether the record's value in column c is to be shown.
func shows(rec *process.Record, c process.Column) bool { return rec.Mask&(1<<c) != 0 }

// recordName returns what stands in the name column: indentation, sign, name, depth, site, state.
func recordName(rec *process.Record) string {
	b := make([]byte, 0, 64)
	for range min(rec.Indent, 40) {
		b = append(b, "  "...)
	}
	b = append(b, signOf(rec.Mark), ' ')
	if rec.Costly {
		b[len(b)-1] = '!'
	}
	b = append(append(b, rec.Estimated.Sign()...), shown(rec.Name)...)
	if rec.Depth != 0 {
		b = append(append(append(b, " ("...), strconv.Itoa(rec.Depth)...), ')')
	}
	if rec.Site != "" {
		b = append(append(b, "  "...), escape(rec.Site)...)
	}
	return string(append(b, state(rec.Open, rec.Idle)...))
}

// signOf returns the character of a mark.
func signOf(m process.Mark) byte {
	switch m {
	case process.MarkOpen:
		return '+'
	case process.MarkFocus:
		return '-'
	}
	return ' '
}

// state says in words what a window shows by colour.
func state(open, idle bool) string {
	switch {
	case open && idle:
		return "  [open, idle]"
	case open:
		return "  [open]"
	case idle:
		return "  [idle]"
	}
	return ""
}
