package viewer

import (
	"math"

	"example.com/iprof/draw"
)

// timeStep returns the distance between the marks of a time axis, ms, and the decimals that the marks need. The
// distance is 1, 2 or 5 times a power of ten, and at least closest pixels.
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
	return step, min(decimals, draw.MaxDecimals)
}

// drawAxis draws the marks of the time above the scopes, and lines through the scopes.
func (t *timeline) drawAxis(c *canvas, axis, in rect) {
	v := &t.view
	perMs := float64(in.width()) / v.at.wide
	step, decimals := timeStep(perMs, float64(78*c.em))
	begin, end := v.ms(in.x0), v.ms(in.x1)
	for n := math.Ceil(begin / step); n*step <= end; n++ {
		x := draw.Snap(v.x(n * step))
		c.Rect(x, axis.y1, x+draw.Hairline(c.em), in.y1, c.GridLine)
		c.buffer = append(draw.AppendFixed(c.buffer[:0], n*step, decimals), " ms"...)
		width := c.ASCIIWidth(draw.FaceTiny, c.buffer)
		if x += 4 * c.em; x+width <= in.x1 && !t.underHairline(c, rect{x, axis.y0, x + width, in.y1}) {
			c.ASCII(x, c.baseline(axis.y0, axis.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextFaint)
		}
	}
	c.Rect(in.x0, axis.y1, in.x1, axis.y1+draw.Hairline(c.em), c.GridLine)
}

// underHairline reports whether the time at the mouse would cover a mark.
func (t *timeline) underHairline(c *canvas, r rect) bool {
	room := 48 * c.em
	return c.hovers(rect{r.x0 - room, r.y0, r.x1 + room, r.y1})
}

// drawBorders draws lines where frames begin and end, and darkens the neighbours of the frame that is shown.
func (t *timeline) drawBorders(c *canvas, axis, in rect) {
	v := &t.view
	n := len(t.data.Frames)
	if n > 0 && float32(n)*leastBorder*c.em > v.x(t.data.Frames[n-1].End)-v.x(t.data.Frames[0].Begin) {
		t.drawSlow(c, axis, in)
		return
	}
	for i := range t.data.Frames {
		f := &t.data.Frames[i]
		x0, x1 := draw.Snap(max(v.x(f.Begin), in.x0)), draw.Snap(min(v.x(f.End), in.x1))
		if x1 <= x0 {
			continue
		}
		for _, at := range [...]float64{f.Begin, f.End} {
			if x := draw.Snap(v.x(at)); x >= in.x0 && x <= in.x1 {
				c.Rect(x, axis.y1-3*c.em, x+draw.Hairline(c.em), in.y1, draw.Mix(c.Outline, c.Accent, 0.6))
			}
		}
		if f.Index >= t.data.Index && f.Index <= t.data.Until {
			continue
		}
		c.Rect(x0, axis.y1, x1, in.y1, draw.Fade(c.Surface, 0.55))
		c.buffer = draw.AppendFixed(append(c.buffer[:0], "frame "...), float64(f.Index), 0)
		if width := c.ASCIIWidth(draw.FaceTiny, c.buffer) + 8*c.em; x1-x0 > width {
			y := in.y1 - 18*c.em
			c.Round(x0+4*c.em, y, x0+4*c.em+width, y+15*c.em, 3*c.em, c.Raised)
			c.ASCII(x0+8*c.em, c.baseline(y, y+15*c.em, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextDim)
		}
	}
}

// leastBorder is the mean width of frames below which their borders are not drawn, in nominal pixels.
const leastBorder = 5

// drawSlow marks the frames over budget on the axis, where frames are too thin for borders, and the frame shown.
func (t *timeline) drawSlow(c *canvas, axis, in rect) {
	v := &t.view
	for i := range t.data.Frames {
		f := &t.data.Frames[i]
		x0, x1 := max(v.x(f.Begin), in.x0), min(v.x(f.End), in.x1)
		if shown := f.Index >= t.data.Index && f.Index <= t.data.Until; x1 > x0 && (f.Over || shown) {
			col := c.Red
			if shown {
				col = c.Accent
			}
			c.Rect(draw.Snap(x0), axis.y1-3*c.em, max(draw.Snap(x1), draw.Snap(x0)+1), axis.y1, col)
		}
	}
}

// hairline draws a line and the time at the mouse.
func (t *timeline) hairline(c *canvas, axis, in rect) {
	v, x := &t.view, draw.Snap(c.hover.x)
	c.Rect(x, axis.y1, x+draw.Hairline(c.em), in.y1, draw.Fade(white, 0.28))
	_, decimals := timeStep(float64(in.width())/v.at.wide, float64(4*c.em))
	c.buffer = append(draw.AppendFixed(c.buffer[:0], v.ms(c.hover.x), max(decimals, c.precision)), " ms"...)
	width := c.ASCIIWidth(draw.FaceTiny, c.buffer) + 8*c.em
	x = min(max(x-width/2, in.x0), in.x1-width)
	c.Round(x, axis.y0, x+width, axis.y1-c.em, 3*c.em, c.Raised)
	c.ASCII(x+4*c.em, c.baseline(axis.y0, axis.y1-c.em, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
}

// drawSight draws the part of the frame that is in sight as a line below the heading.
func (v *timeView) drawSight(c *canvas, r rect) {
	if v.fitted {
		return
	}
	low, high := 0.0, v.length
	if v.at.from < 0 || v.at.from+v.at.wide > v.length {
		low, high = v.least, v.most
	}
	x := func(share float64) float32 { return r.x0 + float32((share-low)/(high-low))*r.width() }
	c.Rect(r.x0, r.y0, r.x1, r.y1, draw.Fade(c.Raised, 0.6))
	c.Rect(x(0), r.y0, x(v.length), r.y1, c.Raised)
	c.Rect(x(v.at.from), r.y0, max(x(v.at.from+v.at.wide), x(v.at.from)+2*c.em), r.y1, c.Accent)
}
