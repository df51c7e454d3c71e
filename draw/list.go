package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// Vertex is one corner of a quad: 16 bytes, ready for the GPU. Positions are in device pixels from the top left; only what
// AppendReport and AppendGraph draw is in the units that their caller asked for.
type Vertex struct {
	X, Y       float32
	U, V       uint16 // position in the atlas, 0..65535 for 0..1
	R, G, B, A uint8  // straight (not premultiplied) alpha
}

// Atlas is the one texture of a List: coverage only. NewAtlas makes one.
type Atlas struct {
	Image      *image.Alpha
	Generation int // changes whenever Image did, and differs from atlas to atlas: upload again

	scale   float32
	white   texel
	faces   [NumFaces]faceGlyphs
	discs   []sprite // by radius in pixels
	rings   []sprite
	rounds  rounds
	icons   [numIcons]sprite
	strokes [numStrokes]stroke
}

// List is a picture as quads, four vertices each in the order top left, top right, bottom right, bottom left, painted in
// order. The indices 0,1,2, 0,2,3 are implied. The zero value is an empty list. A List is for one goroutine at a time.
type List struct {
	V     []Vertex
	Atlas *Atlas

	// Smooth says that texels do not lie one on one on the pixels (units other than pixels were asked for): sample the
	// atlas linearly. Otherwise the nearest texel is right, and quicker.
	Smooth bool
}

// Reset empties the list and keeps its memory.
func (l *List) Reset() { l.V, l.Atlas, l.Smooth = l.V[:0], nil, false }

// Quads returns the number of quads.
func (l *List) Quads() int { return len(l.V) / 4 }

// atlas makes sure that there is one.
func (l *List) atlas() *Atlas {
	if l.Atlas == nil {
		l.Atlas = NewAtlas(1)
	}
	return l.Atlas
}

// begin chooses the atlas for a scale. A list that holds quads already keeps the one they were made for.
func (l *List) begin(scale float32) {
	if l.Atlas == nil || len(l.V) == 0 {
		l.Atlas = NewAtlas(scale)
	}
}

// texel is a position in the atlas.
type texel struct{ u, v uint16 }

// sprite is a picture in the atlas: two corners of it, and its size in texels.
type sprite struct {
	from, to      texel
	width, height int16
}

// quad appends an axis-aligned quad that shows the part of the atlas between two corners.
func (l *List) quad(x0, y0, x1, y1 float32, from, to texel, c color.NRGBA) {
	n := len(l.V)
	if n+4 > cap(l.V) {
		l.grow()
		l.quad(x0, y0, x1, y1, from, to, c)
		return
	}
	l.V = l.V[:n+4]
	v := (*[4]Vertex)(l.V[n:])
	v[0].set(x0, y0, from.u, from.v, c)
	v[1].set(x1, y0, to.u, from.v, c)
	v[2].set(x1, y1, to.u, to.v, c)
	v[3].set(x0, y1, from.u, to.v, c)
}

// set stores a vertex where it belongs: one made elsewhere and copied is read back before its parts have reached memory,
// which takes twice as long.
func (v *Vertex) set(x, y float32, tu, tv uint16, c color.NRGBA) {
	v.X, v.Y, v.U, v.V = x, y, tu, tv
	v.R, v.G, v.B, v.A = c.R, c.G, c.B, c.A
}

// grow makes room for another quad.
func (l *List) grow() { l.V = slices.Grow(l.V, 4) }

// snap rounds to a whole device pixel. Edges between pixels are drawn differently by every rasteriser.
func snap(v float32) float32 { return float32(math.Floor(float64(v) + 0.5)) }
