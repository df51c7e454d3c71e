package draw

import "math"

// timeStep is the distance of the marks on a time axis, ms: 1, 2 or 5 of a power of ten, no closer than so many pixels.
func timeStep(perMs, closest float64) (step float64, decimals int) {
	least := closest / perMs
	if !(least > 0) || math.IsInf(least, 0) {
		return 1, 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range [...]float64{1, 2, 5, 10} {
		if step = m * unit; step >= least*0.9999 {
			break
		}
	}
	decimals = int(max(math.Ceil(-math.Log10(step)-1e-9), 0))
	return step, min(decimals, len(powers)-1)
}

// drawAxis draws the marks of the time above the scopes, lines through these, and where frames meet.
func (t *timeline) drawAxis(c *canvas, axis, in rect) {
	v := &t.view
	perMs := float64(in.width()) / (v.at.wide * v.length)
	step, decimals := timeStep(perMs, float64(78*c.em))
	begin, end := v.ms(in.x0), v.ms(in.x1)
	for n := math.Ceil(begin / step); n*step <= end; n++ {
		x := snap(v.x(n * step))
		c.Rect(x, axis.y1, x+ringWidth(c.em), in.y1, c.gridLine)
		c.buffer = append(appendFixed(c.buffer[:0], n*step, decimals), " ms"...)
		width := c.asciiWidth(FaceTiny, c.buffer)
		if x += 4 * c.em; x+width <= in.x1 && !t.underHairline(c, rect{x, axis.y0, x + width, in.y1}) {
			c.ascii(x, c.baseline(axis.y0, axis.y1, FaceTiny), FaceTiny, c.buffer, c.textFaint)
		}
	}
	c.Rect(in.x0, axis.y1, in.x1, axis.y1+ringWidth(c.em), c.gridLine)
}

// underHairline reports whether a mark would be covered by the time at the mouse.
func (t *timeline) underHairline(c *canvas, r rect) bool {
	room := 48 * c.em
	return c.hovers(rect{r.x0 - room, r.y0, r.x1 + room, r.y1})
}

// drawBorders draws where frames begin and end, and darkens those beside the one looked at.
func (t *timeline) drawBorders(c *canvas, axis, in rect) {
	v := &t.view
	for i := range t.data.frames {
		f := &t.data.frames[i]
		x0, x1 := snap(max(v.x(f.Begin), in.x0)), snap(min(v.x(f.End), in.x1))
		if x1 <= x0 {
			continue
		}
		for _, at := range [...]float64{f.Begin, f.End} {
			if x := snap(v.x(at)); x >= in.x0 && x <= in.x1 {
				c.Rect(x, axis.y1-3*c.em, x+ringWidth(c.em), in.y1, mix(c.outline, c.accent, 0.6))
			}
		}
		if f.Age == t.data.key.age {
			continue
		}
		c.Rect(x0, axis.y1, x1, in.y1, fade(c.surface, 0.55))
		c.buffer = appendFixed(append(c.buffer[:0], "frame "...), float64(f.Index), 0)
		if width := c.asciiWidth(FaceTiny, c.buffer) + 8*c.em; x1-x0 > width {
			y := in.y1 - 18*c.em
			c.Round(x0+4*c.em, y, x0+4*c.em+width, y+15*c.em, 3*c.em, c.raised)
			c.ascii(x0+8*c.em, c.baseline(y, y+15*c.em, FaceTiny), FaceTiny, c.buffer, c.textDim)
		}
	}
	if c.hovers(rect{in.x0, axis.y0, in.x1, in.y1}) {
		t.hairline(c, axis, in)
	}
}

// hairline shows the time at the mouse.
func (t *timeline) hairline(c *canvas, axis, in rect) {
	v, x := &t.view, snap(c.hover.x)
	c.Rect(x, axis.y1, x+ringWidth(c.em), in.y1, fade(white, 0.28))
	_, decimals := timeStep(float64(in.width())/(v.at.wide*v.length), float64(4*c.em))
	c.buffer = append(appendFixed(c.buffer[:0], v.ms(c.hover.x), max(decimals, c.precision)), " ms"...)
	width := c.asciiWidth(FaceTiny, c.buffer) + 8*c.em
	x = min(max(x-width/2, in.x0), in.x1-width)
	c.Round(x, axis.y0, x+width, axis.y1-c.em, 3*c.em, c.raised)
	c.ascii(x+4*c.em, c.baseline(axis.y0, axis.y1-c.em, FaceTiny), FaceTiny, c.buffer, c.textBright)
}

// drawSight draws which part of the frame is in sight, as a line below the heading.
func (v *timeView) drawSight(c *canvas, r rect) {
	if v.at == all {
		return
	}
	low, high := 0.0, 1.0
	if v.at.from < 0 || v.at.from+v.at.wide > 1 {
		low, high = v.least, v.most
	}
	x := func(share float64) float32 { return r.x0 + float32((share-low)/(high-low))*r.width() }
	c.Rect(r.x0, r.y0, r.x1, r.y1, fade(c.raised, 0.6))
	c.Rect(x(0), r.y0, x(1), r.y1, c.raised)
	c.Rect(x(v.at.from), r.y0, max(x(v.at.from+v.at.wide), x(v.at.from)+2*c.em), r.y1, c.accent)
}
