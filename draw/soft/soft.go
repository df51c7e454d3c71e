// Package soft plays a draw.List into an image without a GPU. The same list gives the same bytes on every machine: all
// arithmetic is in integers.
package soft

import (
	"image"

	"example.com/iprof/draw"
)

// Render paints the list over what dst holds, blending straight alpha. The list's origin is the top left of dst's bounds;
// what lies outside is cut off. A pixel belongs to a quad when its middle does; on a shared edge to the one whose left or
// top edge it is, as GPUs have it.
func Render(dst *image.RGBA, l *draw.List) {
	if l.Atlas == nil {
		return
	}
	p := painter{dst: dst, atlas: l.Atlas.Image, smooth: l.Smooth}
	for i := 0; i+4 <= len(l.V); i += 4 {
		p.quad((*[4]draw.Vertex)(l.V[i:]))
	}
}

// painter plays one list.
type painter struct {
	dst    *image.RGBA
	atlas  *image.Alpha
	smooth bool
}

// Positions are in 1/256 of a pixel, as GPUs round them.
const (
	subBits  = 8
	sub      = 1 << subBits
	half     = sub / 2
	farthest = 1 << 14 // pixels: beyond, products would overflow
)

// fixed rounds a position. What is not a number, or absurdly far, is clamped.
func fixed(v float32) int64 {
	if v != v {
		return 0
	}
	v = min(max(v, -farthest), farthest)
	f := float64(v) * sub
	if f < 0 {
		return -int64(-f + 0.5)
	}
	return int64(f + 0.5)
}

// quad paints one quad: upright rectangles quickly, the rest as two triangles.
func (p *painter) quad(q *[4]draw.Vertex) {
	upright := q[0].X == q[3].X && q[1].X == q[2].X && q[0].Y == q[1].Y && q[2].Y == q[3].Y
	if upright && q[0].X <= q[1].X && q[0].Y <= q[3].Y {
		p.rectangle(q)
		return
	}
	p.triangle(&q[0], &q[1], &q[2])
	p.triangle(&q[0], &q[2], &q[3])
}

// firstPixel is the first pixel whose middle is at or right of a position; the same for rows.
func firstPixel(v int64) int { return int((v + half - 1) >> subBits) }
