package viewer

import (
	"strings"

	"example.com/iprof/draw"
)

// drawOver draws the table at the left and the history at the bottom, over the host's picture.
func (p *Panel) drawOver(screen rect) {
	c, d := &p.canvas, &p.shown
	p.take()
	p.color()
	p.aim()
	margin := 10 * c.em
	height := min(170*c.em, screen.height()*0.34)
	width := min(max(screen.width()*0.5, 420*c.em), 720*c.em, screen.width()-2*margin)
	at := rect{margin, margin, margin + width, margin + 34*c.em}
	at.x1 = max(at.x1, min(at.x0+p.overWidth(), screen.x1-margin))
	p.overTitle(at)
	// The verdict lies on the history, where it leaves no gap when there is none.
	bottom := screen.y1 - height - margin
	verdict := rect{margin, bottom - verdictHeight*c.em, screen.x1 - margin, bottom}
	p.drawVerdict(verdict)
	table := rect{margin, at.y1 + 6*c.em, margin + width, bottom - verdictHeight*c.em - margin}
	if d.info.Frames == 0 {
		c.notice(c.card(table), d.firstRun())
		return
	}
	table.y1 = min(table.y1, table.y0+p.table.heightFor(c, d))
	p.table.draw(c, d, table)
	strip := rect{margin, screen.y1 - height - margin, screen.x1 - margin, screen.y1 - margin}
	p.strip.draw(c, d, strip, true)
	p.strip.tip(c, d, screen)
	p.drawPicture(screen)
	p.drawTip(screen)
	p.drawMenu(screen)
	p.help.draw(c, screen, p.keys)
	p.drawGuide(screen, regions{verdict: verdict, strip: strip, table: table})
}

// overFocus explains the key that gives the panel the focus.
const overFocus = "keys, mouse"

// overFocusTip and overTitleTip explain the title.
const (
	overFocusTip = "this key gives the profiler keys and mouse, and takes them\nback"
	overTitleTip = "the mean of the last frames, or the frame shown: its length,\n" +
		"how long the CPU and the GPU worked for it, how long it\n" +
		"waited, what the list is sorted by, and of which goroutines\nit is"
)

// overWidth returns the width that all of the title needs, in steps, so that it does not change with each number.
func (p *Panel) overWidth() float32 {
	c, title := &p.canvas, p.shown.Report.Title
	if len(p.shown.Report.Warnings) > 0 {
		title = p.warning(0)
	}
	need := c.Width(draw.FaceText, title) + 150*c.em
	if key := p.focusKey(); key != "" {
		need += c.Width(draw.FaceSmall, key) + c.Width(draw.FaceSmall, overFocus) + 40*c.em
	}
	return draw.Snap(need/(60*c.em)+0.5) * 60 * c.em
}

// overTitle draws the report's title and the live or paused sign.
func (p *Panel) overTitle(r rect) {
	c, d := &p.canvas, &p.shown
	in := c.card(r)
	in.y0, in.y1 = r.y0, r.y1
	end := drawState(c, d, in, in.x0-2*c.em, in.x1) + 12*c.em
	title, col := d.Report.Title, c.TextNormal
	if len(d.Report.Warnings) > 0 {
		title, col = p.warning(0), c.Amber
	}
	room := in.x1 - end
	if key := p.focusKey(); key != "" && room > 240*c.em {
		width := c.Width(draw.FaceSmall, key) + c.Width(draw.FaceSmall, overFocus) + 18*c.em
		x := in.x1 - width
		c.explain(rect{x, r.y0, in.x1, r.y1}, overFocus, overFocusTip)
		x += c.chip(x, in, key, c.Raised, c.TextNormal) + 6*c.em
		c.left(x, in.x1-x, in, draw.FaceSmall, overFocus, c.TextDim)
		room -= width + 10*c.em
	}
	if at := (rect{end, r.y0, end + room, r.y1}); col == c.Amber {
		c.explain(at, "warning", title)
	} else {
		c.explain(at, "what is shown", overTitleTip)
	}
	c.left(end, room, in, draw.FaceText, c.titleParts(title, room), col)
}

// titleParts returns the parts of a report's title that fit, from the first on. Two spaces are between them.
func (c *canvas) titleParts(title string, room float32) string {
	for c.Width(draw.FaceText, title) > room {
		last := strings.LastIndex(title, "  ")
		if last < 0 {
			break
		}
		title = title[:last]
	}
	return title
}
