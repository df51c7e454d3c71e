package draw

import (
	"image/color"
	"unicode/utf8"

	"example.com/iprof/process"
)

// filter is the text that names of rows must hold, while it is typed and after.
type filter struct {
	text   []byte // lower case where ASCII
	typing bool
	found  int

	callers bool // of a call graph, show no callees
}

const (
	longestFilter = 64   // bytes
	searched      = 4096 // bytes of a name that are looked through: hostile ones are longer
)

// apply appends the lines to show: rows that match, and those that they are shown under.
func (f *filter) apply(dst, index, parents []int, r []process.Record) []int {
	if len(f.text) == 0 && !f.callers {
		return append(dst, index...)
	}
	f.found = 0
	for line, i := range index {
		if f.callers && r[i].Group == process.GroupChild {
			continue
		}
		if f.matches(r[i].Name) {
			f.found++
			dst = append(dst, i)
		} else if f.above(line, index, parents, r) {
			dst = append(dst, i)
		}
	}
	return dst
}

// above reports whether a row is shown over one that matches: those follow it.
func (f *filter) above(line int, index, parents []int, r []process.Record) bool {
	for _, i := range index[line+1:] {
		if r[i].Group != r[index[line]].Group || r[i].Indent <= r[index[line]].Indent {
			return false
		}
		if f.matches(r[i].Name) {
			return true
		}
	}
	return false
}

// matches reports whether a name holds the text, capitals or not.
func (f *filter) matches(name string) bool {
	name = name[:min(len(name), searched)]
	for i := 0; i+len(f.text) <= len(name); i++ {
		n := 0
		for n < len(f.text) && lower(name[i+n]) == f.text[n] {
			n++
		}
		if n == len(f.text) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// add types a character; control characters and what is too long are ignored.
func (f *filter) add(r rune) {
	if r < ' ' || r == 0x7f || r == utf8.RuneError || len(f.text)+utf8.RuneLen(r) > longestFilter {
		return
	}
	if r < utf8.RuneSelf {
		r = rune(lower(byte(r)))
	}
	f.text = utf8.AppendRune(f.text, r)
}

// erase takes the last character back.
func (f *filter) erase() {
	_, size := utf8.DecodeLastRune(f.text)
	f.text = f.text[:len(f.text)-size]
}

// ToggleCallers shows only the callers and the zone itself in a call graph, or the callees again.
func (p *Panel) ToggleCallers() {
	p.change(func() { p.table.rows.filter.callers = !p.table.rows.filter.callers })
}

// CallersOnly reports whether call graphs show no callees.
func (p *Panel) CallersOnly() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.rows.filter.callers
}

// OpenFilter begins to take text: Typing is true until CloseFilter or ClearFilter.
func (p *Panel) OpenFilter() { p.change(func() { p.table.rows.filter.typing = true }) }

// CloseFilter ends typing and keeps the filter.
func (p *Panel) CloseFilter() { p.change(func() { p.table.rows.filter.typing = false }) }

// ClearFilter ends typing and shows all rows.
func (p *Panel) ClearFilter() { p.SetFilter("") }

// SetFilter shows only rows whose name holds the text, capitals or not, and the rows that they are shown under. At most 64
// bytes count. It ends typing.
func (p *Panel) SetFilter(text string) {
	p.change(func() {
		f := &p.table.rows.filter
		f.typing, f.text = false, f.text[:0]
		for _, r := range text {
			f.add(r)
		}
	})
}

// Filter returns the text that names must hold, in lower case.
func (p *Panel) Filter() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.table.rows.filter.text)
}

// Typing reports whether keys are text for the filter.
func (p *Panel) Typing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.rows.filter.typing
}

// Type adds a character to the filter.
func (p *Panel) Type(r rune) { p.change(func() { p.table.rows.filter.add(r) }) }

// Erase takes the last character of the filter back.
func (p *Panel) Erase() { p.change(func() { p.table.rows.filter.erase() }) }

// drawFilter draws the filter in place of the names' heading. It reports whether there is one.
func (t *table) drawFilter(c *canvas, r rect) bool {
	f := &t.rows.filter
	if !f.typing && len(f.text) == 0 {
		return false
	}
	end := t.namesEnd(r) - 6*c.em
	box := rect{r.x0, r.y0 + 1*c.em, end, r.y1 - 2*c.em}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.raised)
	if f.typing {
		c.Border(box.x0, box.y0, box.x1, box.y1, 4*c.em, c.accent)
	}
	c.add(box, hitOf(HitFilter, 0))
	x := box.x0 + 8*c.em
	x += c.left(x, 60*c.em, box, FaceSmall, "find ", c.textDim)
	c.buffer = appendFixed(c.buffer[:0], float64(f.found), 0)
	room := box.x1 - x - 12*c.em
	if len(f.text) > 0 {
		room -= c.asciiRight(box.x1-8*c.em, c.baseline(box.y0, box.y1, FaceSmall), FaceSmall, c.buffer, c.textFaint) + 6*c.em
	}
	x += c.bytes(x, room, box, f.text)
	if f.typing {
		c.Rect(x+c.em, box.y0+4*c.em, x+2*c.em, box.y1-4*c.em, c.accent)
	}
	return true
}

// bytes draws what is typed.
func (c *canvas) bytes(x, width float32, r rect, b []byte) float32 {
	return c.text(x, width, r, FaceText, b, c.textBright)
}

// bytesWidth is the width of text in a buffer.
func (c *canvas) bytesWidth(face Face, b []byte) (width float32) {
	f := &c.atlas().faces[face]
	for len(b) > 0 {
		v, size := utf8.DecodeRune(b)
		i := f.index(v)
		if i == missing {
			i = f.direct['?']
		}
		width += f.advance[i]
		b = b[size:]
	}
	return width
}

// text draws text from a buffer without making a string of it.
func (c *canvas) text(x, width float32, r rect, face Face, b []byte, col color.NRGBA) float32 {
	p := pen{list: c.List, f: &c.atlas().faces[face], x: x, from: x, y: c.baseline(r.y0, r.y1, face), color: col, limit: x + width}
	p.room = p.limit - p.f.advance[p.f.ellipsis]
	p.keep, p.keepX = len(c.V), x
	for len(b) > 0 {
		v, size := utf8.DecodeRune(b)
		i := p.f.index(v)
		if i == missing {
			i = p.f.direct['?']
		}
		if !p.glyph(i) {
			p.cut()
			break
		}
		b = b[size:]
	}
	return p.x - x
}
