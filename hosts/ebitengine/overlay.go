package ebitengine

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Target is an image that the overlay can be drawn on: an *ebiten.Image or an ebiten.FinalScreen.
type Target interface {
	Bounds() image.Rectangle
	DrawTriangles(v []ebiten.Vertex, indices []uint16, from *ebiten.Image, how *ebiten.DrawTrianglesOptions)
}

// Overlay plays the profiler's draw list on an image. The zero value works. Use one Overlay per program, on the
// goroutine of the game. Games that cannot use Wrap call Draw themselves.
type Overlay struct {
	list       draw.List
	atlas      *ebiten.Image
	generation int // of the atlas on the GPU
	vertices   []ebiten.Vertex
	indices    []uint16
}

// drawing is the zone of the profiler's own drawing. Reports show it like any other zone.
var drawing = iprof.Zone{Name: "iprof draw"}

// maxQuads is the greatest number of quads in a call of DrawTriangles, whose indices have 16 bits.
const maxQuads = 1 << 14

// Draw lays out the default session's panel for the whole image and draws it. scale is the number of device pixels in a
// nominal pixel: ebiten.Monitor().DeviceScaleFactor(). A panel that is off costs nothing. In programs built with the
// tag iprof_off it does nothing.
func (o *Overlay) Draw(screen Target, scale float64) {
	if !iprof.Enabled {
		return
	}
	p := viewer.PanelFor(process.Default())
	if p.Options().Mode == viewer.PanelOff {
		return
	}
	defer drawing.Begin().End()
	size := screen.Bounds().Size()
	o.list.Reset()
	p.Draw(&o.list, float32(size.X), float32(size.Y), float32(scale))
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

// upload copies the atlas if it changed. The engine needs premultiplied colours, so all four channels get the
// coverage.
func (o *Overlay) upload(a *draw.Atlas) {
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

// convert converts the list's vertices to the engine's.
func (o *Overlay) convert() {
	size := o.atlas.Bounds().Size()
	du, dv := float32(size.X)/65535, float32(size.Y)/65535
	o.vertices = o.vertices[:0]
	for _, v := range o.list.V {
		o.vertices = append(o.vertices, ebiten.Vertex{
			DstX: v.X, DstY: v.Y, SrcX: float32(v.U) * du, SrcY: float32(v.V) * dv,
			ColorR: float32(v.R) / 255, ColorG: float32(v.G) / 255, ColorB: float32(v.B) / 255,
			ColorA: float32(v.A) / 255})
	}
	for quad := len(o.indices) / 6; quad < min(o.list.Quads(), maxQuads); quad++ {
		first := uint16(4 * quad)
		o.indices = append(o.indices, first, first+1, first+2, first, first+2, first+3)
	}
}
