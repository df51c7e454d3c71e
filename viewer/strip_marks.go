package viewer

import (
	"image/color"

	"example.com/iprof/draw"
)

// axis draws the grid and its numbers in ms at the left.
func (s *strip) axis(c *canvas, plot rect) {
	step, decimals := s.tickStep(), 0
	for unit := step; decimals < 3 && unit != draw.Snap(unit); unit *= 10 {
		decimals++
	}
	for ms := float32(0); ms <= s.top*1.001; ms += step {
		y := draw.Snap(s.y(plot, ms))
		c.Rect(plot.x0, y, plot.x1, y+draw.Hairline(c.em), c.GridLine)
		c.number(plot.x0-8*c.em, rect{0, y, 0, y}, draw.FaceTiny, float64(ms), decimals, c.TextFaint)
	}
	c.explain(rect{plot.x0 - 36*c.em, plot.y0 - 6*c.em, plot.x0, plot.y1 + 4*c.em}, "milliseconds",
		"how long a frame was busy. The higher its column, the slower\nthe frame. S locks this scale")
}

// remark writes at the upper right what is unusual about the history: it is held, or its scale is locked.
func (s *strip) remark(c *canvas, plot rect) {
	col := c.Accent
	switch {
	case s.behind > 0:
		c.buffer = draw.AppendFixed(append(c.buffer[:0], "held by the mouse, "...), float64(s.behind), 0)
		if c.buffer = append(c.buffer, " frame"...); s.behind > 1 {
			c.buffer = append(c.buffer, 's')
		}
		c.buffer = append(c.buffer, " behind"...)
		col = c.Amber
	case s.locked:
		c.buffer = append(c.buffer[:0], "scale locked"...)
	default:
		return
	}
	width := c.ASCIIWidth(draw.FaceSmall, c.buffer)
	at := rect{draw.Snap(plot.x1 - width - 14*c.em), plot.y0 - 4*c.em, plot.x1, plot.y0 + 14*c.em}
	if at.x0 < plot.x0 {
		return
	}
	c.Round(at.x0, at.y0, at.x1, at.y1, 4*c.em, draw.Mix(c.Surface, col, 0.2))
	c.ASCII(at.x0+7*c.em, c.baseline(at.y0, at.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, col)
}

// ages writes the ages below the columns, but for those where the flag of the baseline lies.
func (s *strip) ages(c *canvas, d *shown, plot rect) {
	most := 5
	if plot.width() < 300*c.em {
		most = 2
	}
	every := ageStep(d.Past.Frames, most)
	below := rect{0, plot.y1 + 6*c.em, 0, plot.y1 + 21*c.em}
	end, flag := plot.x1, s.flagAt(c, d, plot)
	if d.Past.Skip == 0 && flag.x1 < plot.x1-9*c.em-c.Width(draw.FaceTiny, "newest") {
		end -= c.right(plot.x1-9*c.em, below, draw.FaceTiny, "newest", c.TextFaint) + 21*c.em
	}
	for age := (d.Past.Skip/every + 1) * every; age <= d.Past.Skip+d.Past.Frames; age += every {
		c.buffer = draw.AppendFixed(c.buffer[:0], -float64(age), 0)
		width := c.ASCIIWidth(draw.FaceTiny, c.buffer)
		x0, _ := d.edges(plot, age-1, age-1)
		if x := max(x0-width/2, plot.x0); x+width < end && (x >= flag.x1 || x+width <= flag.x0) {
			c.ASCII(x, c.baseline(below.y0, below.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextFaint)
			end = x - 12*c.em
		}
	}
}

// ageStep returns the distance between the ages below a history: 1, 2, 3 or 6 times a power of ten, so that there are
// at most so many of them.
func ageStep(frames, most int) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range [...]int{1, 2, 3, 6} {
			if m*unit*most >= frames {
				return m * unit
			}
		}
	}
}

// The frame lengths of 60 Hz and 30 Hz, ms.
const (
	length60 = 1000.0 / 60
	length30 = 1000.0 / 30
)

// limits draws lines at the frame lengths of 60 and 30 frames per second, and at the budget if that differs. The labels
// stand side by side if the lines are too close to put one above the other.
func (s *strip) limits(c *canvas, d *shown, plot rect) {
	budget := d.info.Budget.Seconds() * 1000
	all := [...]limit{
		{length60, "16.7 ms · 60 fps", c.Green},
		{length30, "33.3 ms · 30 fps", c.Amber},
		{budget, "", c.Accent},
	}
	lines := all[:]
	if !(budget > 0) || near(budget, length60) || near(budget, length30) {
		lines = all[:2]
	}
	for i := len(lines) - 1; i > 0 && lines[i].ms < lines[i-1].ms; i-- {
		lines[i], lines[i-1] = lines[i-1], lines[i]
	}
	for i := range lines {
		s.limitLine(c, plot, float32(lines[i].ms), lines[i].color)
	}
	l := labels{c: c, plot: plot, x: plot.x0 + 12*c.em, bottom: plot.y1}
	for i := range lines {
		if y, ok := s.limitAt(c, plot, float32(lines[i].ms)); ok && plot.width() >= 200*c.em {
			l.draw(y, &lines[i])
		}
	}
}

