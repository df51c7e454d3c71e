package draw

import "example.com/iprof/gather"

// Draw lays out what the panel shows on a screen of that size in device pixels; scale is the device's pixels to a nominal
// one (HiDPI), clamped to 0.5..4. It remembers where things lie for HitAt. The list is appended to. Steady drawing allocates
// nothing.
func (p *Panel) Draw(l *List, width, height, scale float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.canvas
	if p.mode == Off || width < 1 || height < 1 {
		c.areas = c.areas[:0]
		return
	}
	now := p.pictureOf(width, height, scale)
	if p.again.same(l, now) {
		l.V, l.Atlas = append(l.V, p.again.v...), p.again.atlas
		return
	}
	empty := len(l.V) == 0
	p.point()
	c.areas = c.areas[:0]
	l.begin(scaleOf(scale) * p.scale())
	c.palette = &palettes[p.theme]
	c.List, c.em, c.precision, c.glass = l, l.Atlas.scale, p.precision, p.mode != Full
	screen := rect{0, 0, snap(width), snap(height)}
	c.tip.begin()
	switch p.mode {
	case HUD:
		p.drawHUD(screen)
	case ReportAndGraph:
		p.drawOver(screen)
	default:
		p.drawFull(screen)
	}
	p.drawNote(screen)
	c.List = nil
	if empty {
		p.again.keep(l, now, p.settling() || p.shown.info.Frames == 0)
	}
}

// point finds what lies under the mouse, in what was drawn last. What that is may be elsewhere in what is drawn now: then
// another Draw is due.
func (p *Panel) point() {
	before := p.shown.hover
	p.shown.hover = hitOf(HitNone, 0)
	if c := &p.canvas; c.hover.here {
		p.shown.hover = p.hit(c.hover.x, c.hover.y)
	}
	p.shown.late = p.shown.hover != before
}

// drawFull draws the whole screen.
func (p *Panel) drawFull(screen rect) {
	c, d := &p.canvas, &p.shown
	c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, c.background)
	c.add(screen, hitOf(HitPanel, 0))
	if p.disabled || !gather.Enabled && p.source.Info().Frames == 0 { // what is replayed can be shown
		c.notice(screen, noticeOff)
		return
	}
	d.report.Want = p.table.chosen.orUsual().values
	d.gather(p.source)
	p.slowest.take(d.frames)
	at := layout(screen, c.em, d, p.second != SecondNone)
	p.placeTimeline(&at)
	p.drawHeader(at.header)
	drawWarnings(c, d, at.warnings)
	if d.info.Frames == 0 {
		p.drawFirstRun(screen, at)
	} else {
		p.strip.draw(c, d, &p.base, at.strip, true)
		p.drawSecond(at.second)
		p.drawCard(&at)
		p.drawCalls(at.icicle)
		p.table.draw(c, d, &p.base, at.table)
		p.strip.tip(c, d)
		p.timeline.tip(c, d, screen)
	}
	drawFooter(c, d, at.footer, p.keys, p.focusKey())
	p.drawTip(screen)
	p.drawMenu(screen)
	p.help.draw(c, screen, p.keys)
}

// drawCard draws the zone card beside the table and the call structure, which make room for it.
func (p *Panel) drawCard(at *regions) {
	if !p.card.open {
		return
	}
	c := &p.canvas
	r := at.table
	if at.icicle.height() > 0 {
		r.y0 = at.icicle.y0
	}
	r.x0 = snap(r.x1 - min(max(r.width()*0.34, 290*c.em), 440*c.em, r.width()))
	at.icicle.x1, at.table.x1 = r.x0-8*c.em, r.x0-8*c.em
	p.card.draw(c, &p.shown, r)
}

// drawFirstRun explains what is missing when there is no frame yet.
func (p *Panel) drawFirstRun(screen rect, at regions) {
	d := &p.shown
	d.totals = p.source.AppendTotals(d.totals[:0])
	n := noticeNoFrames
	if len(d.totals) > 1 {
		n = noticeNoUpdate
	}
	p.canvas.notice(rect{screen.x0, at.header.y1, screen.x1, at.footer.y0}, n)
}

// regions are where the parts of the full screen lie. Those without height are not drawn.
type regions struct{ header, warnings, strip, second, icicle, table, footer rect }

// What the table is left, and the history has at least, in nominal pixels, on small screens: without room for both there is no history.
const (
	leastTable = headingHeight + 12 + 2*rowHeight
	leastStrip = 60
)

// layout divides the screen, in proportion where there is room, and without the call structure where there is little.
func layout(screen rect, em float32, d *shown, second bool) (at regions) {
	margin := 12 * em
	tall := screen.height() >= 560*em
	header, footer, gap := 50*em, 34*em, 10*em
	if !tall {
		header, footer, gap, margin = 38*em, 26*em, 5*em, 6*em
	}
	y := screen.y0
	take := func(height, space float32) rect {
		r := rect{screen.x0 + margin, y, screen.x1 - margin, y + height}
		y += height + space
		return r
	}
	at.header = take(header, 0)
	if n := min(len(d.report.Warnings), 2); n > 0 {
		at.warnings = take(float32(n)*20*em, gap/2)
	}
	strip := min(max((screen.height()-80*em)*0.385, 96*em), 330*em)
	if second {
		strip = max(strip-0.08*screen.height(), 90*em)
	}
	if room := screen.y1 - footer - y - gap - leastTable*em; room >= leastStrip*em || second {
		at.strip = take(min(strip, max(room, leastStrip*em)), gap)
	}
	if second {
		at.second = take(min(secondHeight*em, screen.height()*0.17), gap)
	}
	if tall {
		at.icicle = take(float32(24+20*icicleRows(d))*em+6*em, gap)
	}
	at.table = take(screen.y1-footer-y, 0)
	at.footer = rect{screen.x0 + margin, screen.y1 - footer, screen.x1 - margin, screen.y1}
	return at
}
