package gl

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl32"
)

// Blend selects how drawing is blended with the picture below.
type Blend uint8

// The blendings. BlendCaller uses the caller's blending. If the caller's blending is off, pixels that are more than
// half covered are drawn. With the source factor ONE, colours are premultiplied; otherwise they are straight.
// BlendAlpha (straight colours) and BlendPremultiplied set a blending, and restore the caller's afterwards.
const (
	BlendCaller Blend = iota
	BlendAlpha
	BlendPremultiplied
)

// Options are the options of DrawGL and DrawGraphGL. The zero value and a nil pointer are the defaults.
type Options struct {
	// LineSpacing is the distance between records; 0 is the height of the font. Below 0, y grows up.
	LineSpacing float32
	// Precision is the number of decimals of milliseconds, clamped to 1..4; 0 is 2.
	Precision int
	// Blend is the blending; zero is the caller's.
	Blend Blend
	// TrustState skips saving and restoring the GL state, and assumes the context of the previous call. It is for
	// drivers that are slow to answer queries. Renderer.Draw lists what the caller must then ensure. A Projection and a
	// Blend other than BlendCaller avoid most of the remaining queries.
	TrustState bool
	// Scale is the content scale: device pixels per unit of the caller; 0 is 1.
	Scale float32
	// Projection converts the caller's units to clip space. nil uses the fixed-function matrices in compatibility
	// contexts, unless both are the identity. Otherwise it uses the viewport's pixels divided by Scale, y down.
	Projection *mgl32.Mat4
	// Print and Width draw the text with the host's font. Set both or neither. Print draws s with its left end and
	// baseline at (x, y); Width returns the width of s; both in the caller's units. DrawGL calls Print with the host's
	// GL state, after everything else is drawn.
	Print func(x, y float32, s string, c color.RGBA)
	Width func(s string) float32
}
