package viewer

import (
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/viewer/internal/canvas"
)

// drawOver draws the table at the left and the history at the bottom, over the host's picture.
func (p *Panel) drawOver(screen canvas.Rect) {
	c, d := &p.canvas, &p.scene
	p.take()
	p.color()
	p.aim()
	margin := 10 * c.Em
	height := min(170*c.Em, screen.Height()*0.34)
	width := min(max(screen.Width()*0.5, 420*c.Em), 720*c.Em, screen.Width()-2*margin)
	at := canvas.Box(margin, margin, margin+width, margin+34*c.Em)
	at.X1 = max(at.X1, min(at.X0+p.header.overWidth(), screen.X1-margin))
	p.header.drawOver(at)
	// The verdict lies on the history, so that a missing verdict leaves no gap.
	bottom := screen.Y1 - height - margin
	verdict := canvas.Box(margin, bottom-verdictHeight*c.Em, screen.X1-margin, bottom)
	p.notices.drawVerdict(verdict)
	table := canvas.Box(margin, at.Y1+6*c.Em, margin+width, bottom-verdictHeight*c.Em-margin)
	if d.Info.Frames == 0 {
		c.Notice(c.Card(table), p.firstRun(d))
		return
	}
	table.Y1 = min(table.Y1, table.Y0+p.table.HeightFor(c, d))
	drawRows(p, table)
	strip := canvas.Box(margin, screen.Y1-height-margin, screen.X1-margin, screen.Y1-margin)
	p.strip.Draw(c, d, strip, true)
	p.strip.Tip(c, d, screen)
	p.strip.drawPicture(screen)
	p.drawTip(screen)
	p.menu.Draw(screen)
	where := regions{verdict: verdict, strip: strip, table: table}
	p.help.Draw(screen, where, p.signs)
	p.guide.Draw(screen, where)
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

// overWidth returns the width of the whole title, in steps, so that it does not change with each number.
func (h *headerPart) overWidth() float32 {
	c, title := &h.canvas, h.scene.Report.Title
	if len(h.scene.Report.Warnings) > 0 {
		title = h.warning(0)
	}
	need := c.Width(draw.FaceText, title) + 150*c.Em
	if key := h.focusKey(); key != "" {
		need += c.Width(draw.FaceSmall, key) + c.Width(draw.FaceSmall, overFocus) + 40*c.Em
	}
	return draw.Snap(need/(60*c.Em)+0.5) * 60 * c.Em
}

// drawOver draws the report's title and the live or paused sign.
func (h *headerPart) drawOver(r canvas.Rect) {
	c, d := &h.canvas, &h.scene
	in := c.Card(r)
	in.Y0, in.Y1 = r.Y0, r.Y1
	end := drawState(c, d, in, in.X0-2*c.Em, in.X1) + 12*c.Em
	title, col := d.Report.Title, c.TextNormal
	if len(d.Report.Warnings) > 0 {
		title, col = h.warning(0), c.Amber
	}
	room := in.X1 - end
	if key := h.focusKey(); key != "" && room > 240*c.Em {
		width := c.Width(draw.FaceSmall, key) + c.Width(draw.FaceSmall, overFocus) + 18*c.Em
		x := in.X1 - width
		c.Explain(canvas.Box(x, r.Y0, in.X1, r.Y1), overFocus, overFocusTip)
		x += c.Chip(x, in, key, c.Raised, c.TextNormal) + 6*c.Em
		c.Left(x, in.X1-x, in, draw.FaceSmall, overFocus, c.TextDim)
		room -= width + 10*c.Em
	}
	if at := (canvas.Box(end, r.Y0, end+room, r.Y1)); col == c.Amber {
		c.Explain(at, "warning", title)
	} else {
		c.Explain(at, "what is shown", overTitleTip)
	}
	c.Left(end, room, in, draw.FaceText, titleParts(c, title, room), col)
}

// titleParts returns the parts of a report's title that fit, from the first on. Two spaces are between them.
func titleParts(c *canvas.Canvas, title string, room float32) string {
	for c.Width(draw.FaceText, title) > room {
		last := strings.LastIndex(title, "  ")
		if last < 0 {
			break
		}
		title = title[:last]
	}
	return title
}
