package gl

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl32"
)

// Blend says how drawing is blended with the picture below.
type Blend uint8

// The blendings: whatever the caller has set (no blending: only what is more than half covered is drawn; source factor ONE:
// premultiplied colours; else straight ones), or one of the profiler's own, which is undone afterwards.
const (
	BlendCaller Blend = iota
	BlendAlpha
	BlendPremultiplied
)

// Options are DrawGL's and DrawGraphGL's. The zero value, and a nil pointer, are the defaults.
type Options struct {
	// LineSpacing is the distance from one record to the next; 0 is the height of the font. Below 0, y grows up.
	LineSpacing float32
	// Precision is the decimals of milliseconds, clamped to 1..4; 0 is 2.
	Precision int
	// Blend is the blending; zero is the caller's.
	Blend Blend
	// TrustState skips saving and restoring the GL state, and takes it that the context is that of the call before: for
	// drivers that are slow to answer questions about it. See Renderer.Draw for what is then the caller's to see to; with a
	// Projection and a Blend of its own a call asks the driver least.
	TrustState bool
	// Scale is the content scale: device pixels to one of the caller's units; 0 is 1.
	Scale float32
	// Projection turns the caller's units into clip space. nil is the fixed-function matrices in compatibility contexts, else
	// the viewport's pixels divided by Scale, y down.
	Projection *mgl32.Mat4
	// Print and Width, both or neither, draw the text instead of the profiler: s with its left end and baseline at (x, y), and
	// the width of s, in the caller's units. Print is called with the host's GL state, after everything else is drawn.
	Print func(x, y float32, s string, c color.RGBA)
	Width func(s string) float32
}
