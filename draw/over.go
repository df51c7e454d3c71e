package draw

// drawOver draws the table at the left and the history below, over the host's picture.
func (p *Panel) drawOver(screen rect) {
	c, d := &p.canvas, &p.shown
	d.report.Want = p.table.chosen.orUsual().values
	d.gather(p.source)
	margin := 10 * c.em
	strip := min(170*c.em, screen.height()*0.34)
	width := min(max(screen.width()*0.5, 420*c.em), 720*c.em, screen.width()-2*margin)
	at := rect{margin, margin, margin + width, margin + 34*c.em}
	p.overTitle(at)
	table := rect{margin, at.y1 + 6*c.em, at.x1, screen.y1 - strip - 2*margin}
	if d.info.Frames == 0 {
		c.notice(c.card(table), noticeNoFrames)
		return
	}
	table.y1 = min(table.y1, table.y0+p.table.heightFor(c, d))
	p.table.draw(c, d, &p.base, table)
	p.strip.draw(c, d, &p.base, rect{margin, screen.y1 - strip - margin, screen.x1 - margin, screen.y1 - margin}, true)
	p.strip.tip(c, d)
	p.drawTip(screen)
	p.drawMenu(screen)
	p.help.draw(c, screen, p.keys)
}

// overFocus says what the key is for that a display without focus names.
const overFocus = "keys, mouse"

// overTitle draws the report's title and state.
func (p *Panel) overTitle(r rect) {
	c, d := &p.canvas, &p.shown
	in := c.card(r)
	in.y0, in.y1 = r.y0, r.y1
	end := drawState(c, d, in, in.x0-2*c.em, in.x1) + 12*c.em
	title, col := d.report.Title, c.textNormal
	if len(d.report.Warnings) > 0 {
		title, col = d.report.Warnings[0], c.red
	}
	room := in.x1 - end
	if key := p.focusKey(); key != "" && room > 240*c.em {
		width := c.Width(FaceSmall, key) + c.Width(FaceSmall, overFocus) + 18*c.em
		x := in.x1 - width
		x += c.chip(x, in, key, c.raised, c.textNormal) + 6*c.em
		c.left(x, in.x1-x, in, FaceSmall, overFocus, c.textDim)
		room -= width + 10*c.em
	}
	c.left(end, room, in, FaceText, title, col)
}
