// Package soft plays a draw.List into an image without a GPU.
//
//	var l draw.List
//	draw.AppendReport(&l, report, 10, 10, 600, 400, draw.ReportOptions{})
//	soft.Render(img, &l)
//
// The same list gives the same bytes on every machine, because all arithmetic is in integers.
package soft

import (
	"image"

	"example.com/iprof/draw"
)

// Render paints the list over dst with straight alpha blending. The list's origin is the top left of dst's bounds.
// Quads are clipped to dst. A pixel belongs to a quad that contains its middle. A middle on a shared edge belongs to
// the quad whose left or top edge it is, as on GPUs. dst must not be used by another goroutine meanwhile.
func Render(dst *image.RGBA, l *draw.List) {
	if l.Atlas == nil {
		return
	}
	p := painter{dst: dst, atlas: l.Atlas.Image, smooth: l.Smooth}
	for i := 0; i+4 <= len(l.V); i += 4 {
		p.quad((*[4]draw.Vertex)(l.V[i:]))
	}
}

// painter plays one list into one image.
type painter struct {
	dst    *image.RGBA
	atlas  *image.Alpha
	smooth bool
}

// Positions are in 1/256 of a pixel, the rounding of GPUs.
const (
	subBits  = 8
	sub      = 1 << subBits
	half     = sub / 2
	farthest = 1 << 14 // pixels; above it, products would overflow
)

// fixed converts a position. NaN gives 0, and distant positions are clamped.
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

// quad paints one quad. Upright rectangles have a fast path; all other quads are painted as two triangles.
func (p *painter) quad(q *[4]draw.Vertex) {
	upright := q[0].X == q[3].X && q[1].X == q[2].X && q[0].Y == q[1].Y && q[2].Y == q[3].Y
	if upright && q[0].X <= q[1].X && q[0].Y <= q[3].Y {
		p.rectangle(q)
		return
	}
	p.triangle(&q[0], &q[1], &q[2])
	p.triangle(&q[0], &q[2], &q[3])
}

// firstPixel returns the first pixel whose middle is at or right of a position. It serves rows, too.
func firstPixel(v int64) int { return int((v + half - 1) >> subBits) }
