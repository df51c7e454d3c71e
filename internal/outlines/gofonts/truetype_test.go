package gofonts

import (
	"image"
	"math"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"example.com/iprof/internal/must"
)

// All characters of all typefaces have the same pixels, width and height.
func TestGlyphsAreThoseOfPackageOpentype(t *testing.T) {
	for number := range parsed {
		parsed := must.Get(opentype.Parse(originals[number].data))(t)
		glyphs := 0
		for _, size := range []float64{9, 13.37, 40} {
			options := &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone}
			other := must.Get(opentype.NewFace(parsed, options))(t)
			own := New(number, size).(*face)
			ascent, descent := own.Metrics()
			if m := other.Metrics(); ascent != float64(m.Ascent)/64 || descent != float64(m.Descent)/64 {
				t.Errorf("typeface %d: got %v, %v; want %v", number, ascent, descent, m)
			}
			for c := rune(0); c <= 0x10ffff; c++ {
				if c == 0x3000 {
					c = 0xe000 // nothing between
				}
				if c == 0x10000 {
					c = 0x10fff0
				}
				index, err := parsed.GlyphIndex(nil, c)
				if has := err == nil && index != 0; has != own.Has(c) {
					t.Fatalf("typeface %d, %q: Has is %v", number, c, !has)
				}
				if index == 0 {
					continue
				}
				glyphs++
				phase := float64(c%4) / 4
				dot := fixed.Point26_6{X: fixed.Int26_6(math.Round(phase * 64))}
				bounds, source, at, step, _ := other.Glyph(dot, c)
				mask, advance := own.Glyph(c, phase)
				if mask.Rect != bounds && !(mask.Rect.Empty() && bounds.Empty()) || advance != float64(step)/64 {
					t.Fatalf("typeface %d, %q: got %v, %v; want %v, %v", number, c, mask.Rect, advance, bounds,
						float64(step)/64)
				}
				same(t, own, mask, source, at)
			}
		}
		if t.Log(number, glyphs); glyphs < 3*500 {
			t.Errorf("typeface %d: got %d glyphs", number, glyphs)
		}
	}
}

// same compares the pixels of a glyph with those of a mask, raised.
func same(t *testing.T, own *face, got *image.Alpha, want image.Image, at image.Point) {
	t.Helper()
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			_, _, _, a := want.At(at.X+x, at.Y+y).RGBA()
			if v := got.Pix[y*got.Stride+x]; v != own.raise[a>>8] {
				t.Fatalf("pixel %d, %d: got %d; want %d", x, y, v, own.raise[a>>8])
			}
		}
	}
}
