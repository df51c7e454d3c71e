package draw

import (
	"strconv"
	"strings"

	"example.com/iprof/process"
)

// SetClipboard gives the panel a way to put text on the clipboard; nil takes it away. It is called by CopyTable.
func (p *Panel) SetClipboard(f func(text string)) { p.change(func() { p.clipboard = f }) }

// CopyTable puts the table on the clipboard as TableText, and says so in the footer. It reports whether there is a clipboard.
func (p *Panel) CopyTable() bool {
	return p.copy(p.TableText(), "table copied")
}

// copy puts a text on the clipboard, and says so.
func (p *Panel) copy(text, note string) bool {
	p.mu.Lock()
	f := p.clipboard
	p.mu.Unlock()
	if f == nil || text == "" {
		return false
	}
	p.Note(note)
	f(text)
	return true
}

// CopyRow puts the cursor's row on the clipboard, with its headings, as TableText has them.
func (p *Panel) CopyRow() bool {
	p.mu.Lock()
	t, d := &p.table, &p.shown
	var b strings.Builder
	if i := d.report.Cursor; i >= 0 && i < len(d.report.Records) && i < len(t.rows.index) {
		t.textHead(&b)
		t.recordRow(&b, d, i, p.precision)
	}
	p.mu.Unlock()
	return p.copy(b.String(), "row copied")
}

// CopySite puts the place of the cursor's zone on the clipboard, as file:line.
func (p *Panel) CopySite() bool {
	p.mu.Lock()
	text := ""
	if zone := p.shown.cursorZone(); zone >= 0 {
		if z := p.source.Zone(zone); z.File != "" {
			text = printable(z.File) + ":" + strconv.Itoa(z.Line)
		}
	}
	p.mu.Unlock()
	if text == "" {
		p.Note("the place of this zone is not known")
		return false
	}
	return p.copy(text, "site copied: "+text)
}

// noteDraws is for how many Draws a note stays.
const noteDraws = 90

// drawNote draws a note above the footer, for a while.
func (p *Panel) drawNote(screen rect) {
	if p.noteDraws == 0 {
		return
	}
	p.noteDraws--
	c := &p.canvas
	width := min(c.Width(FaceText, p.note)+28*c.em, screen.width())
	x, y := snap((screen.width()-width)/2), screen.y1-70*c.em
	box := rect{x, y, x + width, y + 28*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, c.tab)
	c.left(x+14*c.em, width-24*c.em, box, FaceText, p.note, c.textBright)
}

// TableText returns the table as it was drawn last, all rows of it and not only those in sight: a line of headings, a line for
// each row, tabs between the columns, and names indented by two spaces a level. Control characters in names are spelt out, and
// a name that a spreadsheet would take for a formula has an apostrophe before it.
func (p *Panel) TableText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, d := &p.table, &p.shown
	var b strings.Builder
	t.textHead(&b)
	for line, i := range t.rows.lines {
		if at := t.rows.packageAt(line); at >= 0 {
			t.textRow(&b, &t.rows.packages.sums[at], change{}, 0, p.precision)
		} else if i < len(d.report.Records) {
			t.recordRow(&b, d, i, p.precision)
		}
	}
	return b.String()
}

// textHead writes the headings.
func (t *table) textHead(b *strings.Builder) {
	b.WriteString("zone")
	for i := len(t.lanes) - 1; i >= 0; i-- {
		if c := t.lanes[i].column; c != ColumnBar && c != ColumnSpark {
			b.WriteString("\t" + columns[c].heading)
		}
	}
	b.WriteByte('\n')
}

// recordRow writes the row of a record.
func (t *table) recordRow(b *strings.Builder, d *shown, i, precision int) {
	r, indent := &d.report.Records[i], 0
	if t.rows.packages.grouped(d) {
		indent = 1
	}
	var ch change
	if i < len(t.rows.changes) {
		ch = t.rows.changes[i]
	}
	t.textRow(b, r, ch, r.Indent+indent, precision)
}

// textRow writes one row.
func (t *table) textRow(b *strings.Builder, r *process.Record, v change, indent, precision int) {
	b.WriteString(strings.Repeat("  ", min(indent, 64)))
	name := printable(r.Name)
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
			if v.known {
				b.Write(v.append(number[:0], c == ColumnDeltaPercent, precision))
			}
		default:
			b.WriteByte('\t')
			b.Write(appendValue(number[:0], r, c, precision))
		}
	}
	b.WriteByte('\n')
}
