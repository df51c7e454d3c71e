package draw

import (
	"image"
	"image/color"
	"math"
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
	l.V = append(l.V,
		Vertex{x0, y0, from.u, from.v, c.R, c.G, c.B, c.A},
		Vertex{x1, y0, to.u, from.v, c.R, c.G, c.B, c.A},
		Vertex{x1, y1, to.u, to.v, c.R, c.G, c.B, c.A},
		Vertex{x0, y1, from.u, to.v, c.R, c.G, c.B, c.A})
}

// snap rounds to a whole device pixel. Edges between pixels are drawn differently by every rasteriser.
func snap(v float32) float32 { return float32(math.Floor(float64(v) + 0.5)) }
