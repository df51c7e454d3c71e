//go:build cgo

package gl

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	host "github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"example.com/iprof/draw"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
)

// pixels is the projection of a viewport's pixels, y down.
func pixels(width, height int32) mgl32.Mat4 { return view{}.ortho(width, height) }

var background = color.RGBA{R: 30, G: 60, B: 90, A: 255}

// picture draws the list on the background, with the host's own blending.
func picture(t *testing.T, ctx *egltest.Context, r *Renderer, l *draw.List) *image.RGBA {
	t.Helper()
	ctx.Clear(background)
	drawNow(t, r, l, BlendCaller)
	return ctx.Image()
}

func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 1 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

func wantPixel(t *testing.T, m *image.RGBA, x, y int, want color.RGBA, what string) {
	t.Helper()
	if got := m.RGBAAt(x, y); !near(got, want) {
		t.Errorf("%s: got %v at (%d,%d); want %v", what, got, x, y, want)
	}
}

// half is a translucent list: one quad of alpha 0.4, one of 0.6, one opaque.
func half() *draw.List {
	l := &draw.List{Atlas: testAtlas()}
	quad(l, 0, 0, 10, 10, 8, 8, color.NRGBA{R: 250, G: 100, B: 0, A: 102})
	quad(l, 20, 0, 10, 10, 8, 8, color.NRGBA{R: 250, G: 100, B: 0, A: 153})
	quad(l, 40, 0, 10, 10, 8, 8, color.NRGBA{R: 250, G: 100, B: 0, A: 255})
	return l
}

// Whatever blending the host has set is honoured: the colours fit it.
func TestDrawHonoursTheCallersBlending(t *testing.T) {
	mixed := func(alpha float32) color.RGBA {
		mix := func(a, b float32) uint8 { return uint8(a*alpha + b*(1-alpha) + .5) }
		return color.RGBA{R: mix(250, 30), G: mix(100, 60), B: mix(0, 90), A: 255}
	}
	full := color.RGBA{R: 250, G: 100, A: 255}
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		for _, how := range []struct {
			name         string
			set          func()
			forty, sixty color.RGBA
		}{
			{"off", func() { host.Disable(host.BLEND) }, background, full},
			{"straight", func() {
				host.Enable(host.BLEND)
				host.BlendFunc(host.SRC_ALPHA, host.ONE_MINUS_SRC_ALPHA)
			}, mixed(.4), mixed(.6)},
			{"premultiplied", func() {
				host.Enable(host.BLEND)
				host.BlendFunc(host.ONE, host.ONE_MINUS_SRC_ALPHA)
			}, mixed(.4), mixed(.6)},
		} {
			how.set()
			m := picture(t, ctx, r, half())
			wantPixel(t, m, 5, 5, how.forty, how.name+", alpha 0.4")
			wantPixel(t, m, 25, 5, how.sixty, how.name+", alpha 0.6")
			wantPixel(t, m, 45, 5, full, how.name+", opaque")
			wantPixel(t, m, 5, 40, background, how.name+", y grows down")
		}
	})
}

// A blending of the profiler's own gives the same picture whatever the host's.
func TestDrawWithABlendOfItsOwn(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		host.Enable(host.BLEND)
		host.BlendFunc(host.SRC_ALPHA, host.ONE_MINUS_SRC_ALPHA)
		want := picture(t, ctx, r, testList())
		for _, blend := range []Blend{BlendAlpha, BlendPremultiplied} {
			ctx.Clear(background)
			host.Disable(host.BLEND)
			host.BlendFunc(host.ZERO, host.DST_COLOR)
			drawNow(t, r, testList(), blend)
			got := ctx.Image()
			for i := range got.Pix {
				if max(got.Pix[i], want.Pix[i])-min(got.Pix[i], want.Pix[i]) > 1 {
					t.Fatalf("blend %d: got another picture: %s", blend, differ(got, want))
				}
			}
		}
	})
}

// Without a projection a compatibility context's own matrices say where things go, others take pixels. Both give the
// same picture, byte for byte, as the projection that says the same.
func TestDrawWithoutProjection(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		want := picture(t, ctx, r, testList())
		if r.caps.compat {
			p, m := mgl32.Ortho(0, 128, 96, 0, -1, 1), mgl32.Scale3D(2, 2, 1)
			ctx.LoadMatrix(0x1701, (*[16]float32)(&p))
			ctx.LoadMatrix(0x1700, (*[16]float32)(&m))
		}
		ctx.Clear(background)
		must.Do(t, r.Draw(testList(), nil, BlendCaller, false))
		if got := ctx.Image(); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("got another picture: %s; want the same bytes", differ(got, want))
		}
	})
}

