package draw

import (
	"image/color"
	"math"
)

// Rect fills a rectangle, its edges rounded to whole device pixels. One that is empty after that draws nothing.
func (l *List) Rect(x0, y0, x1, y1 float32, c color.NRGBA) {
	x0, y0, x1, y1 = snap(x0), snap(y0), snap(x1), snap(y1)
	if x0 >= x1 || y0 >= y1 || c.A == 0 {
		return
	}
	white := l.atlas().white
	l.quad(x0, y0, x1, y1, white, white, c)
}

// Gradient fills a rectangle like Rect, shading from the top colour to the bottom one.
func (l *List) Gradient(x0, y0, x1, y1 float32, top, bottom color.NRGBA) {
	n := len(l.V)
	l.Rect(x0, y0, x1, y1, top)
	if len(l.V) == n+4 {
		for i := n + 2; i < n+4; i++ {
			l.V[i].R, l.V[i].G, l.V[i].B, l.V[i].A = bottom.R, bottom.G, bottom.B, bottom.A
		}
	}
}

// Round fills a rectangle with rounded corners, edges as in Rect. The radius is rounded to whole pixels and limited to half
// of the shorter side and to what the atlas holds (8 at scale 1).
func (l *List) Round(x0, y0, x1, y1, radius float32, c color.NRGBA) {
	x0, y0, x1, y1 = snap(x0), snap(y0), snap(x1), snap(y1)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	a := l.atlas()
	r := cornerRadius(a.discs, x1-x0, y1-y0, radius)
	if r < 1 {
		l.Rect(x0, y0, x1, y1, c)
		return
	}
	if !l.roundWhole(x0, y0, x1, y1, r, c) {
		l.roundParts(x0, y0, x1, y1, r, c)
	}
}

// roundParts draws a rounded rectangle from corners and what lies between them.
func (l *List) roundParts(x0, y0, x1, y1, r float32, c color.NRGBA) {
	l.corners(l.atlas().discs[int(r)], x0, y0, x1, y1, r, c)
	l.Rect(x0+r, y0, x1-r, y0+r, c)
	l.Rect(x0, y0+r, x1, y1-r, c)
	l.Rect(x0+r, y1-r, x1-r, y1, c)
}

// Border draws the edge of a rounded rectangle, one pixel (times the scale) wide, on its inside.
func (l *List) Border(x0, y0, x1, y1, radius float32, c color.NRGBA) {
	x0, y0, x1, y1 = snap(x0), snap(y0), snap(x1), snap(y1)
	a := l.atlas()
	w := ringWidth(a.scale)
	r := cornerRadius(a.rings, x1-x0, y1-y0, radius)
	if r < 1 {
		r = 0
	} else {
		l.corners(a.rings[int(r)], x0, y0, x1, y1, r, c)
	}
	inset := max(r, w)
	l.Rect(x0+r, y0, x1-r, y0+w, c)
	l.Rect(x0+r, y1-w, x1-r, y1, c)
	l.Rect(x0, y0+inset, x0+w, y1-inset, c)
	l.Rect(x1-w, y0+inset, x1, y1-inset, c)
}

// cornerRadius is the radius in whole pixels for a rectangle of that size: one that the atlas has a sprite for, else 0.
func cornerRadius(baked []sprite, width, height, radius float32) float32 {
	r := float32(math.Floor(float64(min(snap(radius), width/2, height/2))))
	return min(r, float32(len(baked)-1))
}

// corners draws the four quarters of a round sprite into the corners of a rectangle.
func (l *List) corners(s sprite, x0, y0, x1, y1, r float32, c color.NRGBA) {
	m := middle(s)
	l.quad(x0, y0, x0+r, y0+r, s.from, m, c)
	l.quad(x1-r, y0, x1, y0+r, texel{m.u, s.from.v}, texel{s.to.u, m.v}, c)
	l.quad(x1-r, y1-r, x1, y1, m, s.to, c)
	l.quad(x0, y1-r, x0+r, y1, texel{s.from.u, m.v}, texel{m.u, s.to.v}, c)
}

// Triangle fills a triangle. Its edges are not smoothed; small symbols are icons instead.
func (l *List) Triangle(x0, y0, x1, y1, x2, y2 float32, c color.NRGBA) {
	w := l.atlas().white
	l.V = append(l.V,
		Vertex{x0, y0, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x1, y1, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x2, y2, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x2, y2, w.u, w.v, c.R, c.G, c.B, c.A})
}

// Line draws a smooth line between the middles of its ends. The width in pixels is the nearest of those in the atlas: 1,
// 1.5, 2 and 3 times its scale. A line without length draws nothing.
func (l *List) Line(x0, y0, x1, y1, width float32, c color.NRGBA) {
	l.segment(x0, y0, x1, y1, width, 0, c)
}

// segment is a line that goes on by so many pixels at both ends, which closes the gaps where lines meet.
func (l *List) segment(x0, y0, x1, y1, width, beyond float32, c color.NRGBA) {
	l.stroke(l.atlas().strokeOf(width), x0, y0, x1, y1, beyond, c)
}

// stroke is segment for those who draw many, and look the stroke up once.
func (l *List) stroke(s *stroke, x0, y0, x1, y1, beyond float32, c color.NRGBA) {
	dx, dy := x1-x0, y1-y0
	length := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	if !(length > 1e-6) { // also when it is not a number
		return
	}
	if len(l.V)+4 > cap(l.V) {
		l.grow()
	}
	ux, uy := dx/length, dy/length
	bx, by := ux*beyond, uy*beyond
	x0, y0, x1, y1 = x0-bx, y0-by, x1+bx, y1+by
	nx, ny := -uy*s.reach, ux*s.reach
	n := len(l.V)
	l.V = l.V[:n+4]
	v := (*[4]Vertex)(l.V[n:])
	v[0].set(x0-nx, y0-ny, s.from.u, s.from.v, c)
	v[1].set(x1-nx, y1-ny, s.from.u, s.from.v, c)
	v[2].set(x1+nx, y1+ny, s.from.u, s.to, c)
	v[3].set(x0+nx, y0+ny, s.from.u, s.to, c)
}

// icon draws one of the atlas's symbols with its top left corner at (x, y).
func (l *List) icon(id iconID, x, y float32, c color.NRGBA) {
	s := l.atlas().icons[id]
	x, y = snap(x), snap(y)
	l.quad(x, y, x+float32(s.width), y+float32(s.height), s.from, s.to, c)
}

// dashes draws a dashed horizontal line one pixel (times the scale) high.
func (l *List) dashes(x0, x1, y, dash, gap float32, c color.NRGBA) {
	w := ringWidth(l.atlas().scale)
	for x := x0; x < x1; x += dash + gap {
		l.Rect(x, y, min(x+dash, x1), y+w, c)
	}
}
