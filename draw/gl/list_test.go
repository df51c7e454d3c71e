//go:build cgo

package gl

import (
	"image"
	"image/color"

	"example.com/iprof/draw"
)

// testAtlas has a fully covered left half and a disc on the right.
func testAtlas() *draw.Atlas {
	m := image.NewAlpha(image.Rect(0, 0, 34, 17))
	for y := range 17 {
		for x := range 17 {
			m.SetAlpha(x, y, color.Alpha{A: 255})
			d := (x-8)*(x-8) + (y-8)*(y-8)
			m.SetAlpha(x+17, y, color.Alpha{A: uint8(max(0, min(255, (64-d)*16)))})
		}
	}
	return &draw.Atlas{Image: m, Generation: 1}
}

// quad appends a quad that shows the texels from (u, v) on, one to a unit.
func quad(l *draw.List, x, y, width, height, u, v float32, c color.NRGBA) {
	size := l.Atlas.Image.Rect.Size()
	corner := func(dx, dy float32, stretch bool) draw.Vertex {
		tu, tv := u+dx, v+dy
		if stretch {
			tu, tv = u, v
		}
		return draw.Vertex{X: x + dx, Y: y + dy, U: uint16(tu * 65535 / float32(size.X)),
			V: uint16(tv * 65535 / float32(size.Y)), R: c.R, G: c.G, B: c.B, A: c.A}
	}
	solid := u < 17
	l.V = append(l.V, corner(0, 0, solid), corner(width, 0, solid), corner(width, height, solid),
		corner(0, height, solid))
}

// Solid rectangles, translucent ones over one another, and discs from the atlas.
func testList() *draw.List {
	l := &draw.List{Atlas: testAtlas()}
	quad(l, 4, 3, 40, 30, 8, 8, color.NRGBA{R: 200, G: 40, B: 20, A: 255})
	quad(l, 20, 10, 30, 35, 8, 8, color.NRGBA{R: 20, G: 200, B: 100, A: 160})
	quad(l, 2, 30, 60, 4, 8, 8, color.NRGBA{R: 90, G: 90, B: 255, A: 60})
	quad(l, 10, 28, 17, 17, 17, 0, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	quad(l, 40, 20, 17, 17, 17, 0, color.NRGBA{R: 255, G: 200, B: 0, A: 200})
	return l
}
