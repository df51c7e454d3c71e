package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// Vertex is one corner of a quad: 16 bytes, ready for the GPU. Positions are device pixels from the top left, y down.
// AppendReport and AppendGraph use their caller's units instead.
type Vertex struct {
	X, Y       float32
	U, V       uint16 // position in the atlas, 0..65535 for 0..1
	R, G, B, A uint8  // straight (not premultiplied) alpha
}

// Atlas is the one texture of a List. It holds coverage only, no colours. NewAtlas makes one.
type Atlas struct {
	Image      *image.Alpha
	Generation int // unique to each Image of any atlas: upload again when it changes

	scale   float32
	white   texel
	faces   *[NumFaces]faceGlyphs
	spare   *spare
	discs   []sprite // by radius in pixels
	rings   []sprite
	rounds  rounds
	icons   [numIcons]sprite
	strokes [numStrokes]stroke
}

// List is a picture made of quads, painted in order. A quad is four vertices: top left, top right, bottom right,
// bottom left. The indices 0,1,2, 0,2,3 are implied. The zero value is an empty list. One goroutine at a time may use
// a List.
type List struct {
	V     []Vertex
	Atlas *Atlas

	// Smooth asks for linear sampling of the atlas. It is set when texels do not fall on whole pixels because the
	// caller's units are not pixels. Otherwise nearest sampling is exact and faster.
	Smooth bool

	kept *keptSheet // of AppendReport, nil before the first
}

// Reset empties the list and keeps its memory.
func (l *List) Reset() { l.V, l.Atlas, l.Smooth = l.V[:0], nil, false }

// Quads returns the number of quads.
func (l *List) Quads() int { return len(l.V) / 4 }

// atlas returns the list's atlas. Without one it chooses the atlas for scale 1.
func (l *List) atlas() *Atlas {
	if l.Atlas == nil {
		l.Atlas = NewAtlas(1)
	}
	return l.Atlas
}

// Begin chooses the atlas for a content scale, as NewAtlas does. A list that already holds quads keeps
// its atlas and its quads: call Reset before each frame.
func (l *List) Begin(scale float32) {
	if l.Atlas == nil || len(l.V) == 0 {
		l.Atlas = NewAtlas(scale)
	}
}

// texel is a position in the atlas.
type texel struct{ u, v uint16 }

// sprite is a picture in the atlas: two opposite corners, and the size in texels.
type sprite struct {
	from, to      texel
	width, height int16
}

// quad appends an axis-aligned quad that shows the part of the atlas between two corners.
func (l *List) quad(x0, y0, x1, y1 float32, from, to texel, c color.NRGBA) {
	l.inked(x0, y0, x1, y1, from, to, packColor(c))
}

// inked is quad for callers that draw much in one colour: see packColor.
func (l *List) inked(x0, y0, x1, y1 float32, from, to texel, ink uint32) {
	n := len(l.V)
	if n+4 > cap(l.V) {
		l.grow()
	}
	l.V = l.V[:n+4]
	v := (*[4]Vertex)(l.V[n:])
	v[0].set(x0, y0, from.pack(from), ink)
	v[1].set(x1, y0, to.pack(from), ink)
	v[2].set(x1, y1, to.pack(to), ink)
	v[3].set(x0, y1, from.pack(to), ink)
}

// packColor returns the parts of a colour in one word, in the order of Vertex.
func packColor(c color.NRGBA) uint32 {
	return uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
}

// pack returns the u of a texel and the v of another in one word, in the order of Vertex.
func (t texel) pack(v texel) uint32 { return uint32(t.u) | uint32(v.v)<<16 }

// set stores a vertex in place. Copying a finished vertex into the list takes twice as long: the copy must wait until
// the separate stores of its fields have reached memory. The compiler makes one store of the parts of a word.
func (v *Vertex) set(x, y float32, t, c uint32) {
	v.X, v.Y = x, y
	v.U, v.V = uint16(t), uint16(t>>16)
	v.R = uint8(c)
	v.G = uint8(c >> 8)
	v.B = uint8(c >> 16)
	v.A = uint8(c >> 24)
}

// grow makes room for another quad. It is apart, so that quad has no more to do than it must.
//
//go:noinline
func (l *List) grow() { l.V = slices.Grow(l.V, 4) }

// Snap rounds to a whole device pixel, half up. Rasterisers differ in how they draw edges between pixels.
func Snap(v float32) float32 { return float32(math.Floor(float64(v) + 0.5)) }
