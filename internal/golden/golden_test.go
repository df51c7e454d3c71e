package golden

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"strings"
	"testing"
)

// recorder takes the place of a test that is to fail.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Errorf(f string, args ...any) { r.message += fmt.Sprintf(f, args...) }
func (r *recorder) Fatal(args ...any)            { panic(args) }
func (r *recorder) Fatalf(f string, args ...any) { panic(fmt.Sprintf(f, args...)) }

// picture is 48 x 32 pixels with an edge in it.
func picture() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			c := color.RGBA{20, 30, 40, 255}
			if x >= 24 {
				c = color.RGBA{200, 180, 90, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// inTemp runs f where it may write, with -update on or off.
func inTemp(t *testing.T, f func()) {
	t.Chdir(t.TempDir())
	saved := *Update
	defer func() { *Update = saved }()
	*Update = true
	Text(t, "a.golden", []byte("one\ntwo\n"))
	Picture(t, "a.png", picture())
	*Update = false
	f()
}

func TestEqualPasses(t *testing.T) {
	inTemp(t, func() {
		Text(t, "a.golden", []byte("one\ntwo\n"))
		Picture(t, "a.png", picture())
		PictureWithin(t, "a.png", picture(), Driver)
	})
}

func TestTextDifferenceIsShown(t *testing.T) {
	inTemp(t, func() {
		var r recorder
		Text(&r, "a.golden", []byte("one\n2\n"))
		for _, want := range []string{"line 2", `"2"`, `"two"`, "a.got.golden", "a.want.golden"} {
			if !strings.Contains(r.message, want) {
				t.Errorf("message: got %q; want it to contain %q", r.message, want)
			}
		}
	})
}

func TestOnePixelIsSeenAndWritten(t *testing.T) {
	inTemp(t, func() {
		m := picture()
		m.Pix[0]++
		var r recorder
		Picture(&r, "a.png", m)
		if !strings.Contains(r.message, "1 of 1536 pixels") {
			t.Errorf("message: got %q; want it to tell of 1 of 1536 pixels", r.message)
		}
		for _, side := range []string{"got", "want", "diff"} {
			if _, err := load("testdata/out/a." + side + ".png"); err != nil {
				t.Error(err)
			}
		}
		if d, _ := load("testdata/out/a.diff.png"); d.Pix[0] < 90 || d.Pix[4] > 60 {
			t.Errorf("diff: got red %d at the pixel, %d beside; want it marked", d.Pix[0], d.Pix[4])
		}
	})
}

func TestSizeAndAbsenceFail(t *testing.T) {
	inTemp(t, func() {
		for name, m := range map[string]*image.RGBA{"a.png": image.NewRGBA(image.Rect(0, 0, 3, 3)),
			"absent.png": picture()} {
			var r recorder
			Picture(&r, name, m)
			if r.message == "" {
				t.Errorf("%s: got no failure; want one", name)
			}
		}
		var r recorder
		Text(&r, "absent.golden", nil)
		if !strings.Contains(r.message, "-update") {
			t.Errorf("absent file: got %q; want advice", r.message)
		}
	})
}

func TestMetricToleratesRoundingOnly(t *testing.T) {
	change := func(f func(m *image.RGBA)) error {
		m := picture()
		f(m)
		return Measure(m, picture()).Within(Driver)
	}
	rounded := change(func(m *image.RGBA) {
		for i := 0; i < len(m.Pix); i += 7 {
			m.Pix[i] = uint8(max(int(m.Pix[i])-1, 0))
		}
	})
	if rounded != nil {
		t.Errorf("rounding: got %v; want nil", rounded)
	}
	for name, f := range map[string]func(m *image.RGBA){
		"a tint":       func(m *image.RGBA) { shiftChannels(m, 3) },
		"a wrong mark": func(m *image.RGBA) { fill(m, image.Rect(2, 2, 8, 8), color.RGBA{255, 255, 255, 255}) },
		"a lost dot":   func(m *image.RGBA) { fill(m, image.Rect(5, 5, 6, 6), color.RGBA{90, 90, 90, 255}) },
	} {
		if change(f) == nil {
			t.Errorf("%s: got nil; want an error", name)
		}
	}
}

func shiftChannels(m *image.RGBA, by uint8) {
	for i := range m.Pix {
		if i%4 != 3 {
			m.Pix[i] += by
		}
	}
}

func fill(m *image.RGBA, r image.Rectangle, c color.RGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.SetRGBA(x, y, c)
		}
	}
}

func TestPartOfAPicture(t *testing.T) {
	inTemp(t, func() {
		m := image.NewRGBA(image.Rect(0, 0, 60, 40))
		fill(m, m.Rect, color.RGBA{1, 2, 3, 255})
		part := m.SubImage(image.Rect(10, 4, 58, 36)).(*image.RGBA)
		copyInto(part, picture())
		Picture(t, "a.png", part)
	})
	if _, err := os.Stat("testdata/out"); err == nil {
		t.Error("a passing comparison wrote testdata/out")
	}
}

func copyInto(dst, src *image.RGBA) {
	for y := range src.Rect.Dy() {
		copy(dst.Pix[y*dst.Stride:], src.Pix[y*src.Stride:][:4*src.Rect.Dx()])
	}
}
