package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/gather"
)

// Draw appends the panel to a list. The screen's width and height are in device pixels. The scale is the number of
// device pixels in a nominal pixel (HiDPI), clamped to 0.5..4. On a screen smaller than a pixel, and in the mode
// PanelOff, Draw appends nothing. It takes one Snapshot of the session, and remembers the place of each part for HitAt.
// Steady drawing allocates nothing. Any goroutine may call it, one at a time for each list.
func (p *Panel) Draw(l *draw.List, width, height, scale float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.canvas
	if p.options.Mode == PanelOff || width < 1 || height < 1 {
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
	l.Begin(draw.ContentScale(scale) * p.options.Scale)
	c.Palette = draw.PaletteOf(p.options.Theme)
	c.List, c.em, c.precision, c.glass = l, l.Atlas.Scale(), p.options.Precision, p.options.Mode != PanelFull
	screen := rect{0, 0, draw.Snap(width), draw.Snap(height)}
	c.tip.begin()
	switch p.options.Mode {
	case PanelHUD:
		p.drawHUD(screen)
	case PanelReportAndGraph:
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

// point finds the part of the last picture that is under the mouse. If that part has changed, another Draw must follow,
// for the part may lie elsewhere in this picture.
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
	c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, c.Background)
	c.add(screen, hitOf(HitPanel, 0))
	if !p.disabled {
		p.take()
		p.color()
	}
	if p.disabled || !gather.Enabled && d.info.Frames == 0 { // a replayed session has frames
		c.notice(screen, noticeOff)
		return
	}
	p.slowest.take(d.Frames)
	p.ice.deepen(d)
	at := layout(screen, c.em, p.guide.hold(p.ice.deepest), p.options.Second != SecondNone)
	p.aim()
	p.placeTimeline(&at)
	p.drawHeader(at.header)
	p.drawNotices(at.verdict)
	if d.info.Frames == 0 {
		c.notice(rect{screen.x0, at.header.y1, screen.x1, at.footer.y0}, d.firstRun())
	} else {
		p.strip.draw(c, d, at.strip, true)
		p.drawSecond(at.second)
		p.drawCard(&at)
		p.drawCalls(at.icicle)
		p.table.draw(c, d, at.table)
		p.strip.tip(c, d, screen)
		p.timeline.tip(c, d, screen)
	}
	drawFooter(c, d, at.footer, p.keys, p.focusKey())
	p.drawPicture(screen)
	p.drawTip(screen)
	p.drawMenu(screen)
	p.help.draw(c, screen, p.keys)
	p.drawGuide(screen, at)
}

// drawCard draws the zone card to the right of the table and the call structure. Both become narrower.
func (p *Panel) drawCard(at *regions) {
	if !p.card.open {
		return
	}
	c := &p.canvas
	r := at.table
	if at.icicle.height() > 0 {
		r.y0 = at.icicle.y0
	}
	r.x0 = draw.Snap(r.x1 - min(max(r.width()*0.34, 290*c.em), 440*c.em, r.width()))
	at.icicle.x1, at.table.x1 = r.x0-8*c.em, r.x0-8*c.em
	p.card.draw(c, &p.shown, r)
}

// firstRun explains why there is no frame: what the program must still call, or that the user has reset the session.
func (d *shown) firstRun() notice {
	switch {
	case d.info.Paused:
		return noticePaused
	case d.Measured:
		return noticeNoUpdate
	}
	return noticeNoFrames
}

// regions are the places of the parts of the full screen. A part without height is not drawn.
type regions struct{ header, verdict, strip, second, icicle, table, footer rect }

// The least heights of the table and of the history on small screens, in nominal pixels. A screen without room for both
// has no history.
const (
	leastTable = headingHeight + 12 + 2*rowHeight
	leastStrip = 60
)

// icicleShare is the greatest share of the room below the history that the call structure takes.
const icicleShare = 0.45

// layout divides the screen. It depends on nothing that changes by itself but the number of levels, which only grows.
// On low screens the parts are smaller, and the lowest have no call structure.
func layout(screen rect, em float32, levels int, second bool) (at regions) {
	margin := 12 * em
	tall := screen.height() >= 560*em
	header, line, footer, gap := 50*em, verdictHeight*em, 34*em, 10*em
	if !tall {
		header, line, footer, gap, margin = 38*em, lowVerdict*em, 26*em, 5*em, 6*em
	}
	y := screen.y0
	take := func(height, space float32) rect {
		r := rect{screen.x0 + margin, y, screen.x1 - margin, y + height}
		y += height + space
		return r
	}
	at.header = take(header, 0)
	at.verdict = take(line, 0)
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
	if screen.height() >= 480*em {
		fit := int(((screen.y1-footer-y)*icicleShare/em - 30) / 20)
		at.icicle = take(float32(30+20*min(max(levels, 2), max(fit, 3)))*em, gap)
	}
	at.table = take(screen.y1-footer-y, 0)
	at.footer = rect{screen.x0 + margin, screen.y1 - footer, screen.x1 - margin, screen.y1}
	return at
}
