package gofonts

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"example.com/iprof/internal/outlines"
)

// face is an outlines.Face.
type face struct {
	typeface int
	outline  font.Face
	raise    [256]uint8
}

// coverageExponent raises coverage a little. Light text on dark looks thinner than its outline, because colours are
// blended in sRGB, where half coverage gives less than half the light.
const coverageExponent = 0.86

// New is outlines.Open with the typefaces.
func New(typeface int, pixels float64) outlines.Face {
	options := &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingNone}
	outline, err := opentype.NewFace(fontOf(typeface), options)
	if err != nil { // only for impossible options
		panic("fonts: " + err.Error())
	}
	r := &face{typeface: typeface, outline: outline}
	for i := range r.raise {
		r.raise[i] = uint8(math.Round(255 * math.Pow(float64(i)/255, coverageExponent)))
	}
	return r
}

func (r *face) Has(c rune) bool {
	i, err := fontOf(r.typeface).GlyphIndex(nil, c)
	return err == nil && i != 0
}

func (r *face) Glyph(c rune, phase float64) (mask *image.Alpha, advance float64) {
	dot := fixed.Point26_6{X: fixed.Int26_6(math.Round(phase * 64))}
	bounds, source, at, step, ok := r.outline.Glyph(dot, c)
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

func (r *face) Metrics() (ascent, descent float64) {
	m := r.outline.Metrics()
	return float64(m.Ascent) / 64, float64(m.Descent) / 64
}
