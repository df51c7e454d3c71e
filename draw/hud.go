package draw

// drawHUD draws one line at the top left: the frame's length, the busy part, rate, longest of 5 s and what measuring costs.
func (p *Panel) drawHUD(screen rect) {
	c, d := &p.canvas, &p.shown
	d.gatherLine(p.source)
	height := 26 * c.em
	x, y := 8*c.em, 8*c.em
	width := min(hudWidth(c, d), screen.width()-2*x)
	box := rect{x, y, x + snap(width), y + height}
	c.Round(box.x0, box.y0, box.x1, box.y1, 6*c.em, fade(background, 0.84))
	c.add(box, hitOf(HitPanel, 0))
	i := &d.info
	word, col := state(i)
	c.Round(x+10*c.em, y+9*c.em, x+18*c.em, y+17*c.em, 4*c.em, col)
	x += 26 * c.em
	if i.Frames == 0 {
		c.left(x, box.x1-x, box, FaceText, hudEmpty, textNormal)
		return
	}
	x = c.hudValue(x, box, "", i.Length, 2, " ms")
	x = c.hudValue(x, box, "busy ", i.Busy, 2, "")
	x = c.hudValue(x, box, "", i.FPS, 0, " fps")
	x = c.hudValue(x, box, "max 5 s ", i.MaxHold, 1, "")
	x = c.hudValue(x, box, "cost ", i.Overhead*100, 1, " %")
	p.hudBars(rect{x, y + 5*c.em, x + hudFrames*c.em*1.5, box.y1 - 5*c.em})
	x += (hudFrames*1.5 + 10) * c.em
	if !i.Live {
		c.left(x, box.x1-x, box, FaceSmall, word, col)
	}
}

const (
	hudEmpty  = "no frames yet: call iprof.Update() once a frame"
	hudFrames = 60 // frames in the HUD's bars
)

// hudWidth is the width of the line. Numbers have room for four digits, so it stays as it is.
func hudWidth(c *canvas, d *shown) float32 {
	if d.info.Frames == 0 {
		return c.Width(FaceText, hudEmpty) + 38*c.em
	}
	width := (560 + hudFrames*1.5) * c.em
	if word, _ := state(&d.info); !d.info.Live {
		width += c.Width(FaceSmall, word) + 10*c.em
	}
	return width
}

// hudValue draws a number between its name and its unit in a field that is as wide whatever the number, and returns where
// the next begins.
func (c *canvas) hudValue(x float32, box rect, name string, v float64, decimals int, unit string) float32 {
	col := textBright
	x += c.left(x, 200*c.em, box, FaceSmall, name, textDim)
	c.buffer = appendFixed(c.buffer[:0], v, decimals)
	field := c.asciiWidth(FaceMono, c.buffer[:1]) * float32(4+min(decimals, 1)+decimals)
	if decimals == 0 {
		field = c.asciiWidth(FaceMono, c.buffer[:1]) * 4
	}
	x += field
	c.asciiRight(x, c.baseline(box.y0, box.y1, FaceMono), FaceMono, c.buffer, col)
	x += c.left(x, 60*c.em, box, FaceSmall, unit, textDim)
	return x + 14*c.em
}

// hudBars draws the last frames, as high as twice the budget, red where over.
func (p *Panel) hudBars(r rect) {
	c, d := &p.canvas, &p.shown
	c.Rect(r.x0, r.y0, r.x1, r.y1, fade(raised, 0.8))
	full := float32(d.info.Budget.Seconds()*1000) * 2
	if full <= 0 {
		full = 2 * length60
	}
	step := r.width() / hudFrames
	for age := range min(hudFrames, len(d.frames)) {
		f := &d.frames[len(d.frames)-1-age]
		col := green
		if f.Over {
			col = red
		}
		x := r.x1 - float32(age+1)*step
		c.Rect(x, r.y1-min(f.Busy/full, 1)*r.height(), x+step, r.y1, col)
	}
}

// drawOver draws the table at the left and the history below, over the host's picture.
func (p *Panel) drawOver(screen rect) {
	c, d := &p.canvas, &p.shown
	d.gather(p.source)
	margin := 10 * c.em
	strip := min(170*c.em, screen.height()*0.34)
	width := min(max(screen.width()*0.5, 420*c.em), 640*c.em, screen.width()-2*margin)
	at := rect{margin, margin, margin + width, margin + 34*c.em}
	p.overTitle(at)
	table := rect{margin, at.y1 + 6*c.em, at.x1, screen.y1 - strip - 2*margin}
	if d.info.Frames == 0 {
		c.notice(c.card(table), noticeNoFrames)
		return
	}
	table.y1 = min(table.y1, table.y0+p.table.heightFor(c, d))
	p.table.draw(c, d, table)
	p.strip.draw(c, d, rect{margin, screen.y1 - strip - margin, screen.x1 - margin, screen.y1 - margin}, true)
}

// overTitle draws the report's title and state.
func (p *Panel) overTitle(r rect) {
	c, d := &p.canvas, &p.shown
	in := c.card(r)
	in.y0, in.y1 = r.y0, r.y1
	end := drawState(c, d, in, in.x0-2*c.em, in.x1) + 12*c.em
	title, col := d.report.Title, textNormal
	if len(d.report.Warnings) > 0 {
		title, col = d.report.Warnings[0], red
	}
	c.left(end, in.x1-end, in, FaceText, title, col)
}
