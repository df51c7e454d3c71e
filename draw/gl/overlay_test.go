//go:build cgo

package gl

import (
	"fmt"
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	host "github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// corner draws a translucent rectangle in the bottom right corner of whatever screen it is given.
type corner struct{ width, height, scale float32 }

func (c *corner) Draw(l *draw.List, width, height, scale float32) {
	*c = corner{width, height, scale}
	l.Atlas = draw.NewAtlas(scale)
	l.Rect(width-10*scale, height-10*scale, width, height, color.NRGBA{R: 250, G: 100, A: 153})
}

// The overlay covers the viewport, whatever projection and blending the host has, and leaves its state as it was.
func TestOverlayCoversTheViewport(t *testing.T) {
	defer SetContentScale(1)
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		c := renderer(t).caps
		if c.compat {
			odd := mgl32.Scale3D(.1, -3, 2)
			ctx.LoadMatrix(0x1701, (*[16]float32)(&odd))
		}
		ctx.Clear(background)
		host.Disable(host.BLEND)
		host.Viewport(100, 50, 200, 100)
		SetContentScale(2)
		before, d := take(t, c), &corner{}
		must.Do(t, overlay(d))
		for _, difference := range before.compare(t, take(t, c)) {
			t.Errorf("%v: %s", ctx.Kind, difference)
		}
		if want := (corner{200, 100, 2}); *d != want {
			t.Errorf("got a screen of %v; want %v", *d, want)
		}
		m, mixed := ctx.Image(), color.RGBA{R: 162, G: 84, B: 36, A: 255}
		wantPixel(t, m, 299, 249, mixed, "last pixel")
		wantPixel(t, m, 280, 230, mixed, "first pixel")
		wantPixel(t, m, 279, 230, background, "left of it")
		wantPixel(t, m, 300, 249, background, "outside the viewport")
	})
}

func TestContentScaleHasADefault(t *testing.T) {
	defer SetContentScale(1)
	for set, want := range map[float32]float32{0: 1, -3: 1, 1.5: 1.5} {
		t.Run(fmt.Sprint(set), func(t *testing.T) {
			if SetContentScale(set); overlayScale() != want {
				t.Errorf("got scale %v after %v; want %v", overlayScale(), set, want)
			}
		})
	}
}
