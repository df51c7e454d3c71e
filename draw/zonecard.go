package draw

import (
	"image/color"
	"strconv"

	"example.com/iprof/process"
)

// zoneCard tells all there is to know about one zone: the cursor's.
type zoneCard struct {
	open   bool
	zone   int32
	known  bool // zone, site and lines are of the zone shown last
	site   string
	lines  []string
	source func(file string, line int) []string
	spread spread
	report process.Report // the call graph round the zone
	calls  callSpread
}

// ToggleCard shows the card of the cursor's zone beside the table, or hides it: how its time is spread over the history's
// frames, what calls it and what it calls, and where it is in the source. While it is open
// the single calls of its zone are counted: see process.Session.SetPerCall.
func (p *Panel) ToggleCard() {
	p.change(func() {
		if p.card.open = !p.card.open; !p.card.open {
			p.card.calls.follow(&p.shown, -1)
		}
	})
}

// CardOpen reports whether the card is shown.
func (p *Panel) CardOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.card.open
}

// SetSource gives the card a way to read source: f returns some lines of a file, the first being that with the number given,
// or none. It is called by Draw when the card comes to another zone, and must not use the panel.
func (p *Panel) SetSource(f func(file string, line int) []string) {
	p.change(func() { p.card.source, p.card.known = f, false })
}

// zoneRow is the height of a line of the card in nominal pixels.
const zoneRow = 18

// cursorZone is the zone of the cursor's record, or -1.
func (d *shown) cursorZone() int32 {
	if i := d.report.Cursor; i >= 0 && i < len(d.report.Records) {
		return d.report.Records[i].Zone
	}
	return -1
}

// learn finds what is shown of a zone: the history in every frame, the place in the source when it is another zone.
func (z *zoneCard) learn(d *shown, zone int32) {
	d.line = d.source.AppendZoneHistory(d.line[:0], zone, historyFrames)
	z.spread.take(d.line[max(len(d.line)-historyFrames, 0):])
	v := d.view
	v.Mode, v.Focus, v.Cursor = process.CallGraph, zone, 0
	d.source.AppendReportOf(&z.report, v)
	z.calls.follow(d, zone)
	z.calls.read(d)
	if z.known && z.zone == zone {
		return
	}
	info := d.source.Zone(zone)
	z.zone, z.known, z.site, z.lines = zone, true, "", nil
	if info.File == "" {
		return
	}
	z.site = lastElement(info.File) + ":" + strconv.Itoa(info.Line)
	if z.source != nil {
		z.lines = z.source(info.File, info.Line)
	}
}

// lastElement is a path without its directories.
func lastElement(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			return path[i+1:]
		}
	}
	return path
}

// draw draws the card in r.
func (z *zoneCard) draw(c *canvas, d *shown, r rect) {
	if r.height() < 60*c.em {
		return
	}
	in := c.card(r)
	zone := d.cursorZone()
	if zone < 0 {
		c.left(in.x0, in.width(), rect{in.x0, in.y0, in.x1, in.y0 + 24*c.em}, FaceText, "No zone under the cursor", c.textDim)
		return
	}
	z.learn(d, zone)
	info := d.source.Zone(zone)
	col := c.colorOf(info.Name, info.Idle)
	z.title(c, rect{in.x0, in.y0, in.x1, in.y0 + 22*c.em}, d.report.Records[d.report.Cursor].Estimated.Sign(), info.Name, col)
	y := in.y0 + 26*c.em
	histogram := min(90*c.em, (in.y1-y)*0.3)
	z.histogram(c, d, rect{in.x0, y, in.x1, y + histogram}, zone, col)
	y += histogram + 8*c.em
	z.numbers(c, rect{in.x0, y, in.x1, y + 32*c.em}, z.spread.first())
	y += 34 * c.em
	if in.y1-y > 250*c.em {
		z.numbers(c, rect{in.x0, y, in.x1, y + 32*c.em}, z.spread.further())
		y += 34 * c.em
	}
	if in.y1-y > 170*c.em {
		z.calls.draw(c, rect{in.x0, y + 6*c.em, in.x1, y + 82*c.em}, col)
		y += 84 * c.em
	}
	z.below(c, d, rect{in.x0, y + 4*c.em, in.x1, in.y1})
}

// title draws the zone's name and where it is.
func (z *zoneCard) title(c *canvas, r rect, sign, name string, col color.NRGBA) {
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, col)
	x := r.x0 + 16*c.em
	x += c.signed(x, r.width()*0.6, r, FaceBold, sign, name, c.textBright) + 10*c.em
	if width := c.Width(FaceSmall, z.site); width < r.x1-x {
		c.right(r.x1, r, FaceSmall, z.site, c.textFaint)
	}
}

