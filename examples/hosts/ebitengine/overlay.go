package main

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	"example.com/iprof/draw"
	"example.com/iprof/examples/hosts"
)

// overlay plays the profiler's draw list on the engine's screen. Its zero value is ready.
type overlay struct {
	list       draw.List
	atlas      *ebiten.Image
	generation int // of what atlas holds
	vertices   []ebiten.Vertex
	indices    []uint16
}

// drawing measures the profiler's own drawing, which is shown like any other zone.
var drawing = iprof.Zone{Name: "iprof draw"}

// maxQuads is how many a call of DrawTriangles can take: its indices have 16 bits.
const maxQuads = 1 << 14

// draw lays the overlay out for the screen, and draws it.
func (o *overlay) draw(screen *ebiten.Image, scale float32) {
	defer drawing.Begin().End()
	size := screen.Bounds().Size()
	o.list.Reset()
	hosts.Panel().Draw(&o.list, float32(size.X), float32(size.Y), scale)
	if len(o.list.V) == 0 {
		return
	}
	o.upload(o.list.Atlas)
	how := &ebiten.DrawTrianglesOptions{DisableMipmaps: true}
	if o.list.Smooth {
		how.Filter = ebiten.FilterLinear
	}
	o.convert()
	for v := o.vertices; len(v) > 0; {
		n := min(len(v), 4*maxQuads)
		screen.DrawTriangles(v[:n], o.indices[:n/4*6], o.atlas, how)
		v = v[n:]
	}
}

// upload copies the atlas, when it changed. The engine wants premultiplied colours: the coverage, four times.
func (o *overlay) upload(a *draw.Atlas) {
	if o.atlas != nil && o.generation == a.Generation {
		return
	}
	if o.atlas == nil || o.atlas.Bounds() != a.Image.Rect {
		o.atlas = ebiten.NewImageWithOptions(a.Image.Rect, &ebiten.NewImageOptions{Unmanaged: true})
	}
	o.generation = a.Generation
	pixels := image.NewRGBA(a.Image.Rect)
	for i, coverage := range a.Image.Pix {
		for c := range 4 {
			pixels.Pix[4*i+c] = coverage
		}
	}
	o.atlas.WritePixels(pixels.Pix)
}

// convert turns the list's vertices into the engine's.
func (o *overlay) convert() {
	size := o.atlas.Bounds().Size()
	du, dv := float32(size.X)/65535, float32(size.Y)/65535
	o.vertices = o.vertices[:0]
	for _, v := range o.list.V {
		o.vertices = append(o.vertices, ebiten.Vertex{DstX: v.X, DstY: v.Y, SrcX: float32(v.U) * du, SrcY: float32(v.V) * dv,
			ColorR: float32(v.R) / 255, ColorG: float32(v.G) / 255, ColorB: float32(v.B) / 255, ColorA: float32(v.A) / 255})
	}
	for quad := len(o.indices) / 6; quad < min(o.list.Quads(), maxQuads); quad++ {
		first := uint16(4 * quad)
		o.indices = append(o.indices, first, first+1, first+2, first, first+2, first+3)
	}
}
