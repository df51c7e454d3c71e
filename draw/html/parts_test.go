package html_test

import (
	"bytes"
	"crypto/sha256"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// TestSHA256 compares with crypto/sha256, texts of all lengths of a block and the page's own.
func TestSHA256(t *testing.T) {
	list := []string{html.Script(), html.Style()}
	for n := range 130 {
		list = append(list, strings.Repeat("a\u2009", n)[:n])
	}
	for _, text := range list {
		if got, want := html.SHA256Of(text), sha256.Sum256([]byte(text)); got != want {
			t.Errorf("%d bytes: got %x; want %x", len(text), got, want)
		}
	}
}

// striped is a picture of three stripes.
func striped(width, height int) *report.Picture {
	p := &report.Picture{Width: width, Height: height}
	for i := range width * height {
		p.Pixels = append(p.Pixels, [][]byte{{200, 40, 40}, {40, 160, 80}, {40, 80, 200}}[i/width*3/height]...)
	}
	return p
}

// TestPNG: package image/png reads the same pixels, of pictures of all kinds.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {7, 3}, {240, 135}} {
		p := striped(size[0], size[1])
		for i := range p.Pixels[:len(p.Pixels)/2] {
			p.Pixels[i] += byte(r.IntN(256))
		}
		m, err := png.Decode(bytes.NewReader(html.EncodePNG(p)))
		if err != nil || m.Bounds().Dx() != p.Width || m.Bounds().Dy() != p.Height {
			t.Fatalf("%v: got %v, %v", size, m, err)
		}
		for i := range p.Width * p.Height {
			r, g, b, a := m.At(i%p.Width, i/p.Width).RGBA()
			if got := [4]byte{byte(r), byte(g), byte(b), byte(a)}; got != [4]byte{p.Pixels[3*i], p.Pixels[3*i+1],
				p.Pixels[3*i+2], 255} {
				t.Fatalf("%v, pixel %d: got %v; want %v", size, i, got, p.Pixels[3*i:3*i+3])
			}
		}
	}
	if n := len(html.EncodePNG(&report.Picture{Width: 480, Height: 480, Pixels: make([]byte, 3*480*480)})); n > 2000 {
		t.Errorf("an empty picture takes %d bytes", n)
	}
}

// Each frame in the document has the picture of what it showed. Bytes that are not a picture are left out.
func TestFramesHavePictures(t *testing.T) {
	d := sampledump.Game()
	for i := range d.FrameTrees {
		d.FrameTrees[i].Picture = striped(240, 135)
	}
	out := page(t, d, html.Options{})
	if n := strings.Count(out,
		`<img alt="what the frame showed" width="240" height="135" src="data:image/png;base64,`); n !=
		html.Frames {
		t.Errorf("got %d pictures; want %d", n, html.Frames)
	}
	if len(out) > 2e6 {
		t.Errorf("got %d bytes; want at most 2 MB", len(out))
	}
	d = sampledump.Game()
	d.FrameTrees[0].Picture = &report.Picture{Width: 9, Height: 9}
	if out := page(t, d, html.Options{}); strings.Contains(out, "<img") {
		t.Error("got a picture of bytes that are none")
	}
}