// Large lists take several calls. Where calls cannot name their first vertex, the attributes start at each batch.
func TestDrawInBatches(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		want := picture(t, ctx, r, testList())
		for _, base := range []bool{false, r.caps.baseVertex} {
			r.buffers.delete()
			r.buffers = newBuffers(&capabilities{baseVertex: base})
			r.buffers.batch = 2
			if got := picture(t, ctx, r, testList()); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("base vertex %v: got another picture in batches of 2: %s; want the same bytes", base,
					differ(got, want))
			}
		}
	})
}

// Drivers that shade vertices on the processor get short batches, and others long ones.
func TestBatchesFitTheDriver(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		short := r.buffers.batch < 1000
		if name := getString(glRenderer); short != (strings.Contains(name, "llvmpipe") && r.caps.baseVertex) {
			t.Errorf("%s, base vertex %v: got batches of %d quads", name, r.caps.baseVertex, r.buffers.batch)
		}
		hardware := *r.caps
		if hardware.software = false; newBuffers(&hardware).batch < 1000 {
			t.Error("got short batches for a driver of a GPU; want long ones")
		}
	})
}

// TrustState draws the same picture in a state that lets quads through, and asks for no state to be restored.
func TestDrawWithTrust(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		want := picture(t, ctx, r, testList())
		for range 2 {
			ctx.Clear(background)
			p := pixels(64, 48)
			must.Do(t, r.Draw(testList(), &p, BlendCaller, true))
			if got := ctx.Image(); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("got another picture: %s; want the same bytes", differ(got, want))
			}
		}
	})
}

// An atlas is uploaded when its generation changes, and only then. Several atlases live side by side.
func TestAtlasIsUploadedWhenItChanges(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		l, other := half(), half()
		opaque := func() color.RGBA { return picture(t, ctx, r, l).RGBAAt(45, 5) }
		if got := opaque(); got == background {
			t.Fatal("got nothing drawn; want an opaque quad")
		}
		clear(l.Atlas.Image.Pix)
		picture(t, ctx, r, other)
		if got := opaque(); got == background {
			t.Error("got the changed atlas drawn; want the uploaded one, for its generation did not change")
		}
		l.Atlas.Generation++
		if got := opaque(); got != background {
			t.Errorf("got %v; want the new, empty atlas drawn", got)
		}
		if got := picture(t, ctx, r, other).RGBAAt(45, 5); got == background {
			t.Error("got the other list's atlas lost; want it kept")
		}
	})
}

func TestSharpWherePixelsFitTexels(t *testing.T) {
	r := &Renderer{viewport: [4]int32{0, 0, 1280, 720}}
	wide := pixels(1280, 720)
	for _, c := range []struct {
		m     mgl32.Mat4
		scale float32
		want  bool
	}{
		{wide, 1, true},
		{mgl32.Ortho2D(0, 1280, 0, 720), 1, true},
		{wide.Mul4(mgl32.Translate3D(7, -3, 0)), 1, true},
		{wide.Mul4(mgl32.Translate3D(.5, 0, 0)), 1, false},
		{pixels(640, 360), 1, false},
		{pixels(640, 360), 2, true},
		{wide, 2, false},
		{wide.Mul4(mgl32.HomogRotate3DZ(.1)), 1, false},
	} {
		t.Run(fmt.Sprint(c.m), func(t *testing.T) {
			if r.matrix = c.m; r.exact(c.scale) != c.want {
				t.Errorf("got exact %v for scale %v of\n%v; want %v", !c.want, c.scale, c.m, c.want)
			}
		})
	}
}

func TestShaderErrorsCarryTheLog(t *testing.T) {
	everyKind(t, func(t *testing.T, ctx *egltest.Context, r *Renderer) {
		_, err := compile(glFragmentShader, "fragment", "void main() { nonsense(); }")
		if err == nil || !strings.Contains(err.Error(), "fragment shader") ||
			!strings.Contains(err.Error(), "nonsense") {
			t.Errorf("got %v; want an error with the driver's log", err)
		}
	})
}

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
