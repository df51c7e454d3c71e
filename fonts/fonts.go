// Package fonts contains the typefaces of the display, the Go fonts by Bigelow & Holmes without their hints, and draws
// their characters.
//
//	r := fonts.NewRasterizer(fonts.TypefaceRegular, 13)
//	mask, advance := r.Glyph('g', 0)
//
// A mask has one coverage byte for each device pixel.
//
// With the tag iprof_off, only programs that import package draw/soft link the typefaces. In other programs characters
// have a width but are invisible.
package fonts

import (
	_ "embed" // for the licence
	"image"

	"example.com/iprof/internal/outlines"
)

// License is the licence of the typefaces. A program that distributes them must reproduce it.
//
//go:embed LICENSE
var License string

// Typeface identifies one of the typefaces. Within each, all digits have the same width, so that columns of numbers
// line up.
type Typeface uint8

// The typefaces.
const (
	TypefaceRegular Typeface = iota
	TypefaceMedium           // in a browser the same as regular, to load less
	TypefaceBold
	TypefaceMono
	NumTypefaces = iota
)

// Rasterizer draws characters of one typeface at one size. One goroutine at a time may use it.
type Rasterizer struct{ face outlines.Face }

// NewRasterizer returns a Rasterizer for a size in device pixels per em. Sizes are clamped to 4..400.
func NewRasterizer(t Typeface, pixels float64) *Rasterizer {
	return &Rasterizer{open(int(t), min(max(pixels, 4), 400))}
}

// Has reports whether the typeface has the character.
func (r *Rasterizer) Has(c rune) bool { return r.face.Has(c) }

// Glyph draws a character with its origin phase pixels right of a pixel's edge, 0 <= phase < 1. The baseline lies on a
// pixel's edge. The mask's bounds are relative to that pixel and to the baseline, y down. A space has an empty mask.
// advance is the distance to the next character in pixels.
func (r *Rasterizer) Glyph(c rune, phase float64) (mask *image.Alpha, advance float64) {
	return r.face.Glyph(c, phase)
}

// Metrics returns the extent of characters above and below the baseline, in pixels.
func (r *Rasterizer) Metrics() (ascent, descent float64) { return r.face.Metrics() }
