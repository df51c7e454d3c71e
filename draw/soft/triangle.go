package soft

import "example.com/iprof/draw"

// corner is a vertex with its position in 1/256 of a pixel.
type corner struct {
	x, y  int64
	u, v  int64
	color rgba
}

func cornerOf(v *draw.Vertex) corner {
	return corner{fixed(v.X), fixed(v.Y), int64(v.U), int64(v.V), colorOf(v)}
}

// edge returns twice the signed area of the triangle of an edge and a point. It is positive inside a clockwise
// triangle.
func edge(a, b *corner, x, y int64) int64 { return (b.x-a.x)*(y-a.y) - (b.y-a.y)*(x-a.x) }

// bias excludes points exactly on an edge that is neither a top nor a left edge.
func bias(a, b *corner) int64 {
	if b.y < a.y || b.y == a.y && b.x > a.x {
		return 0
	}
	return -1
}

// triangle paints a triangle with corners in any order.
func (p *painter) triangle(v0, v1, v2 *draw.Vertex) {
	a, b, c := cornerOf(v0), cornerOf(v1), cornerOf(v2)
	area := edge(&a, &b, c.x, c.y)
	if area < 0 {
		b, c, area = c, b, -area
	}
	if area == 0 {
		return
	}
	flat := a.color == b.color && b.color == c.color
	size := p.dst.Rect.Size()
	left, right := max(firstPixel(min(a.x, b.x, c.x)), 0), min(firstPixel(max(a.x, b.x, c.x)+1), size.X)
	top, bottom := max(firstPixel(min(a.y, b.y, c.y)), 0), min(firstPixel(max(a.y, b.y, c.y)+1), size.Y)
	for py := top; py < bottom; py++ {
		for px := left; px < right; px++ {
			x, y := int64(px)<<subBits+half, int64(py)<<subBits+half
			wa, wb, wc := edge(&b, &c, x, y), edge(&c, &a, x, y), edge(&a, &b, x, y)
			if wa+bias(&b, &c) < 0 || wb+bias(&c, &a) < 0 || wc+bias(&a, &b) < 0 {
				continue
			}
			mix := func(i, j, k int64) int64 { return (i*wa + j*wb + k*wc + area/2) / area }
			color := a.color
			if !flat {
				color = rgba{mix(a.color.r, b.color.r, c.color.r), mix(a.color.g, b.color.g, c.color.g),
					mix(a.color.b, b.color.b, c.color.b), mix(a.color.a, b.color.a, c.color.a)}
			}
			p.blend(px, py, color, p.sample(mix(a.u, b.u, c.u), mix(a.v, b.v, c.v)))
		}
	}
}
