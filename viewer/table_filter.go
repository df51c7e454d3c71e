package viewer

import (
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// toggleCallers hides the callees in call graphs, or shows them again.
func (p *Panel) toggleCallers() {
	p.arrange(func(a *process.Arrangement) { a.CallersOnly = !a.CallersOnly })
}

// openFilter begins typing a filter. It ends with CloseFilter, Dismiss or setFilter.
func (p *Panel) openFilter() { p.change(func() { p.table.typing = true }) }

// CloseFilter ends typing, keeps the filter, and moves the cursor to a row that the filter shows. Any goroutine may
// call it.
func (p *Panel) CloseFilter() {
	p.change(func() { p.table.typing = false })
	if s := p.session; s != nil {
		if record := p.step(s.View(), 0); record >= 0 {
			s.SetCursor(record)
		}
	}
}

// setFilter ends typing and filters the session's reports: see process.Session.SetFilter. Any goroutine may call it.
func (p *Panel) setFilter(text string) {
	p.arrange(func(a *process.Arrangement) { p.table.typing, a.Filter = false, process.FilterText(text) })
}

// Type appends a character to the words that search the open menu, or else to the filter. Any goroutine may call it.
func (p *Panel) Type(r rune) {
	if p.inMenu(func(m *menu) bool { return m.typed(r) }) {
		return
	}
	p.arrange(func(a *process.Arrangement) { a.Filter = process.FilterText(a.Filter + string(r)) })
}

// Erase removes the last character of the words that search the open menu, or else of the filter. Any goroutine may
// call it.
func (p *Panel) Erase() {
	if p.inMenu((*menu).erased) {
		return
	}
	p.arrange(func(a *process.Arrangement) {
		_, size := utf8.DecodeLastRuneInString(a.Filter)
		a.Filter = a.Filter[:len(a.Filter)-size]
	})
}

// inMenu changes the open menu, and reports whether it can be searched.
func (p *Panel) inMenu(change func(m *menu) bool) (done bool) {
	p.change(func() { done = change(&p.menu) })
	return done
}

// drawFilter draws the filter in place of the heading of names. It reports whether there is a filter.
func (t *table) drawFilter(c *canvas, d *shown, r rect) bool {
	text := d.view.Filter
	if !t.typing && text == "" {
		return false
	}
	end := t.namesEnd(r) - 6*c.em
	box := rect{r.x0, r.y0 + 1*c.em, end, r.y1 - 2*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.Raised)
	if t.typing {
		c.Border(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.Accent)
	}
	c.add(box, hitOf(HitFilter, 0))
	x := box.x0 + 8*c.em
	x += c.left(x, 60*c.em, box, draw.FaceSmall, "find ", c.TextDim)
	c.buffer = draw.AppendFixed(c.buffer[:0], float64(d.Report.Found), 0)
	room := box.x1 - x - 12*c.em
	if text != "" {
		y := c.baseline(box.y0, box.y1, draw.FaceSmall)
		room -= c.ASCIIRight(box.x1-8*c.em, y, draw.FaceSmall, c.buffer, c.TextFaint) + 6*c.em
	}
	x += c.left(x, room, box, draw.FaceText, text, c.TextBright)
	if t.typing {
		c.Rect(x+c.em, box.y0+4*c.em, x+2*c.em, box.y1-4*c.em, c.Accent)
	}
	return true
}
