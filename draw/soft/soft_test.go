package soft

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"example.com/iprof/draw"
)

var white = color.NRGBA{255, 255, 255, 255}

// played is a black picture with a list played into it.
func played(width, height int, f func(l *draw.List)) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = 255
	}
	var l draw.List
	f(&l)
	Render(m, &l)
	return m
}

func TestRectangleCoversItsPixelsOnly(t *testing.T) {
	m := played(8, 8, func(l *draw.List) { l.Rect(2, 3, 5, 7, color.NRGBA{10, 20, 30, 255}) })
	for y := range 8 {
		for x := range 8 {
			want := color.RGBA{A: 255}
			if x >= 2 && x < 5 && y >= 3 && y < 7 {
				want = color.RGBA{10, 20, 30, 255}
			}
			if got := m.RGBAAt(x, y); got != want {
				t.Errorf("(%d, %d): got %v; want %v", x, y, got, want)
			}
		}
	}
}

func TestStraightAlpha(t *testing.T) {
	m := played(2, 1, func(l *draw.List) { l.Rect(0, 0, 1, 1, color.NRGBA{200, 100, 0, 128}) })
	if got, want := m.RGBAAt(0, 0), (color.RGBA{100, 50, 0, 255}); got != want {
		t.Errorf("over black: got %v; want %v", got, want)
	}
	clear := image.NewRGBA(image.Rect(0, 0, 1, 1))
	var l draw.List
	l.Rect(0, 0, 1, 1, color.NRGBA{200, 100, 0, 128})
	Render(clear, &l)
	if got, want := clear.RGBAAt(0, 0), (color.RGBA{100, 50, 0, 128}); got != want {
		t.Errorf("over nothing: got %v; want %v, premultiplied", got, want)
	}
}

func TestEveryPixelOfAFanIsPaintedOnce(t *testing.T) {
	half := color.NRGBA{255, 255, 255, 128}
	m := played(40, 40, func(l *draw.List) {
		corners := [][2]float32{{0, 0}, {17.3, 0}, {40, 0}, {40, 22.5}, {40, 40}, {9, 40}, {0, 40}, {0, 13}, {0, 0}}
		for i := range corners[1:] {
			a, b := corners[i], corners[i+1]
			if i%2 == 1 {
				a, b = b, a // the other way round
			}
			l.Triangle(20.5, 19.5, a[0], a[1], b[0], b[1], half)
		}
	})
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i] != 128 {
			t.Fatalf("pixel %d, %d: got %d; want 128, painted once", i/4%40, i/4/40, m.Pix[i])
		}
	}
}

func TestLineHasItsWidthOfInk(t *testing.T) {
	for _, end := range [][2]float32{{45, 5}, {5, 45}, {45, 45}, {45, 20}} {
		m := played(50, 50, func(l *draw.List) { l.Line(5, 5, end[0], end[1], 2, white) })
		var ink float64
		for i := 0; i < len(m.Pix); i += 4 {
			ink += float64(m.Pix[i]) / 255
		}
		dx, dy := float64(end[0]-5), float64(end[1]-5)
		want := 2 * max(dx, dy)
		if dx > 0 && dy > 0 {
			want = 2 * (dx*dx + dy*dy) / max(dx, dy) / 1.2
		}
		if ink < want*0.8 || ink > want*1.25 {
			t.Errorf("line to %v: got %.1f pixels of ink; want about %.1f", end, ink, want)
		}
	}
}

func TestGradientGoesFromTopToBottom(t *testing.T) {
	m := played(3, 10, func(l *draw.List) {
		l.Gradient(0, 0, 3, 10, color.NRGBA{A: 255},
			color.NRGBA{200, 200, 200, 255})
	})
	for y := 1; y < 10; y++ {
		above := m.RGBAAt(1, y-1).R
		here := m.RGBAAt(1, y).R
		if here <= above {
			t.Errorf("row %d: got %d after %d; want it brighter", y, here, above)
		}
	}
}

func TestOutsideAndNonsenseAreCutOff(t *testing.T) {
	inf := float32(1e30)
	m := played(4, 4, func(l *draw.List) {
		l.Rect(-100, -100, 2, 2, white)
		l.Rect(50, 50, 60, 60, white)
		l.Triangle(-inf, -inf, inf, -inf, 0, -inf, white)
		l.Line(-1e9, 3.5, 1e9, 3.5, 1, white)
	})
	if m.RGBAAt(1, 1).R != 255 || m.RGBAAt(3, 1).R != 0 {
		t.Errorf("corner: got %v inside, %v outside; want white, black", m.RGBAAt(1, 1), m.RGBAAt(3, 1))
	}
	Render(image.NewRGBA(image.Rect(0, 0, 2, 2)), &draw.List{}) // has no atlas
}

func TestPartOfAnImage(t *testing.T) {
	whole := image.NewRGBA(image.Rect(0, 0, 9, 9))
	part := whole.SubImage(image.Rect(3, 3, 6, 6)).(*image.RGBA)
	var l draw.List
	l.Rect(-5, -5, 50, 50, white)
	Render(part, &l)
	for y := range 9 {
		for x := range 9 {
			if got, want := whole.RGBAAt(x, y).A == 255, x >= 3 && x < 6 && y >= 3 && y < 6; got != want {
				t.Errorf("(%d, %d) painted: got %v; want %v", x, y, got, want)
			}
		}
	}
}

func TestSmoothOfOneToOneTexelsChangesNothing(t *testing.T) {
	text := func(smooth bool) []byte {
		return played(120, 20, func(l *draw.List) {
			l.Smooth = smooth
			l.Text(3, 14, draw.FaceText, "render_world 1.25", white)
		}).Pix
	}
	a, b := text(false), text(true)
	if bytes.Equal(a, make([]byte, len(a))) {
		t.Fatal("got no text")
	}
	for i := range a {
		if d := int(a[i]) - int(b[i]); d > 10 || d < -10 { // atlas positions are rounded to 1/65535
			t.Fatalf("byte %d: got %d smooth; want %d", i, b[i], a[i])
		}
	}
}

func BenchmarkRender(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	var l draw.List
	for i := range 60 {
		y := float32(i * 12)
		l.Rect(0, y, 1280, y+12, color.NRGBA{20, uint8(i), 30, 200})
		l.Text(10, y+10, draw.FaceText, "render_world lighting clustered 1.25 2.50 3.75", white)
		l.Line(600, y, 1200, y+9, 1.5, white)
	}
	for b.Loop() {
		Render(m, &l)
	}
}
