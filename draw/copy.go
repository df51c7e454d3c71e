package draw

import "strings"

// SetClipboard gives the panel a way to put text on the clipboard; nil takes it away. It is called by CopyTable.
func (p *Panel) SetClipboard(f func(text string)) { p.change(func() { p.clipboard = f }) }

// CopyTable puts the table on the clipboard as TableText, and says so in the footer. It reports whether there is a clipboard.
func (p *Panel) CopyTable() bool {
	text := p.TableText()
	p.mu.Lock()
	f := p.clipboard
	if f != nil {
		p.note, p.noteDraws = "table copied", noteDraws
	}
	p.mu.Unlock()
	if f == nil {
		return false
	}
	f(text)
	return true
}

// noteDraws is for how many Draws a note stays.
const noteDraws = 60

// drawNote draws a note above the footer, for a while.
func (p *Panel) drawNote(screen rect) {
	if p.noteDraws == 0 {
		return
	}
	p.noteDraws--
	c := &p.canvas
	width := c.Width(FaceText, p.note) + 28*c.em
	x, y := snap((screen.width()-width)/2), screen.y1-70*c.em
	box := rect{x, y, x + width, y + 28*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, c.tab)
	c.left(x+14*c.em, width, box, FaceText, p.note, c.textBright)
}

// TableText returns the table as it was drawn last, all rows of it and not only those in sight: a line of headings, a line for
// each row, tabs between the columns, and names indented by two spaces a level. Control characters in names are spelt out, and
// a name that a spreadsheet would take for a formula has an apostrophe before it.
func (p *Panel) TableText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, d := &p.table, &p.shown
	var b strings.Builder
	b.WriteString("zone")
	for i := len(t.lanes) - 1; i >= 0; i-- {
		if c := t.lanes[i].column; c != ColumnBar && c != ColumnSpark {
			b.WriteString("\t" + columns[c].heading)
		}
	}
	b.WriteByte('\n')
	for _, i := range t.rows.lines {
		if i < len(d.report.Records) {
			t.textRow(&b, d, i, p.precision)
		}
	}
	return b.String()
}

// textRow writes one row.
func (t *table) textRow(b *strings.Builder, d *shown, i, precision int) {
	r := &d.report.Records[i]
	b.WriteString(strings.Repeat("  ", min(r.Indent, 64)))
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
			if i < len(t.rows.changes) && t.rows.changes[i].known {
				b.Write(t.rows.changes[i].append(number[:0], c == ColumnDeltaPercent, precision))
			}
		default:
			b.WriteByte('\t')
			b.Write(appendValue(number[:0], r, c, precision))
		}
	}
	b.WriteByte('\n')
}
