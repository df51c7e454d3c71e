package system_test

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/internal/golden"
)

// names are in the scripts that names of zones may have. The font of the tests draws a box for each sign.
var names = []string{
	"Рендер сцены", "Ελληνική σκηνή", "物理演算 step",
	"ببب (2) جحب", "update שלום (1)",
	"हिन्दी दी", "a\u0351 Z\u0351\u036b\u0343 e\u0301t", "🎮 input 😀",
	"丂 has no glyph", "\u202eturned\x1b",
}

// TestNamesInAllScripts looks at names as they are drawn, at two scales, from the first frame and after others.
func TestNamesInAllScripts(t *testing.T) {
	draw.SetScripts(some(t).Layout)
	defer draw.SetScripts(nil)
	for _, scale := range []float32{1, 2} {
		for range 3 {
			var l draw.List
			l.Begin(scale)
			for i, name := range names {
				y := scale * float32(22*i+20)
				l.Text(10*scale, y, draw.FaceText, name, color.NRGBA{230, 230, 230, 255})
				l.TextCut(200*scale, y, 60*scale, draw.FaceBold, name, color.NRGBA{120, 200, 250, 255})
				l.Text(300*scale, y, draw.FaceMono, name, color.NRGBA{230, 200, 120, 255})
			}
			m := image.NewRGBA(image.Rect(0, 0, int(500*scale), int(236*scale)))
			imagedraw.Draw(m, m.Rect, image.NewUniform(color.RGBA{14, 17, 22, 255}), image.Point{}, imagedraw.Src)
			soft.Render(m, &l)
			golden.PictureWithin(t, fmt.Sprintf("names@%gx.png", scale), m, golden.Driver)
		}
	}
}
