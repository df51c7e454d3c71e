//go:build cgo

package gl

import (
	"fmt"
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
)

// scene shows every kind of shape and some text, at a content scale.
func scene(scale float32) *draw.List {
	l := &draw.List{Atlas: draw.NewAtlas(scale)}
	white, amber := color.NRGBA{R: 240, G: 240, B: 240, A: 255}, color.NRGBA{R: 255, G: 180, B: 40, A: 200}
	l.Round(6*scale, 6*scale, 200*scale, 150*scale, 6*scale, color.NRGBA{R: 22, G: 27, B: 34, A: 230})
	l.Border(6*scale, 6*scale, 200*scale, 150*scale, 6*scale, color.NRGBA{R: 80, G: 90, B: 100, A: 255})
	l.Gradient(20*scale, 100*scale, 120*scale, 140*scale, amber, draw.ZoneColor("", "physics"))
	for face := range draw.Face(draw.NumFaces) {
		y := (24 + 16*float32(face)) * scale
		l.Text(14.3*scale, y, face, fmt.Sprintf("face %d: 16.67 ms, ray_trace ±½", face), white)
	}
	for i := range 8 {
		x := (130 + 8*float32(i)) * scale
		l.Line(x, 104*scale, x+9*scale, (140-4*float32(i))*scale, 1.5*scale, draw.ZoneColor("", fmt.Sprint(i)))
	}
	l.Triangle(180*scale, 20*scale, 195*scale, 28*scale, 180*scale, 36*scale, amber)
	return l
}

// The GPU's picture is that of the software rasteriser, at every content scale and in every kind of context.
func TestPictureIsThatOfDrawSoft(t *testing.T) {
	const width, height = 440, 330
	for _, kind := range egltest.Kinds {
		egltest.Run(t, kind, width, height, func(t *testing.T, ctx *egltest.Context) {
			r := must.Get(NewRenderer())(t)
			for _, scale := range []float32{1, 1.5, 2} {
				l := scene(scale)
				want := painted(l, width, height)
				ctx.Clear(background)
				p := pixels(width, height)
				must.Do(t, r.Draw(l, &p, BlendAlpha, false))
				if d := alike(ctx.Image(), want); d != "" {
					t.Errorf("%v at scale %v: got a different picture: %s; want draw/soft's", kind, scale, d)
				}
			}
		})
	}
}

// The comparison is worth something: a letter, a colour or a pixel's shift is seen.
func TestComparisonSeesSmallChanges(t *testing.T) {
	want := painted(scene(1), 440, 330)
	for name, change := range map[string]func(l *draw.List){
		"one letter": func(l *draw.List) {
			l.Text(300, 200, draw.FaceText, "m",
				color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		},
		"shift": func(l *draw.List) { shift(l, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			l := scene(1)
			change(l)
			if alike(painted(l, 440, 330), want) == "" {
				t.Errorf("got %s unseen; want it seen", name)
			}
		})
	}
}

func shift(l *draw.List, dx float32) {
	for i := range l.V {
		l.V[i].X += dx
	}
}
