package pngfile_test

import (
	"bytes"
	"image/png"
	"math/rand/v2"
	"testing"

	"example.com/iprof/internal/pngfile"
)

// Package image/png reads the same pixels, of pictures of all kinds.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {240, 135}} {
		width, pixels := size[0], make([]byte, 3*size[0]*size[1])
		for i := range pixels {
			if pixels[i] = byte(3 * i / len(pixels) * 80); i < len(pixels)/2 {
				pixels[i] += byte(r.IntN(256))
			}
		}
		m, err := png.Decode(bytes.NewReader(pngfile.Encode(width, size[1], pixels)))
		if err != nil || m.Bounds().Dx() != width || m.Bounds().Dy() != size[1] {
			t.Fatalf("%v: got %v, %v", size, m, err)
		}
		for i := range width * size[1] {
			r, g, b, a := m.At(i%width, i/width).RGBA()
			want := [4]byte{pixels[3*i], pixels[3*i+1], pixels[3*i+2], 255}
			if got := [4]byte{byte(r), byte(g), byte(b), byte(a)}; got != want {
				t.Fatalf("%v, pixel %d: got %v; want %v", size, i, got, want)
			}
		}
	}
	if n := len(pngfile.Encode(480, 480, make([]byte, 3*480*480))); n > 2000 {
		t.Errorf("an empty picture takes %d bytes", n)
	}
}
