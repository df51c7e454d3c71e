package soft

import "example.com/iprof/draw"

// rectangle paints an upright rectangle.
func (p *painter) rectangle(q *[4]draw.Vertex) {
	if !sameColor(&q[0], &q[1]) || !sameColor(&q[2], &q[3]) {
		p.triangle(&q[0], &q[1], &q[2])
		p.triangle(&q[0], &q[2], &q[3])
		return
	}
	x0, y0 := fixed(q[0].X), fixed(q[0].Y)
	x1, y1 := fixed(q[2].X), fixed(q[2].Y)
	b := p.dst.Rect
	left, right := max(firstPixel(x0), 0), min(firstPixel(x1), b.Dx())
	top, bottom := max(firstPixel(y0), 0), min(firstPixel(y1), b.Dy())
	if left >= right {
		return
	}
	u := ramp{x0, x1, int64(q[0].U), int64(q[2].U)}
	v := ramp{y0, y1, int64(q[0].V), int64(q[2].V)}
	for y := top; y < bottom; y++ {
		c := shade(&q[0], &q[3], y0, y1, y)
		tv := v.at(y)
		if u.from == u.to {
			p.fill(left, right, y, c, p.sample(u.from, tv))
			continue
		}
		for x := left; x < right; x++ {
			p.blend(x, y, c, p.sample(u.at(x), tv))
		}
	}
}

// ramp is an atlas coordinate that goes linearly from one value to another between two positions.
type ramp struct{ start, end, from, to int64 }

// at returns the coordinate in the middle of a pixel.
func (s ramp) at(pixel int) int64 {
	if s.from == s.to {
		return s.from
	}
	return s.from + (s.to-s.from)*(int64(pixel)<<subBits+half-s.start)/(s.end-s.start)
}

func sameColor(a, b *draw.Vertex) bool {
	return a.R == b.R && a.G == b.G && a.B == b.B && a.A == b.A
}

// rgba is a colour with straight alpha, 0..255.
type rgba struct{ r, g, b, a int64 }

func colorOf(v *draw.Vertex) rgba { return rgba{int64(v.R), int64(v.G), int64(v.B), int64(v.A)} }

// shade returns the colour in the middle of a row, between the colours of the top and the bottom vertex.
func shade(top, bottom *draw.Vertex, y0, y1 int64, y int) rgba {
	a, b := colorOf(top), colorOf(bottom)
	if a == b {
		return a
	}
	at, length := int64(y)<<subBits+half-y0, y1-y0
	mix := func(p, q int64) int64 { return (p*(length-at) + q*at + length/2) / length }
	return rgba{mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a)}
}
