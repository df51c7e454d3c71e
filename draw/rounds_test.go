package draw_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
)

// TestRoundsFromTheAtlasLookTheSame draws rectangles of those heights that are there as a whole, and some that are not,
// both ways.
func TestRoundsFromTheAtlasLookTheSame(t *testing.T) {
	for _, scale := range []float32{0.5, 1, 1.25, 2, 4} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			fewer := 0
			for _, shape := range [][2]float32{{7, 2}, {8, 3}, {7, 3.5}, {17, 3}, {19, 3}, {12, 4}, {20, 8}} {
				for _, wide := range []float32{1, 3, 6, 7, 8, 9, 17, 40} {
					x1, y1, radius := 3+rounded(wide*scale), 2+rounded(shape[0]*scale), shape[1]*scale
					translucent := color.NRGBA{200, 120, 40, 150}
					whole, parts := draw.List{Atlas: draw.NewAtlas(scale)}, draw.List{Atlas: draw.NewAtlas(scale)}
					whole.Round(3, 2, x1, y1, radius, translucent)
					draw.RoundParts(&parts, 3, 2, x1, y1, radius, translucent)
					if !bytes.Equal(drawn(&whole), drawn(&parts)) {
						t.Errorf("%v high, %v wide at %v: got another picture; want that of the parts",
							shape, wide, scale)
					}
					fewer += parts.Quads() - whole.Quads()
				}
			}
			if fewer < 50 {
				t.Errorf("scale %v: got %d quads fewer; want at least 50", scale, fewer)
			}
		})
	}
}

func rounded(v float32) float32 { return float32(int(v + 0.5)) }

func drawn(l *draw.List) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 180, 90))
	for i := range m.Pix {
		m.Pix[i] = uint8(40 + i%4*70)
	}
	soft.Render(m, l)
	return m.Pix
}
