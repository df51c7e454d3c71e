package card

import (
	"fmt"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// cardCode is the card's page with the function that enters the zone, and the time of each line.
type cardCode struct {
	open   bool                                    // the page is shown in place of the numbers
	source func(zone gather.ZoneInfo) *report.Code // Options.Source
	of     *report.Code                            // nil until the file has been read
	times  []report.CodeTime
	picked []int // lines that fit
	hot    cardHot
}

// codeRow is the height of a line of source, in nominal pixels.
const codeRow = 16

// update asks for the source until it has been read.
func (z *cardCode) update(zone gather.ZoneInfo) {
	if z.of == nil && z.source != nil && zone.File != "" {
		z.of = z.source(zone)
	}
}

// pending reports whether the source is still being read.
func (z *cardCode) pending(zone gather.ZoneInfo) bool {
	return z.of == nil && z.source != nil && zone.File != ""
}

// ToggleSource shows the page of the source, or the page of the numbers again.
func (z *Card) ToggleSource() { z.code.open, z.Open = !z.code.open || !z.Open, true }

// SetSource sets the reader of sources, and whether a click on a site opens an editor.
func (z *Card) SetSource(read func(zone gather.ZoneInfo) *report.Code, opens bool) {
	z.code.source, z.opens, z.known = read, opens, false
}

// ReadsCalls reports whether this Draw reads the single calls.
func (z *Card) ReadsCalls() bool { return z.calls.due() }

// draw draws the page: as many lines as fit, lines with a time first, and the results of samples.
func (z *cardCode) draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	rows := int(r.Height() / (codeRow * c.Em))
	if why := z.missingReason(d.Zone(d.Around.Zone)); why != "" {
		c.Left(r.X0, r.Width(), canvas.Box(r.X0, r.Y0, r.X1, r.Y0+codeRow*c.Em), draw.FaceSmall, why, c.TextFaint)
		r.Y0 += 2 * codeRow * c.Em
		z.hot.draw(c, d, r, rows-2)
		return
	}
	z.times = z.of.AppendTimes(z.times[:0], &d.Around, d.Zones)
	below := 0
	for i := range z.times {
		if z.times[i].How == report.CodeBelow {
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
	r.Y0 = z.heading(c, r)
	r.Y0 = z.lines(c, d, r)
	r.Y0 = z.drawOtherCallees(c, d, r, under-1)
	z.hot.draw(c, d, canvas.Box(r.X0, r.Y0+6*c.Em, r.X1, r.Y1), hot)
}

// missingReason returns the reason for missing source, "" if there is source.
func (z *cardCode) missingReason(zone gather.ZoneInfo) string {
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
func (z *cardCode) heading(c *canvas.Canvas, r canvas.Rect) float32 {
	line := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+codeRow*c.Em)
	c.Right(r.X0+timeColumn*c.Em, line, draw.FaceSmall, "ms", c.TextFaint)
	c.Left(r.X0+textColumn*c.Em, r.Width(), line, draw.FaceSmall, z.of.Function, c.TextFaint)
	c.Explain(line, "times of lines", "the zone's self time where it begins, and the time of each\n"+
		"callee at the line that calls it, with all that it calls.\n"+
		"A callee that several lines call has all its time at the first:\nhow it is divided is not measured")
	return line.Y1
}

// The columns of a line of source, in nominal pixels from the left.
const (
	timeColumn = 44
	lineColumn = 80
	textColumn = 88
)

// lines draws the lines that were picked.
func (z *cardCode) lines(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	r.Y1 = min(r.Y1, r.Y0+float32(len(z.picked))*codeRow*c.Em+4*c.Em)
	c.Round(r.X0, r.Y0, r.X1, r.Y1, 5*c.Em, draw.Mix(c.Surface, c.Background, 0.6))
	y, indent := r.Y0+2*c.Em, z.indent()
	for n, i := range z.picked {
		line := canvas.Box(r.X0, y, r.X1, y+codeRow*c.Em)
		y = line.Y1
		if line.Y1 > r.Y1 {
			break
		}
		if n > 0 && z.picked[n-1] != i-1 { // lines are left out
			c.Rect(r.X0+textColumn*c.Em, line.Y0, r.X1-6*c.Em, line.Y0+draw.Hairline(c.Em), c.GridLine)
		}
		z.line(c, d, line, i, indent)
	}
	return r.Y1
}

// line draws one line: its time, its number, its text.
func (z *cardCode) line(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, i, indent int) {
	number := z.of.First + i
	ms := float32(0)
	first := -1
	more := 0
	for k := range z.times {
		if t := &z.times[k]; t.Line == number {
			ms, more = ms+t.Ms, max(more, t.More)
			if first < 0 {
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
	c.Buffer = draw.AppendFixed(c.Buffer[:0], float64(number), 0)
	c.ASCIIRight(r.X0+lineColumn*c.Em, c.Baseline(r.Y0, r.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextFaint)
	end := r.X1 - 6*c.Em
	if more > 0 {
		c.Buffer = draw.AppendFixed(append(c.Buffer[:0], '+'), float64(more), 0)
		c.Buffer = append(c.Buffer, " line"...)
		if more > 1 {
			c.Buffer = append(c.Buffer, 's')
		}
		end -= c.ASCIIRight(end, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.Amber) + 6*c.Em
	}
	x, text := r.X0+textColumn*c.Em, z.of.Lines[i]
	for k := 0; text != "" && (text[0] == '\t' || text[0] == ' '); k++ {
		if k >= indent && text[0] == '\t' {
			x += 12 * c.Em
		} else if k >= indent {
			x += 6 * c.Em
		}
		text = text[1:]
	}
	c.Left(x, end-x, r, draw.FaceTiny, text, ink)
}

// timed draws the time of a line, and explains it.
func (z *cardCode) timed(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, first int, ms float32) {
	t := &z.times[first]
	info := d.Zone(t.Zone)
	most := max(z.times[0].Ms, 1e-9)
	col := d.ColorOf(c, t.Zone, info.Name, info.Idle)
	wide := (r.Width() - textColumn*c.Em) * min(ms/most, 1)
	c.Rect(r.X0+(textColumn-4)*c.Em, r.Y0+c.Em, r.X0+(textColumn-4)*c.Em+wide, r.Y1-c.Em, draw.Fade(col, 0.22))
	c.Milliseconds(r.X0+timeColumn*c.Em, r, draw.FaceTiny, float64(ms), d.Decimals(c), c.TextBright)
	if !c.Tip.Accepts(c.Hovers(r)) {
		return
	}
	words, decimals := "", d.Info.Decimals(3)
	for i := range z.times {
		if z.times[i].Line != t.Line {
			continue
		}
		switch t := &z.times[i]; t.How {
		case report.CodeSelf:
			words += fmt.Sprintf("%.*f ms in the zone itself, which begins here\n", decimals, t.Ms)
		case report.CodeBegin:
			words += fmt.Sprintf("%.*f ms in %s, which begins here\n", decimals, t.Ms, d.Zone(t.Zone).Name)
		default:
			words += fmt.Sprintf("%.*f ms in %s, called here", decimals, t.Ms, d.Zone(t.Zone).Name)
			if t.More > 0 {
				words += fmt.Sprintf(" and at %d more lines: how its time\nis divided among them is not known", t.More)
			}
			words += "\n"
		}
	}
	c.Explain(r, "time of the line", words[:len(words)-1])
}

// indent returns the common number of leading tabs of all lines that are not blank.
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

// drawOtherCallees lists callees without a line in the text: only their beginning is known.
func (z *cardCode) drawOtherCallees(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, rows int) float32 {
	if rows < 1 {
		return r.Y0
	}
	line := canvas.Box(r.X0, r.Y0+2*c.Em, r.X1, r.Y0+(codeRow+2)*c.Em)
	c.Left(r.X0, r.Width(), line, draw.FaceSmall, "no line here calls these by name; they begin at", c.TextFaint)
	for i := range z.times {
		t := &z.times[i]
		if t.How != report.CodeBelow {
			continue
		}
		if rows--; rows < 0 {
			break
		}
		line.Y0, line.Y1 = line.Y1, line.Y1+codeRow*c.Em
		info := d.Zone(t.Zone)
		c.Milliseconds(r.X0+timeColumn*c.Em, line, draw.FaceTiny, float64(t.Ms), d.Decimals(c), c.TextNormal)
		c.Buffer = append(append(c.Buffer[:0], info.FileName()...), ':')
		c.Buffer = draw.AppendFixed(c.Buffer, float64(info.Line), 0)
		x := line.X1 - 6*c.Em - c.BytesWidth(draw.FaceSmall, c.Buffer)
		c.Bytes(x, line.X1-x, line, draw.FaceSmall, c.Buffer, c.TextFaint)
		x -= 12 * c.Em
		c.Left(r.X0+(timeColumn+12)*c.Em, x-r.X0-(timeColumn+12)*c.Em, line, draw.FaceSmall, info.Name, c.TextNormal)
	}
	return line.Y1
}
