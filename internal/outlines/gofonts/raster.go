package gofonts

import (
	"image"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"example.com/iprof/internal/outlines"
)

// face is an outlines.Face.
type face struct {
	*typeface
	size   fixed.Int26_6 // pixels per em
	raise  *[256]uint8
	raster vector.Rasterizer
	glyph  int       // of the outline, 0 for none
	units  []segment // the outline
	parts  []segment // scratch: the outline in pixels
}

// coverageExponent raises coverage a little. Light text on dark looks thinner than its outline, because colours are
// blended in sRGB, where half coverage gives less than half the light.
const coverageExponent = 0.86

// New is outlines.Open with the typefaces.
func New(typeface int, pixels float64) outlines.Face {
	return &face{typeface: typefaceOf(typeface), size: fixed.Int26_6(0.5 + pixels*64), raise: raised()}
}

// raising maps the coverage of an outline to the drawn coverage. It is filled on first use, so that a program without
// drawing does not link the code.
var raising struct {
	once  sync.Once
	table [256]uint8
}

func raised() *[256]uint8 {
	raising.once.Do(func() {
		for i := range raising.table {
			raising.table[i] = uint8(math.Round(255 * math.Pow(float64(i)/255, coverageExponent)))
		}
	})
	return &raising.table
}

func (r *face) Has(c rune) bool { return r.index(c) != 0 }

func (r *face) Glyph(c rune, phase float64) (mask *image.Alpha, advance float64) {
	glyph := r.index(c)
	if glyph == 0 {
		return &image.Alpha{}, 0
	}
	advance = float64(r.scaled(r.advance(glyph), r.size)) / 64
	if glyph != r.glyph { // it is asked for several phases of a character in turn
		r.glyph, r.units = glyph, r.outline(r.units[:0], glyph)
	}
	r.parts = append(r.parts[:0], r.units...)
	for i := range r.parts {
		s := &r.parts[i]
		s.control, s.to = r.pixels(s.control, phase), r.pixels(s.to, phase)
	}
	bounds := boundsOf(r.parts)
	mask = image.NewAlpha(bounds)
	r.raster.Reset(bounds.Dx(), bounds.Dy())
	r.raster.DrawOp = draw.Src
	at := func(p fixed.Point26_6) (x, y float32) {
		return float32(p.X-fixed.Int26_6(bounds.Min.X<<6)) / 64, float32(p.Y-fixed.Int26_6(bounds.Min.Y<<6)) / 64
	}
	for _, s := range r.parts {
		x, y := at(s.to)
		switch s.points {
		case 0:
			r.raster.MoveTo(x, y)
		case 1:
			r.raster.LineTo(x, y)
		default:
			cx, cy := at(s.control)
			r.raster.QuadTo(cx, cy, x, y)
		}
	}
	r.raster.Draw(mask, bounds, image.Opaque, image.Point{})
	for i, a := range mask.Pix {
		mask.Pix[i] = r.raise[a]
	}
	return mask, advance
}

// pixels converts a point in units to pixels, with y down, shifted to the right by phase pixels.
func (r *face) pixels(p fixed.Point26_6, phase float64) fixed.Point26_6 {
	return fixed.Point26_6{X: r.scaled(p.X, r.size) + fixed.Int26_6(math.Round(phase*64)), Y: -r.scaled(p.Y, r.size)}
}

// boundsOf returns the pixels that hold all points.
func boundsOf(parts []segment) (all image.Rectangle) {
	if len(parts) == 0 {
		return image.Rectangle{}
	}
	low, high := parts[0].to, parts[0].to
	for _, s := range parts {
		for _, p := range [...]fixed.Point26_6{s.to, s.control} {
			if p == s.control && s.points < 2 {
				continue
			}
			low = fixed.Point26_6{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
			high = fixed.Point26_6{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
	}
	return image.Rect(low.X.Floor(), low.Y.Floor(), high.X.Ceil(), high.Y.Ceil())
}

func (r *face) Metrics() (ascent, descent float64) {
	return float64(r.scaled(r.ascent, r.size)) / 64, float64(r.scaled(r.descent, r.size)) / 64
}
