package golden

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Picture compares got with testdata/name, a PNG, pixel for pixel.
func Picture(t testing.TB, name string, got *image.RGBA) {
	t.Helper()
	compare(t, name, got, func(a, b *image.RGBA) error {
		if n := unequal(a, b); n > 0 {
			return fmt.Errorf("%d of %d pixels differ", n, a.Rect.Dx()*a.Rect.Dy())
		}
		return nil
	})
}

// PictureWithin compares got with testdata/name within limits, because graphics drivers round differently. See
// Difference.
func PictureWithin(t testing.TB, name string, got *image.RGBA, limit Difference) {
	t.Helper()
	compare(t, name, got, func(a, b *image.RGBA) error { return Measure(a, b).Within(limit) })
}

// Load reads testdata/name, a PNG.
func Load(name string) (*image.RGBA, error) { return load(filepath.Join("testdata", name)) }

func compare(t testing.TB, name string, got *image.RGBA, differ func(got, want *image.RGBA) error) {
	t.Helper()
	got = atOrigin(got)
	if *Update {
		write(t, filepath.Join("testdata", name), encode(t, got, png.BestCompression))
		return
	}
	skipWithout(t)
	want, err := Load(name)
	if err != nil {
		t.Errorf("%v (make it with -update); got is in %s", err, keep(t, name, "got", encode(t, got, png.BestSpeed)))
		return
	}
	if got.Rect != want.Rect {
		err = fmt.Errorf("got size %v; want %v", got.Rect.Size(), want.Rect.Size())
	} else {
		err = differ(got, want)
	}
	if err != nil {
		t.Errorf("%s: %v\ngot:  %s\nwant: %s\ndiff: %s", name, err, keep(t, name, "got", encode(t, got, png.BestSpeed)),
			keep(t, name, "want", encode(t, want, png.BestSpeed)),
			keep(t, name, "diff", encode(t, difference(got, want), png.BestSpeed)))
	}
}

func load(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rgba := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, draw.Src)
	return rgba, nil
}

// atOrigin returns a picture with its origin at (0, 0) and no gaps between rows.
func atOrigin(m *image.RGBA) *image.RGBA {
	if m.Rect.Min == (image.Point{}) && m.Stride == 4*m.Rect.Dx() {
		return m
	}
	c := image.NewRGBA(image.Rectangle{Max: m.Rect.Size()})
	draw.Draw(c, c.Rect, m, m.Rect.Min, draw.Src)
	return c
}

// encode encodes a PNG. Golden files are compressed well to be small; files of a failure quickly, because someone
// waits.
func encode(t testing.TB, m image.Image, level png.CompressionLevel) []byte {
	t.Helper()
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: level}
	if err := e.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unequal returns the number of pixels that differ.
func unequal(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]uint8(a.Pix[i:]) != [4]uint8(b.Pix[i:]) {
			n++
		}
	}
	return n
}

// difference returns want, darkened, with red pixels where got differs. A greater difference is brighter.
func difference(got, want *image.RGBA) *image.RGBA {
	d := image.NewRGBA(want.Rect)
	for y := range d.Rect.Dy() {
		for x := range d.Rect.Dx() {
			w, g := want.RGBAAt(x, y), got.RGBAAt(x, y)
			off := max(gap(w.R, g.R), gap(w.G, g.G), gap(w.B, g.B), gap(w.A, g.A))
			w.R /= 4
			w.G /= 4
			w.B /= 4
			w.A = 255
			if off > 0 {
				w.R = uint8(min(255, 96+2*off))
			}
			d.SetRGBA(x, y, w)
		}
	}
	return d
}

// gap returns the difference of two channels.
func gap(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
