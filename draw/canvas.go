package draw

import "image/color"

// rect is a rectangle in pixels.
type rect struct{ x0, y0, x1, y1 float32 }

func (r rect) width() float32  { return r.x1 - r.x0 }
func (r rect) height() float32 { return r.y1 - r.y0 }

func (r rect) contains(x, y float32) bool { return x >= r.x0 && x < r.x1 && y >= r.y0 && y < r.y1 }

// inset makes it smaller on all sides.
func (r rect) inset(dx, dy float32) rect { return rect{r.x0 + dx, r.y0 + dy, r.x1 - dx, r.y1 - dy} }

// point is a place; there may be none.
type point struct {
	x, y float32
	here bool
}

// canvas is a list with the means that all panels share.
type canvas struct {
	*List
	*palette
	em        float32 // pixels to a nominal pixel
	precision int
	glass     bool // the host's picture shines through
	areas     []area
	hover     point
	buffer    []byte // for formatting one number
	tip       tip
}

// halfCap is half the height of capitals, per face, in nominal pixels: text is centred by them.
var halfCap = [NumFaces]float32{4.7, 4.7, 4.2, 4.6, 3.9, 8.4}

// baseline centres a line of text between two heights.
func (c *canvas) baseline(y0, y1 float32, face Face) float32 {
	return snap((y0+y1)/2 + halfCap[face]*c.em)
}

// left draws text from x, cut to a width, centred between the heights of r.
func (c *canvas) left(x, width float32, r rect, face Face, s string, col color.NRGBA) float32 {
	return c.TextCut(x, c.baseline(r.y0, r.y1, face), width, face, s, col)
}

// signed draws a zone's name, and before it the sign of what is estimated of the zone.
func (c *canvas) signed(x, width float32, r rect, face Face, sign, name string, col color.NRGBA) float32 {
	taken := c.left(x, width, r, face, sign, col)
	return taken + c.left(x+taken, width-taken, r, face, name, col)
}

// right draws text that ends at x.
func (c *canvas) right(x float32, r rect, face Face, s string, col color.NRGBA) float32 {
	return c.TextRight(x, c.baseline(r.y0, r.y1, face), face, s, col)
}

// number draws v so that it ends at x.
func (c *canvas) number(x float32, r rect, face Face, v float64, decimals int, col color.NRGBA) float32 {
	c.buffer = appendFixed(c.buffer[:0], v, decimals)
	return c.asciiRight(x, c.baseline(r.y0, r.y1, face), face, c.buffer, col)
}

// card draws the ground of a panel, and returns its inside.
func (c *canvas) card(r rect) rect {
	r = rect{snap(r.x0), snap(r.y0), snap(r.x1), snap(r.y1)}
	ground, edge := c.surface, c.outline
	if c.glass {
		ground.A, edge.A = 222, 200
	}
	c.Round(r.x0, r.y0, r.x1, r.y1, 7*c.em, ground)
	c.Border(r.x0, r.y0, r.x1, r.y1, 7*c.em, edge)
	c.add(r, hitOf(HitPanel, 0))
	return r.inset(12*c.em, 6*c.em)
}

// chip draws a word on a raised ground with its left edge at x, and returns its width.
func (c *canvas) chip(x float32, r rect, s string, ground, col color.NRGBA) float32 {
	width := c.Width(FaceSmall, s) + 12*c.em
	y := (r.y0 + r.y1) / 2
	c.Round(x, y-9*c.em, x+width, y+9*c.em, 4*c.em, ground)
	c.left(x+6*c.em, width, r, FaceSmall, s, col)
	return width
}

// hovers reports whether the mouse is over r.
func (c *canvas) hovers(r rect) bool { return c.hover.here && r.contains(c.hover.x, c.hover.y) }
