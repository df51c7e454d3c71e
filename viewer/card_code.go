package viewer

import (
	"fmt"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// cardCode is the page of the card that shows the function which enters the zone, with the time of each line.
type cardCode struct {
	open   bool                                     // the page is shown in place of the numbers
	source func(zone gather.ZoneInfo) *process.Code // Options.Source
	of     *process.Code                            // nil until the file has been read
	times  []process.CodeTime
	picked []int // lines that fit
	hot    cardHot
}

// codeRow is the height of a line of source, in nominal pixels.
const codeRow = 16

// update asks for the source until it is there.
func (z *cardCode) update(zone gather.ZoneInfo) {
	if z.of == nil && z.source != nil && zone.File != "" {
		z.of = z.source(zone)
	}
}

// pending reports whether the source is still being read.
func (z *cardCode) pending(zone gather.ZoneInfo) bool {
	return z.of == nil && z.source != nil && zone.File != ""
}

// toggleSource shows the source of the cursor's zone on its card, or its numbers again.
func toggleSource(_ *process.Session, p *Panel) {
	p.change(func() {
		p.card.code.open = !p.card.code.open || !p.card.open
		p.card.open = true
	})
	p.countCalls()
}

// draw draws the page: as many lines as fit, those with a time first, and what the samples say.
func (z *cardCode) draw(c *canvas, d *shown, r rect) {
	rows := int(r.height() / (codeRow * c.em))
	if why := z.why(d.Zone(d.Around.Zone)); why != "" {
		c.left(r.x0, r.width(), rect{r.x0, r.y0, r.x1, r.y0 + codeRow*c.em}, draw.FaceSmall, why, c.TextFaint)
		r.y0 += 2 * codeRow * c.em
		z.hot.draw(c, d, r, rows-2)
		return
	}
	z.times = z.of.AppendTimes(z.times[:0], &d.Around, d.Zones)
	below := 0
	for i := range z.times {
		if z.times[i].How == process.CodeBelow {
			below++
		}
	}
	under := min(below, 4)
	if under > 0 {
		under++
	}
	hot := z.hot.rows(d, rows)
	if hot > 0 && rows < hot+under+5 { // no room for all: the lines come first
		under = 0
	}
	hot = min(hot, max(rows-under-5, 0))
	z.picked = z.of.Pick(z.picked[:0], z.times, max(rows-hot-under-2, 3))
	r.y0 = z.heading(c, r)
	r.y0 = z.lines(c, d, r)
	r.y0 = z.elsewhere(c, d, r, under-1)
	z.hot.draw(c, d, rect{r.x0, r.y0 + 6*c.em, r.x1, r.y1}, hot)
}

// why says why there is no source, "" if there is.
func (z *cardCode) why(zone gather.ZoneInfo) string {
	switch {
	case z.source == nil:
		return "no source: nothing reads files for this panel"
	case zone.File == "":
		return "no source: the zone's place is not known"
	case z.of == nil:
		return "reading " + zone.FileName() + " …"
	case z.of.Why != "":
		return z.of.Why
	case len(z.of.Lines) == 0:
		return "no source here"
	}
	return ""
}

// heading draws the words above the columns.
func (z *cardCode) heading(c *canvas, r rect) float32 {
	line := rect{r.x0, r.y0, r.x1, r.y0 + codeRow*c.em}
	c.right(r.x0+timeColumn*c.em, line, draw.FaceSmall, "ms", c.TextFaint)
	c.left(r.x0+textColumn*c.em, r.width(), line, draw.FaceSmall, z.of.Function, c.TextFaint)
	c.explain(line, "times of lines", "the zone's self time where it begins, and the time of each\n"+
		"callee at the line that calls it, with all that it calls.\n"+
		"A callee that several lines call has all its time at the first:\nhow it is divided is not measured")
	return line.y1
}

// The columns of a line of source, in nominal pixels from the left.
const (
	timeColumn = 44
	lineColumn = 80
	textColumn = 88
)

// lines draws the lines that were picked.
func (z *cardCode) lines(c *canvas, d *shown, r rect) float32 {
	r.y1 = min(r.y1, r.y0+float32(len(z.picked))*codeRow*c.em+4*c.em)
	c.Round(r.x0, r.y0, r.x1, r.y1, 5*c.em, draw.Mix(c.Surface, c.Background, 0.6))
	y, indent := r.y0+2*c.em, z.indent()
	for n, i := range z.picked {
		line := rect{r.x0, y, r.x1, y + codeRow*c.em}
		if y = line.y1; line.y1 > r.y1 {
			break
		}
		if n > 0 && z.picked[n-1] != i-1 { // lines are left out
			c.Rect(r.x0+textColumn*c.em, line.y0, r.x1-6*c.em, line.y0+draw.Hairline(c.em), c.GridLine)
		}
		z.line(c, d, line, i, indent)
	}
	return r.y1
}

// line draws one line: its time, its number, its text.
func (z *cardCode) line(c *canvas, d *shown, r rect, i, indent int) {
	number, ms, first, more := z.of.First+i, float32(0), -1, 0
	for k := range z.times {
		if t := &z.times[k]; t.Line == number {
			if ms, more = ms+t.Ms, max(more, t.More); first < 0 {
				first = k
			}
		}
	}
	ink := c.TextDim
	if first >= 0 {
		ink = c.TextNormal
		z.timed(c, d, r, first, ms)
	}
	z.hot.mark(c, d, r, number)
	c.buffer = draw.AppendFixed(c.buffer[:0], float64(number), 0)
	c.ASCIIRight(r.x0+lineColumn*c.em, c.baseline(r.y0, r.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextFaint)
	end := r.x1 - 6*c.em
	if more > 0 {
		c.buffer = draw.AppendFixed(append(c.buffer[:0], '+'), float64(more), 0)
		if c.buffer = append(c.buffer, " line"...); more > 1 {
			c.buffer = append(c.buffer, 's')
		}
		end -= c.ASCIIRight(end, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.Amber) + 6*c.em
	}
	x, text := r.x0+textColumn*c.em, z.of.Lines[i]
	for k := 0; text != "" && (text[0] == '\t' || text[0] == ' '); k++ {
		if k >= indent && text[0] == '\t' {
			x += 12 * c.em
		} else if k >= indent {
			x += 6 * c.em
		}
		text = text[1:]
	}
	c.left(x, end-x, r, draw.FaceTiny, text, ink)
}

// timed draws the time of a line, and explains it.
func (z *cardCode) timed(c *canvas, d *shown, r rect, first int, ms float32) {
	t := &z.times[first]
	info := d.Zone(t.Zone)
	most := max(z.times[0].Ms, 1e-9)
	col := c.ColorOf(info.Name, info.Idle)
	wide := (r.width() - textColumn*c.em) * min(ms/most, 1)
	c.Rect(r.x0+(textColumn-4)*c.em, r.y0+c.em, r.x0+(textColumn-4)*c.em+wide, r.y1-c.em, draw.Fade(col, 0.22))
	c.number(r.x0+timeColumn*c.em, r, draw.FaceTiny, float64(ms), c.precision, c.TextBright)
	if !c.tip.accepts(c.hovers(r)) {
		return
	}
	words := ""
	for i := range z.times {
		if z.times[i].Line != t.Line {
			continue
		}
		switch t := &z.times[i]; t.How {
		case process.CodeSelf:
			words += fmt.Sprintf("%.3f ms in the zone itself, which begins here\n", t.Ms)
		case process.CodeBegin:
			words += fmt.Sprintf("%.3f ms in %s, which begins here\n", t.Ms, d.Zone(t.Zone).Name)
		default:
			words += fmt.Sprintf("%.3f ms in %s, called here", t.Ms, d.Zone(t.Zone).Name)
			if t.More > 0 {
				words += fmt.Sprintf(" and at %d more lines: how its time\nis divided among them is not known", t.More)
			}
			words += "\n"
		}
	}
	c.explain(r, "time of the line", words[:len(words)-1])
}

// indent returns the number of tabs that all lines but blank ones begin with.
func (z *cardCode) indent() int {
	least := 1 << 10
	for _, s := range z.of.Lines {
		n := 0
		for n < len(s) && s[n] == '\t' {
			n++
		}
		if n < len(s) {
			least = min(least, n)
		}
	}
	return least
}

// elsewhere lists callees without a line in the text: only the place where they begin is known.
func (z *cardCode) elsewhere(c *canvas, d *shown, r rect, rows int) float32 {
	if rows < 1 {
		return r.y0
	}
	line := rect{r.x0, r.y0 + 2*c.em, r.x1, r.y0 + (codeRow+2)*c.em}
	c.left(r.x0, r.width(), line, draw.FaceSmall, "no line here calls these by name; they begin at", c.TextFaint)
	for i := range z.times {
		t := &z.times[i]
		if t.How != process.CodeBelow {
			continue
		}
		if rows--; rows < 0 {
			break
		}
		line.y0, line.y1 = line.y1, line.y1+codeRow*c.em
		info := d.Zone(t.Zone)
		c.number(r.x0+timeColumn*c.em, line, draw.FaceTiny, float64(t.Ms), c.precision, c.TextNormal)
		c.buffer = append(append(c.buffer[:0], info.FileName()...), ':')
		c.buffer = draw.AppendFixed(c.buffer, float64(info.Line), 0)
		x := line.x1 - 6*c.em - c.BytesWidth(draw.FaceSmall, c.buffer)
		c.text(x, line.x1-x, line, draw.FaceSmall, c.buffer, c.TextFaint)
		x -= 12 * c.em
		c.left(r.x0+(timeColumn+12)*c.em, x-r.x0-(timeColumn+12)*c.em, line, draw.FaceSmall, info.Name, c.TextNormal)
	}
	return line.y1
}
