package fonts

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Rasterizer draws characters of one typeface at one size. One goroutine at a time may use it.
type Rasterizer struct {
	typeface Typeface
	face     font.Face
	raise    [256]uint8
}

// coverageExponent raises coverage a little. Light text on dark looks thinner than its outline, because colours are
// blended in sRGB, where half coverage gives less than half the light.
const coverageExponent = 0.86

// NewRasterizer returns a Rasterizer for a size in device pixels per em. Sizes are clamped to 4..400.
func NewRasterizer(t Typeface, pixels float64) *Rasterizer {
	pixels = min(max(pixels, 4), 400)
	options := &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingNone}
	face, err := opentype.NewFace(t.font(), options)
	if err != nil { // only for impossible options
		panic("fonts: " + err.Error())
	}
	r := &Rasterizer{typeface: t, face: face}
	for i := range r.raise {
		r.raise[i] = uint8(math.Round(255 * math.Pow(float64(i)/255, coverageExponent)))
	}
	return r
}

// Has reports whether the typeface has the character.
func (r *Rasterizer) Has(c rune) bool {
	i, err := r.typeface.font().GlyphIndex(nil, c)
	return err == nil && i != 0
}

// Glyph draws a character with its origin phase pixels right of a pixel's edge, 0 <= phase < 1. The baseline lies on
// a pixel's edge. The mask's bounds are relative to that pixel and to the baseline, y down. A space has an empty
// mask. Advance is the distance to the next character in pixels.
func (r *Rasterizer) Glyph(c rune, phase float64) (mask *image.Alpha, advance float64) {
	dot := fixed.Point26_6{X: fixed.Int26_6(math.Round(phase * 64))}
	bounds, source, at, step, ok := r.face.Glyph(dot, c)
	if !ok {
		return &image.Alpha{}, 0
	}
	mask = image.NewAlpha(bounds)
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			_, _, _, a := source.At(at.X+x, at.Y+y).RGBA()
			mask.Pix[y*mask.Stride+x] = r.raise[a>>8]
		}
	}
	return mask, float64(step) / 64
}

// Metrics returns the extent of characters above and below the baseline, in pixels.
func (r *Rasterizer) Metrics() (ascent, descent float64) {
	m := r.face.Metrics()
	return float64(m.Ascent) / 64, float64(m.Descent) / 64
}