// histogram draws how many frames took how long, and marks the one that is shown.
func (z *zoneCard) histogram(c *canvas, d *shown, r rect, zone int32, col color.NRGBA) {
	s := &z.spread
	c.Rect(r.x0, r.y1, r.x1, r.y1+ringWidth(c.em), c.gridLine)
	if s.most == 0 {
		return
	}
	step := r.width() / spreadBins
	for i, n := range s.bins {
		if n == 0 {
			continue
		}
		height := max(float32(n)/float32(s.most)*r.height(), 2*c.em)
		x := r.x0 + float32(i)*step
		c.Rect(x, r.y1-height, x+step-max(1, snap(c.em)), r.y1, col)
	}
	if i := len(d.line) - 1 - d.info.Age; i >= 0 && i < len(d.line) && d.line[i] > 0 {
		side := float32(c.atlas().icons[iconUp].width)
		c.icon(iconUp, r.x0+(float32(s.bin(d.line[i]))+0.5)*step-side/2, r.y1+c.em, white)
	}
	c.buffer = append(appendFixed(c.buffer[:0], float64(len(s.sorted)), 0), " of "...)
	c.buffer = append(appendFixed(c.buffer, float64(s.frames), 0), " frames"...)
	c.asciiRight(r.x1, r.y0+9*c.em, FaceSmall, c.buffer, c.textFaint)
}

// numbers draws statistics, each under its name.
func (z *zoneCard) numbers(c *canvas, r rect, of [6]statistic) {
	step := r.width() / 6
	for i, n := range of {
		x := r.x0 + float32(i+1)*step
		c.right(x, rect{0, r.y0, 0, r.y0 + 15*c.em}, FaceSmall, n.name, c.textFaint)
		c.number(x, rect{0, r.y0 + 15*c.em, 0, r.y1}, FaceTiny, float64(n.value), c.precision, c.textNormal)
	}
}

// below draws callers and callees side by side, and the source under them, as far as there is room.
func (z *zoneCard) below(c *canvas, d *shown, r rect) {
	rows := 0
	for g := range [...]process.Group{process.GroupParent, process.GroupChild} {
		rows = max(rows, z.count(process.Group(g*2)))
	}
	fit := int(r.height()/(zoneRow*c.em)) - 1
	rows = min(max(rows, 1), fit)
	if len(z.lines) > 0 && fit > 8 {
		rows = min(rows, fit-4)
	}
	if rows < 1 {
		return
	}
	middle := (r.x0 + r.x1) / 2
	z.kin(c, d, rect{r.x0, r.y0, middle - 8*c.em, r.y1}, "called by", process.GroupParent, rows)
	z.kin(c, d, rect{middle + 8*c.em, r.y0, r.x1, r.y1}, "calls", process.GroupChild, rows)
	z.code(c, rect{r.x0, r.y0 + float32(rows+1)*zoneRow*c.em + 8*c.em, r.x1, r.y1})
}

// count is the number of records of a group.
func (z *zoneCard) count(g process.Group) (n int) {
	for i := range z.report.Records {
		if z.report.Records[i].Group == g {
			n++
		}
	}
	return n
}

// kin draws the zones of one group of the call graph, with their times on behalf of the zone.
func (z *zoneCard) kin(c *canvas, d *shown, r rect, heading string, g process.Group, rows int) {
	line := zoneRow * c.em
	c.left(r.x0, r.width(), rect{r.x0, r.y0, r.x1, r.y0 + line}, FaceSmall, heading, c.textFaint)
	y := r.y0 + line
	over := d.zoneUnderMouse()
	for i := range z.report.Records {
		record := &z.report.Records[i]
		if record.Group != g {
			continue
		}
		if rows--; rows < 0 {
			return
		}
		row := rect{r.x0 - 4*c.em, y, r.x1 + 4*c.em, y + line}
		if record.Zone == over {
			c.Round(row.x0, row.y0, row.x1, row.y1, 4*c.em, c.hovered)
		}
		c.add(row, Hit{Kind: HitZone, Zone: record.Zone, Path: record.Path})
		c.entry(row.inset(4*c.em, 0), record.Estimated.Sign(), record.Name, c.colorOf(record.Name, record.Idle), record.Values[process.ColumnHier])
		y += line
	}
	if y == r.y0+line {
		c.left(r.x0, r.width(), rect{r.x0, y, r.x1, y + line}, FaceSmall, "none", c.textFaint)
	}
}

// code draws the source from the zone's line on.
func (z *zoneCard) code(c *canvas, r rect) {
	fit := min(int((r.height()-8*c.em)/(16*c.em)), len(z.lines))
	if fit < 1 {
		return
	}
	r.y1 = r.y0 + float32(fit)*16*c.em + 8*c.em
	c.Round(r.x0, r.y0, r.x1, r.y1, 5*c.em, mix(c.surface, c.background, 0.6))
	for i, s := range z.lines[:fit] {
		x, y := r.x0+8*c.em, r.y0+4*c.em+float32(i)*16*c.em
		for s != "" && (s[0] == '\t' || s[0] == ' ') {
			if s[0] == '\t' {
				x += 16 * c.em
			} else {
				x += 6 * c.em
			}
			s = s[1:]
		}
		c.left(x, r.x1-6*c.em-x, rect{x, y, r.x1, y + 16*c.em}, FaceMono, s, c.textNormal)
	}
}
