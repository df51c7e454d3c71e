package draw

import (
	"image/color"
)

// axis draws the grid and its numbers: ms at the left, frames below.
func (s *strip) axis(c *canvas, plot rect) {
	step, decimals := s.tickStep(), 0
	for unit := step; decimals < 3 && unit != snap(unit); unit *= 10 {
		decimals++
	}
	for ms := float32(0); ms <= s.top*1.001; ms += step {
		y := snap(s.y(plot, ms))
		c.Rect(plot.x0, y, plot.x1, y+ringWidth(c.em), c.gridLine)
		c.number(plot.x0-8*c.em, rect{0, y, 0, y}, FaceTiny, float64(ms), decimals, c.textFaint)
	}
	every := 60
	if plot.width() < 300*c.em {
		every = 150
	}
	below := rect{0, plot.y1 + 6*c.em, 0, plot.y1 + 21*c.em}
	for age := every; age <= historyFrames; age += every {
		c.buffer = appendFixed(c.buffer[:0], -float64(age), 0)
		x := plot.x1 - float32(age)/historyFrames*plot.width()
		if x += -c.asciiWidth(FaceTiny, c.buffer) / 2; x < plot.x0 {
			x = plot.x0
		}
		c.ascii(x, c.baseline(below.y0, below.y1, FaceTiny), FaceTiny, c.buffer, c.textFaint)
	}
	c.right(plot.x1-9*c.em, below, FaceTiny, "now", c.textFaint)
	if s.locked {
		c.right(plot.x1-4*c.em, rect{0, plot.y0, 0, plot.y0 + 14*c.em}, FaceSmall, "scale locked", c.accent)
	}
}

// The frame lengths of displays, in ms.
const (
	length60 = 1000.0 / 60
	length30 = 1000.0 / 30
)

// limits draws lines at the lengths of 60 and 30 frames a second, and at the budget if that is another; then their labels,
// which stand side by side where the lines are too close for one above the other.
func (s *strip) limits(c *canvas, d *shown, plot rect) {
	budget := d.info.Budget.Seconds() * 1000
	all := [...]limit{{length60, "16.7 ms · 60 fps", c.green}, {length30, "33.3 ms · 30 fps", c.red}, {budget, "", c.accent}}
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

// limit is a line at a length.
type limit struct {
	ms    float64
	label string // none: the budget's own
	color color.NRGBA
}

// near reports whether two lengths are one to the eye.
func near(a, b float64) bool { return a > b*0.98 && a < b*1.02 }

// labels puts the names of lines, from the lowest line up, where they do not lie over each other.
type labels struct {
	c      *canvas
	plot   rect
	x      float32 // where the next stands if it must stand beside the last
	bottom float32 // upper edge of the last
}

// draw draws the label of a line.
func (l *labels) draw(y float32, of *limit) {
	c := l.c
	if of.label != "" {
		if x, ok := l.place(y, c.Width(FaceSmall, of.label)); ok {
			c.Text(x, y-5*c.em, FaceSmall, of.label, of.color)
		}
		return
	}
	c.buffer = append(appendFixed(c.buffer[:0], of.ms, 1), " ms budget"...)
	if x, ok := l.place(y, c.asciiWidth(FaceSmall, c.buffer)); ok {
		c.ascii(x, y-5*c.em, FaceSmall, c.buffer, of.color)
	}
}

// place finds room for a label of so many pixels above a line, and draws its ground.
func (l *labels) place(y, width float32) (x float32, ok bool) {
	c := l.c
	x = l.plot.x0 + 12*c.em
	if y-2*c.em > l.bottom {
		x = l.x
	}
	if x+width+8*c.em > l.plot.x1 {
		return 0, false
	}
	c.Round(x-5*c.em, y-16*c.em, x+width+5*c.em, y-2*c.em, 3*c.em, fade(c.surface, 0.78))
	l.x, l.bottom = x+width+18*c.em, y-16*c.em
	return x, true
}

// limitAt is where a line lies, if the scale reaches that far and its label has room.
func (s *strip) limitAt(c *canvas, plot rect, ms float32) (y float32, ok bool) {
	y = snap(s.y(plot, ms))
	return y, ms < s.top && y-16*c.em >= plot.y0-8*c.em
}

// limitLine draws a dashed line.
func (s *strip) limitLine(c *canvas, plot rect, ms float32, col color.NRGBA) {
	if y, ok := s.limitAt(c, plot, ms); ok {
		c.dashes(plot.x0, plot.x1, y, 6*c.em, 4*c.em, fade(col, 0.9))
	}
}

// collections names the marks of garbage collections, if there are any.
func (s *strip) collections(c *canvas, plot rect) {
	if !s.collected || s.lines {
		return
	}
	at := rect{plot.x0 - 30*c.em, plot.y1 + 6*c.em, plot.x0 - 8*c.em, plot.y1 + 21*c.em}
	c.right(at.x1, at, FaceTiny, "GC", c.gcColor)
	c.explain(at, "GC", "a mark below a frame: garbage was collected in it.\nO shows the memory strip")
}

// marker shows which frame is looked at: a sign below the axis and, if frames do not go by, a light column.
func (s *strip) marker(c *canvas, d *shown, plot rect) {
	age := d.info.Age
	if age < 0 || age >= historyFrames || d.info.Gone {
		return
	}
	step := plot.width() / historyFrames
	x0, x1 := snap(plot.x1-float32(age+1)*step), snap(plot.x1-float32(age)*step)
	if !s.ranged && (age > 0 || d.info.Paused) {
		c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, fade(white, 0.14))
	}
	if h := d.hover; (h.Kind == HitGraph || h.Kind == HitAxis) && h.Age != age {
		hx := snap(plot.x1 - float32(h.Age+1)*step)
		c.Rect(hx, plot.y0, hx+max(step, 1), plot.y1, fade(white, 0.1))
	}
	if s.ranged {
		return // the range has edges of its own
	}
	side := float32(c.atlas().icons[iconUp].width)
	c.icon(iconUp, snap((x0+x1-side)/2), plot.y1, white)
}
