package fonts

import (
	"fmt"
	"strings"
	"testing"
)

func TestDigitsShareOneWidth(t *testing.T) {
	for f := range Typeface(NumTypefaces) {
		r := NewRasterizer(f, 13)
		_, want := r.Glyph('0', 0)
		for _, c := range "123456789" {
			if _, got := r.Glyph(c, 0); got != want {
				t.Errorf("typeface %d: width of %q: got %v; want %v", f, c, got, want)
			}
		}
	}
}

func TestHas(t *testing.T) {
	r := NewRasterizer(TypefaceRegular, 13)
	for c, want := range map[rune]bool{'a': true, 'ß': true, '→': true, '…': true, '中': false, '\n': false,
		'▸': false} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := r.Has(c); got != want {
				t.Errorf("Has(%q): got %v; want %v", c, got, want)
			}
		})
	}
}

func TestGlyphStandsOnTheBaseline(t *testing.T) {
	mask, advance := NewRasterizer(TypefaceRegular, 26).Glyph('H', 0)
	if b := mask.Bounds(); b.Max.Y != 0 || b.Min.Y > -17 || b.Min.Y < -20 {
		t.Errorf("bounds of a 26 pixel H: got %v; want about 18 pixels, bottom at 0", b)
	}
	if advance < 15 || advance > 21 {
		t.Errorf("advance: got %v; want 15..21", advance)
	}
}

func TestPhaseMovesInk(t *testing.T) {
	ink := func(phase float64) (at float64) {
		mask, _ := NewRasterizer(TypefaceRegular, 13).Glyph('l', phase)
		var sum float64
		for y := mask.Rect.Min.Y; y < mask.Rect.Max.Y; y++ {
			for x := mask.Rect.Min.X; x < mask.Rect.Max.X; x++ {
				a := float64(mask.AlphaAt(x, y).A)
				at, sum = at+a*float64(x), sum+a
			}
		}
		return at / sum
	}
	if d := ink(0.5) - ink(0); d < 0.35 || d > 0.65 {
		t.Errorf("half a pixel of phase moved the ink by %.2f pixels; want about 0.5", d)
	}
}

func TestLicenseIsComplete(t *testing.T) {
	if !strings.Contains(License, "Bigelow & Holmes") || !strings.Contains(License, "POSSIBILITY OF SUCH DAMAGE") {
		t.Errorf("License: got %d bytes without its first or last words", len(License))
	}
}
