package draw

import (
	"image/color"
	"math"
)

// Rect fills a rectangle. Its edges are rounded to whole device pixels. An empty result draws nothing.
func (l *List) Rect(x0, y0, x1, y1 float32, c color.NRGBA) {
	x0, y0 = Snap(x0), Snap(y0)
	x1, y1 = Snap(x1), Snap(y1)
	if x0 >= x1 || y0 >= y1 || c.A == 0 {
		return
	}
	white := l.atlas().white
	l.quad(x0, y0, x1, y1, white, white, c)
}

// Fill is Rect for edges that already lie on whole pixels. It skips the rounding.
func (l *List) Fill(x0, y0, x1, y1 float32, c color.NRGBA) {
	white := l.atlas().white
	l.quad(x0, y0, x1, y1, white, white, c)
}

// Gradient fills a rectangle like Rect, with a vertical gradient from top to bottom.
func (l *List) Gradient(x0, y0, x1, y1 float32, top, bottom color.NRGBA) {
	n := len(l.V)
	l.Rect(x0, y0, x1, y1, top)
	if len(l.V) == n+4 {
		for i := n + 2; i < n+4; i++ {
			l.V[i].R = bottom.R
			l.V[i].G = bottom.G
			l.V[i].B = bottom.B
			l.V[i].A = bottom.A
		}
	}
}

// Round fills a rectangle with rounded corners. Edges are rounded as in Rect. The radius is rounded to whole pixels.
// It is limited to half of the shorter side and to the largest in the atlas (8 at scale 1).
func (l *List) Round(x0, y0, x1, y1, radius float32, c color.NRGBA) {
	x0, y0 = Snap(x0), Snap(y0)
	x1, y1 = Snap(x1), Snap(y1)
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

// roundParts draws a rounded rectangle from four corners and the rectangles between them.
func (l *List) roundParts(x0, y0, x1, y1, r float32, c color.NRGBA) {
	l.corners(l.atlas().discs[int(r)], x0, y0, x1, y1, r, c)
	l.Rect(x0+r, y0, x1-r, y0+r, c)
	l.Rect(x0, y0+r, x1, y1-r, c)
	l.Rect(x0+r, y1-r, x1-r, y1, c)
}

// Border draws the outline of a rounded rectangle on its inside, one pixel times the scale wide.
func (l *List) Border(x0, y0, x1, y1, radius float32, c color.NRGBA) {
	x0, y0 = Snap(x0), Snap(y0)
	x1, y1 = Snap(x1), Snap(y1)
	a := l.atlas()
	w := Hairline(a.scale)
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

// cornerRadius returns the radius in whole pixels for a rectangle of that size. It is a radius with a sprite in the
// atlas, or 0.
func cornerRadius(baked []sprite, width, height, radius float32) float32 {
	r := float32(math.Floor(float64(min(Snap(radius), width/2, height/2))))
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

// Triangle fills a triangle without smoothing its edges. Use Icon for small symbols.
func (l *List) Triangle(x0, y0, x1, y1, x2, y2 float32, c color.NRGBA) {
	w := l.atlas().white
	l.V = append(l.V,
		Vertex{x0, y0, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x1, y1, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x2, y2, w.u, w.v, c.R, c.G, c.B, c.A},
		Vertex{x2, y2, w.u, w.v, c.R, c.G, c.B, c.A})
}

// Line draws a smooth line. Its ends lie in the middle of its width. The width in pixels becomes the nearest one in
// the atlas: 1, 1.5, 2 or 3 times its scale. A line of no length draws nothing.
func (l *List) Line(x0, y0, x1, y1, width float32, c color.NRGBA) {
	l.Segment(x0, y0, x1, y1, width, 0, c)
}

// Segment is Line, extended by some pixels at both ends. Half a pixel closes the gaps between the segments of a
// polyline.
func (l *List) Segment(x0, y0, x1, y1, width, beyond float32, c color.NRGBA) {
	l.stroke(l.atlas().strokeOf(width), x0, y0, x1, y1, beyond, c)
}

// stroke is Segment for callers that draw many lines and look the stroke up once.
func (l *List) stroke(s *stroke, x0, y0, x1, y1, beyond float32, c color.NRGBA) {
	dx, dy := x1-x0, y1-y0
	length := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	if !(length > 1e-6) { // also when NaN
		return
	}
	if len(l.V)+4 > cap(l.V) {
		l.grow()
	}
	ux, uy := dx/length, dy/length
	bx, by := ux*beyond, uy*beyond
	x0, y0 = x0-bx, y0-by
	x1, y1 = x1+bx, y1+by
	nx, ny := -uy*s.reach, ux*s.reach
	n := len(l.V)
	l.V = l.V[:n+4]
	v, all := (*[4]Vertex)(l.V[n:]), packColor(c)
	upper, lower := s.from.pack(s.from), s.from.pack(texel{v: s.to})
	v[0].set(x0-nx, y0-ny, upper, all)
	v[1].set(x1-nx, y1-ny, upper, all)
	v[2].set(x1+nx, y1+ny, lower, all)
	v[3].set(x0+nx, y0+ny, lower, all)
}

// IconSize returns the side of an icon in pixels.
func (l *List) IconSize() float32 { return float32(l.atlas().icons[IconUp].width) }

// Icon draws a symbol with its top left corner at (x, y).
func (l *List) Icon(id Icon, x, y float32, c color.NRGBA) {
	s := l.atlas().icons[id]
	x, y = Snap(x), Snap(y)
	l.quad(x, y, x+float32(s.width), y+float32(s.height), s.from, s.to, c)
}

// Dashes draws a dashed horizontal line from x0 to x1, one Hairline high. dash and gap are lengths in pixels.
func (l *List) Dashes(x0, x1, y, dash, gap float32, c color.NRGBA) {
	w := Hairline(l.atlas().scale)
	for x := x0; x < x1; x += dash + gap {
		l.Rect(x, y, min(x+dash, x1), y+w, c)
	}
}
