//go:build cgo

package gl

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

var blends = []Blend{BlendCaller, BlendAlpha, BlendPremultiplied}

// everyKind runs f on a small context of every kind, with a renderer.
func everyKind(t *testing.T, f func(t *testing.T, ctx *egltest.Context, r *Renderer)) {
	for _, kind := range egltest.Kinds {
		egltest.Run(t, kind, 64, 48, func(t *testing.T, ctx *egltest.Context) {
			r := must.Get(NewRenderer())(t)
			f(t, ctx, r)
			noError(t, "the test")
		})
	}
}

// drawNow draws and fails on any error.
func drawNow(t *testing.T, r *Renderer, l *draw.List, b Blend) {
	t.Helper()
	p := pixels(64, 48)
	must.Do(t, r.Draw(l, &p, b, false))
	noError(t, "a draw")
}

func TestDrawRestoresOddState(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		h, l := newOddHost(ctx, r.caps), testList()
		for _, blend := range blends {
			h.set()
			before := take(t, r.caps)
			atLeast(t, r.caps, before)
			for _, doing := range []string{"with an upload", "without"} {
				drawNow(t, r, l, blend)
				for _, d := range before.compare(t, take(t, r.caps)) {
					t.Errorf("%v, blend %d, %s: %s", ctx.Kind, blend, doing, d)
				}
			}
			l.Atlas.Generation++
		}
	})
}

// atLeast holds the comparison to its promise.
func atLeast(t *testing.T, c *capabilities, s *snapshot) {
	t.Helper()
	want := 0
	switch {
	case c.version >= 33 && !c.es && c.compat:
		want = 153
	case c.version >= 33 && !c.es:
		want = 129
	}
	if got := len(s.names); got < want {
		t.Errorf("got %d values compared; want at least %d", got, want)
	}
}

// Each restore step does something that the comparison sees: leaving it out is found out.
func TestEachRestoreStepIsNeeded(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		h, l := newOddHost(ctx, r.caps), testList()
		for _, steps := range []table{r.drawing, r.blending, r.upload} {
			for i := range steps {
				h.set()
				before := take(t, r.caps)
				leave := steps[i].leave
				steps[i].leave = func() {}
				l.Atlas.Generation++
				drawNow(t, r, l, BlendAlpha)
				if len(before.compare(t, take(t, r.caps))) == 0 {
					t.Errorf("%v: got no difference without restoring %s; want one", ctx.Kind, steps[i].name)
				}
				steps[i].leave = leave
				leave()
			}
		}
	})
}

// The picture is the same, byte for byte, whatever the host's state.
func TestPictureDoesNotDependOnState(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		h := newOddHost(ctx, r.caps)
		h.blending, h.source = true, host.SRC_ALPHA
		var want [3]*image.RGBA
		for i, blend := range blends {
			h.setBlend()
			ctx.Clear(color.RGBA{R: 30, G: 60, B: 90, A: 255})
			drawNow(t, r, testList(), blend)
			want[i] = ctx.Image()
		}
		for i, blend := range blends {
			host.ColorMask(true, true, true, true)
			host.Disable(host.SCISSOR_TEST)
			if r.caps.since(30, 30) {
				host.Disable(host.RASTERIZER_DISCARD)
			}
			ctx.Clear(color.RGBA{R: 30, G: 60, B: 90, A: 255})
			h.set()
			drawNow(t, r, testList(), blend)
			if got := ctx.Image(); !bytes.Equal(got.Pix, want[i].Pix) {
				t.Errorf("%v, blend %d: got another picture under odd state: %s; want the same bytes",
					ctx.Kind, blend, differ(got, want[i]))
			}
		}
	})
}

// Each name stands for one step, so that a failure says which.
func TestStepNamesAreUnique(t *testing.T) {
	c := &capabilities{version: 45, compat: true, vertexArrays: true, samplers: true, clipPlanes: 8, unpackRows: true}
	seen := map[string]bool{}
	for _, steps := range []table{drawingState(c), blendingState(c), uploadState(c)} {
		for _, s := range steps {
			if seen[s.name] || strings.TrimSpace(s.name) == "" {
				t.Errorf("got step %q twice or nameless; want each once", s.name)
			}
			seen[s.name] = true
		}
	}
}