// limit is a line at a frame length.
type limit struct {
	ms    float64
	label string // "" is the budget's label
	color color.NRGBA
}

// near reports whether two lengths look the same.
func near(a, b float64) bool { return a > b*0.98 && a < b*1.02 }

// labels places the names of lines, from the lowest line up, so that they do not overlap.
type labels struct {
	c      *canvas
	plot   rect
	x      float32 // x of the next label if it must stand beside the last one
	bottom float32 // upper edge of the last label
}

// draw draws the label of a line.
func (l *labels) draw(y float32, of *limit) {
	c := l.c
	if of.label != "" {
		if x, ok := l.place(y, c.Width(draw.FaceSmall, of.label)); ok {
			c.Text(x, y-5*c.em, draw.FaceSmall, of.label, of.color)
		}
		return
	}
	c.buffer = append(draw.AppendFixed(c.buffer[:0], of.ms, 1), " ms budget"...)
	if x, ok := l.place(y, c.ASCIIWidth(draw.FaceSmall, c.buffer)); ok {
		c.ASCII(x, y-5*c.em, draw.FaceSmall, c.buffer, of.color)
	}
}

// place finds room above a line for a label of a width in pixels, and draws its ground.
func (l *labels) place(y, width float32) (x float32, ok bool) {
	c := l.c
	x = l.plot.x0 + 12*c.em
	if y-2*c.em > l.bottom {
		x = l.x
	}
	if x+width+8*c.em > l.plot.x1 {
		return 0, false
	}
	c.Round(x-5*c.em, y-16*c.em, x+width+5*c.em, y-2*c.em, 3*c.em, draw.Fade(c.Surface, 0.78))
	c.explain(rect{x - 5*c.em, y - 16*c.em, x + width + 5*c.em, y - 2*c.em}, "frame length",
		"columns below this line are of frames on time for so many\nframes a second")
	l.x, l.bottom = x+width+18*c.em, y-16*c.em
	return x, true
}

// limitAt returns the y of a line. The bool reports whether the scale reaches that far and the label has room.
func (s *strip) limitAt(c *canvas, plot rect, ms float32) (y float32, ok bool) {
	y = draw.Snap(s.y(plot, ms))
	return y, ms < s.top && y-16*c.em >= plot.y0-8*c.em
}

// limitLine draws a dashed line.
func (s *strip) limitLine(c *canvas, plot rect, ms float32, col color.NRGBA) {
	if y, ok := s.limitAt(c, plot, ms); ok {
		c.Dashes(plot.x0, plot.x1, y, 6*c.em, 4*c.em, draw.Fade(col, 0.9))
	}
}

// collections names the marks of garbage collections, if there are any.
func (s *strip) collections(c *canvas, plot rect) {
	if !s.collected || s.lines {
		return
	}
	at := rect{plot.x0 - 30*c.em, plot.y1 + 6*c.em, plot.x0 - 8*c.em, plot.y1 + 21*c.em}
	if o := s.others.plot; o.height() > 0 && o.y1-7*c.em < at.y1 { // the scale of the other goroutines is there
		return
	}
	c.right(at.x1, at, draw.FaceTiny, "GC", c.Collection)
	c.explain(at, "GC", "a mark below a frame: garbage was collected in it.\nO shows the memory strip")
}

// marker marks the frame that is shown: a sign below the axis, and a light column if the frames do not move.
func (s *strip) marker(c *canvas, d *shown, plot rect) {
	age := d.info.Age
	if at, mouse := d.pointed(); mouse && at != age && d.visible(at) {
		x0, x1 := d.columnEdges(plot, at)
		c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, draw.Fade(white, 0.1))
	}
	if !d.visible(age) || d.info.Gone || d.info.Kept {
		return
	}
	x0, x1 := d.columnEdges(plot, age)
	if s.ranged {
		return // the range has its own edges
	}
	if age > 0 || d.info.Paused {
		c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, draw.Fade(white, 0.14))
	}
	side := c.IconSize()
	c.Icon(draw.IconUp, draw.Snap((x0+x1-side)/2), plot.y1, white)
}

// columnEdges returns the sides of the column that an age is in.
func (d *shown) columnEdges(plot rect, age int) (x0, x1 float32) {
	if f := d.column(age); f != nil {
		return d.edges(plot, f.Oldest, f.Newest)
	}
	return d.edges(plot, age, age)
}
