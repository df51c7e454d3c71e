package viewer

import (
	"strconv"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// copyTable copies the TableText to the clipboard, and shows a note.
func (p *Panel) copyTable() { p.copy(p.TableText(), "table copied") }

// copy copies a text to the clipboard, and shows a note. Without a clipboard it does nothing: see Options.
func (p *Panel) copy(text, note string) {
	p.mu.Lock()
	f := p.options.Clipboard
	p.mu.Unlock()
	if f == nil || text == "" {
		return
	}
	p.Note(note)
	f(text)
}

// copyRow copies the cursor's row to the clipboard, with its headings, in the format of TableText.
func (p *Panel) copyRow() {
	p.mu.Lock()
	t, d := &p.table, &p.shown
	var b strings.Builder
	if d.Report.CursorRecord() != nil {
		t.textHead(&b)
		t.recordRow(&b, d, d.Report.Cursor, p.options.Precision)
	}
	p.mu.Unlock()
	p.copy(b.String(), "row copied")
}

// siteOfCursor returns the file and the line of the cursor's zone. If they are not known, a note says so.
func (p *Panel) siteOfCursor() (file string, line int, known bool) {
	p.mu.Lock()
	if zone := p.shown.cursorZone(); zone >= 0 {
		z := p.shown.Zone(zone)
		file, line = z.File, z.Line
	}
	p.mu.Unlock()
	if file == "" {
		p.Note("the place of this zone is not known")
	}
	return file, line, file != ""
}

// copySite copies the site of the cursor's zone to the clipboard, as file:line.
func (p *Panel) copySite() {
	if file, line, known := p.siteOfCursor(); known {
		text := draw.Printable(file) + ":" + strconv.Itoa(line)
		p.copy(text, "site copied: "+text)
	}
}

// openSite opens the site of the cursor's zone with the Editor of the options. Without one, it shows a note.
func (p *Panel) openSite() {
	p.mu.Lock()
	open := p.options.Editor
	p.mu.Unlock()
	if open == nil {
		p.Note("this program opens no editor: see Panel.Options")
		return
	}
	if file, line, known := p.siteOfCursor(); known {
		p.Note("opening " + draw.Printable(file) + ":" + strconv.Itoa(line))
		open(file, line)
	}
}

// noteDraws is the number of Draws that show a note.
const noteDraws = 90

// drawNote draws the note above the footer.
func (p *Panel) drawNote(screen rect) {
	if p.noteDraws == 0 {
		return
	}
	p.noteDraws--
	c := &p.canvas
	width := min(c.Width(draw.FaceText, p.note)+28*c.em, screen.width())
	x, y := draw.Snap((screen.width()-width)/2), screen.y1-70*c.em
	box := rect{x, y, x + width, y + 28*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, c.Tab)
	c.left(x+14*c.em, width-24*c.em, box, draw.FaceText, p.note, c.TextBright)
}

// TableText returns all rows of the table that was drawn last, also those out of sight. It has a line of headings and a
// line for each row. Tabs separate the columns, and names are indented by two spaces for each level. Control characters
// in names are escaped. A name that a spreadsheet would take for a formula has an apostrophe before it. Any goroutine
// may call it.
func (p *Panel) TableText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, d := &p.table, &p.shown
	var b strings.Builder
	t.textHead(&b)
	for line := range d.Report.Len() {
		if r, i := d.Report.Line(line); i < 0 {
			t.textRow(&b, r, 0, p.options.Precision)
		} else {
			t.recordRow(&b, d, i, p.options.Precision)
		}
	}
	return b.String()
}

// textHead writes the headings.
func (t *table) textHead(b *strings.Builder) {
	b.WriteString("zone")
	for i := len(t.lanes) - 1; i >= 0; i-- {
		if c := t.lanes[i].column; c != ColumnBar && c != ColumnSpark {
			b.WriteString("\t" + describe(c).Heading)
		}
	}
	b.WriteByte('\n')
}

// recordRow writes the row of a record.
func (t *table) recordRow(b *strings.Builder, d *shown, i, precision int) {
	r, indent := &d.Report.Records[i], 0
	if d.Report.Grouped() {
		indent = 1
	}
	t.textRow(b, r, r.Indent+indent, precision)
}

// textRow writes one row.
func (t *table) textRow(b *strings.Builder, r *process.Record, indent, precision int) {
	b.WriteString(strings.Repeat("  ", min(indent, 64)))
	name := draw.Printable(r.Name)
	if name != "" && strings.IndexByte("=+-@", name[0]) >= 0 {
		b.WriteByte('\'')
	}
	b.WriteString(name)
	var number [48]byte
	for n := len(t.lanes) - 1; n >= 0; n-- {
		switch c := t.lanes[n].column; c {
		case ColumnBar, ColumnSpark:
			continue
		case ColumnDelta, ColumnDeltaPercent:
			b.WriteByte('\t')
			if r.Delta.Known {
				b.Write(draw.AppendDelta(number[:0], &r.Delta, c == ColumnDeltaPercent, precision))
			}
		default:
			b.WriteByte('\t')
			b.Write(draw.AppendValue(number[:0], r, c, precision))
		}
	}
	b.WriteByte('\n')
}
