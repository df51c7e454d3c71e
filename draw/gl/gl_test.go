//go:build cgo

package gl

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"testing"
	"time"

	host "github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// testReport is a report of so many records, in which everything a record can show occurs.
func testReport(records int) *report.Report {
	r := &report.Report{Title: "16.67 ms  60.0 fps  sort self  newest frame",
		Warnings: []string{"measuring costs 5 % of the frame"},
		Columns: []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount,
			report.ColumnSelfPercent, report.ColumnMean, report.ColumnMax}, Cursor: 3}
	for i := range records {
		rec := report.Record{Zone: report.ZoneID(i), Path: int32(i), Name: fmt.Sprintf("zone_%d", i), Indent: i % 3,
			Sign:   report.Sign(i % 3),
			Costly: i%5 == 0, Open: i%7 == 0, Idle: i%11 == 0, Depth: i % 4, Heat: float32(i%10) / 10,
			Group: report.GroupFocus}
		for _, c := range r.Columns {
			rec.Values[c], rec.Mask = float64(i)*1.37/float64(c+1), rec.Mask.With(report.Column(c))
		}
		r.Records = append(r.Records, rec)
	}
	return r
}

// testSeries is the self time of so many zones over so many frames.
func testSeries(zones, frames int) []report.Series {
	s := make([]report.Series, zones)
	for i := range s {
		s[i] = report.Series{Zone: report.ZoneID(i), Name: fmt.Sprintf("zone_%d", i)}
		for f := range frames {
			s[i].Values = append(s[i].Values, float32(2+i%4)+float32(math.Sin(float64(f*(i+1))/9)))
		}
	}
	return s
}

// painted is the list by the software rasteriser, on the background.
func painted(l *draw.List, width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	imagedraw.Draw(m, m.Rect, image.NewUniform(background), image.Point{}, imagedraw.Src)
	soft.Render(m, l)
	return m
}

const wide, high = 500, 300

// hostZone is a zone of the host's.
var hostZone = NewZone("host")

// onEveryKind runs f on a larger context of every kind, for the package's own renderers.
func onEveryKind(t *testing.T, f func(t *testing.T, ctx *egltest.Context)) {
	for _, kind := range egltest.Kinds {
		egltest.Run(t, kind, wide, high, func(t *testing.T, ctx *egltest.Context) {
			forget()
			must.Do(t, load())
			hostZone.Begin().End() // from here on the package's drawing is a zone of the GPU, too
			f(t, ctx)
			noError(t, "the test")
		})
	}
}

func wantAlike(t *testing.T, ctx *egltest.Context, want *image.RGBA, what string) {
	t.Helper()
	if d := alike(ctx.Image(), want); d != "" {
		t.Errorf("%v, %s: got a different picture: %s; want draw/soft's", ctx.Kind, what, d)
	}
}

// The report and the graph look as draw lays them out, in pixels given by a projection.
func TestDrawGLAndDrawGraphGLLookAsLaidOut(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		p := pixels(wide, high)
		var want draw.List
		draw.AppendReport(&want, testReport(30), 10, 8, 480, 280, draw.ReportOptions{})
		ctx.Clear(background)
		must.Do(t, DrawGL(testReport(30), 10, 8, 480, 280, &Options{Blend: BlendAlpha, Projection: &p}))
		wantAlike(t, ctx, painted(&want, wide, high), "DrawGL")

		want.Reset()
		draw.AppendGraph(&want, testSeries(4, 60), 5, 10, 280, 8, 40, draw.GraphOptions{})
		ctx.Clear(background)
		must.Do(t, DrawGraphGL(testSeries(4, 60), 5, 10, 280, 8, 40, &Options{Blend: BlendAlpha, Projection: &p}))
		wantAlike(t, ctx, painted(&want, wide, high), "DrawGraphGL")
	})
}

// The caller's units may be anything: half as many to a pixel, y growing up, set by the fixed-function matrices where
// there are any. The picture is the same.
func TestDrawGLInTheCallersUnits(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		var want draw.List
		draw.AppendReport(&want, testReport(9), 10, 8, 230, 130, draw.ReportOptions{Scale: 2})
		for i := range want.V {
			want.V[i].X, want.V[i].Y = 2*want.V[i].X, 2*want.V[i].Y
		}
		down, up := mgl32.Ortho2D(0, wide/2, high/2, 0), mgl32.Ortho2D(0, wide/2, 0, high/2)
		for name, o := range map[string]*Options{
			"projection, y down": {Projection: &down},
			"projection, y up":   {Projection: &up, LineSpacing: -17},
			"none, y down":       {},
			"none, y up":         {LineSpacing: -17},
		} {
			o.Scale, o.Blend = 2, BlendAlpha
			y := float32(8)
			if o.LineSpacing < 0 {
				y = high/2 - 8
			}
			if m := &down; ctx.Kind == egltest.Compat || ctx.Kind == egltest.Legacy {
				if o.LineSpacing < 0 {
					m = &up
				}
				ctx.LoadMatrix(0x1701, (*[16]float32)(m))
			}
			ctx.Clear(background)
			must.Do(t, DrawGL(testReport(9), 10, y, 230, 130, o))
			wantAlike(t, ctx, painted(&want, wide, high), name)
		}
	})
}

// A host of the fixed-function pipeline may load its matrices when it draws, and leave the identity. Then units are
// pixels, as in contexts without these matrices.
func TestIdentityMatricesArePixels(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		if ctx.Kind == egltest.Compat || ctx.Kind == egltest.Legacy {
			identity := mgl32.Ident4()
			ctx.LoadMatrix(0x1701, (*[16]float32)(&identity))
			ctx.LoadMatrix(0x1700, (*[16]float32)(&identity))
		}
		var want draw.List
		draw.AppendReport(&want, testReport(9), 10, 8, 460, 260, draw.ReportOptions{})
		for name, spacing := range map[string]float32{"y down": 0, "y up": -17} {
			y := float32(8)
			if spacing < 0 {
				y = high - 8
			}
			ctx.Clear(background)
			must.Do(t, DrawGL(testReport(9), 10, y, 460, 260, &Options{LineSpacing: spacing, Blend: BlendAlpha}))
			wantAlike(t, ctx, painted(&want, wide, high), name)
		}
	})
}

// Explicit projection and fixed-function matrices that say the same give the same bytes.
func TestFixedFunctionMatricesAreAProjection(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		if ctx.Kind != egltest.Compat && ctx.Kind != egltest.Legacy {
			return
		}
		p, m := mgl32.Ortho(0, 80, 25, 0, -1, 1), mgl32.Translate3D(1, 2, 0)
		ctx.LoadMatrix(0x1701, (*[16]float32)(&p))
		ctx.LoadMatrix(0x1700, (*[16]float32)(&m))
		both := p.Mul4(m)
		ctx.Clear(background)
		must.Do(t, DrawGL(testReport(9), 0, 0, 70, 20, &Options{LineSpacing: 1, Blend: BlendAlpha, Scale: 12}))
		want := ctx.Image()
		ctx.Clear(background)
		must.Do(t, DrawGL(testReport(9), 0, 0, 70, 20,
			&Options{LineSpacing: 1, Blend: BlendAlpha, Scale: 12, Projection: &both}))
		if got := ctx.Image(); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("got another picture: %s; want the same bytes", differ(got, want))
		}
		if d := alike(want, painted(&draw.List{}, wide, high)); d == "" {
			t.Error("got nothing drawn; want a report in character cells")
		}
	})
}

// The host's own text comes after everything that lies below it, with the host's state in force.
func TestHostDrawsItsOwnText(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		p := pixels(wide, high)
		ctx.Clear(background)
		host.Enable(host.DEPTH_TEST)
		var texts []string
		o := &Options{Projection: &p, Blend: BlendAlpha, Width: func(s string) float32 { return 8 * float32(len(s)) }}
		o.Print = func(x, y float32, s string, c color.RGBA) {
			if len(texts) == 0 && ctx.Image().RGBAAt(450, 4) == background {
				t.Error("got text before the ground below it")
			}
			if !host.IsEnabled(host.DEPTH_TEST) || x < 0 || x > wide || y < 0 || y > high || c.A == 0 {
				t.Errorf("got %q at (%v, %v), colour %v, or not the host's state; want it within %d x %d, visible",
					s, x, y, c, wide, high)
			}
			texts = append(texts, s)
		}
		must.Do(t, DrawGL(testReport(5), 0, 0, wide, high, o))
		for _, want := range []string{"zone", "zone_4"} {
			found := false
			for _, s := range texts {
				found = found || bytes.Contains([]byte(s), []byte(want))
			}
			if !found {
				t.Errorf("got texts %q; want %q among them", texts, want)
			}
		}
		host.Disable(host.DEPTH_TEST)
	})
}

func TestDrawGLWithoutReport(t *testing.T) {
	if err := DrawGL(nil, 0, 0, 1, 1, nil); err != nil {
		t.Errorf("got %v; want nil: there is nothing to draw", err)
	}
}

// Drawing allocates nothing once everything has its size.
func TestDrawGLAllocatesNothing(t *testing.T) {
	if !platform.Assembly {
		t.Skip("the zone of drawing asks for the goroutine, which allocates")
	}
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		h := newOddHost(ctx, renderer(t).caps)
		r, s, o := testReport(60), testSeries(12, 300), &Options{Blend: BlendAlpha}
		for _, odd := range []bool{false, true} {
			if odd {
				h.set()
			}
			least := func(draw func() error) float64 { // what else runs in this process allocates now and then
				n := allocstest.PerRun(3, func() { must.Do(t, draw()) })
				for try := 0; try < 20 && n > 0; try++ {
					n = min(n, allocstest.PerRun(3, func() { must.Do(t, draw()) }))
				}
				return n
			}
			report := least(func() error { return DrawGL(r, 0, 0, wide, high, o) })
			graph := least(func() error { return DrawGraphGL(s, 3, 0, high, 1, 10, o) })
			if report != 0 || graph != 0 {
				t.Errorf("%v, odd state %v: got %v and %v allocations; want 0 and 0", ctx.Kind, odd, report, graph)
			}
		}
	})
}

// renderer returns the package's own renderer of the current context.
func renderer(t testing.TB) *Renderer {
	t.Helper()
	r := must.Get(current(false))(t)
	return r
}

// warm is for a first call, which makes the atlas and the renderer.
func warm(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// benchDraw reports the least processor time of the calling thread for one call, which other programs hardly change.
// Every tenth call is waited for, so that the driver's queue stays short.
func benchDraw(b *testing.B, draw func() error) {
	forget()
	warm(b, draw())
	b.ReportAllocs()
	least, thread := time.Duration(math.MaxInt64), platform.LockedThread()
	for i := 1; b.Loop(); i++ {
		start := platform.ThreadTime(thread)
		must.Do(b, draw())
		least = min(least, platform.ThreadTime(thread)-start)
		if i%10 == 0 {
			host.Finish()
		}
	}
	b.ReportMetric(float64(least), "least-ns")
}

// One frame draws 60 rows of 6 columns: the processor's part, with state saved and restored.
func BenchmarkDrawGL(b *testing.B) {
	egltest.Open(b, egltest.Core, 64, 64)
	r := testReport(60)
	benchDraw(b, func() error { return DrawGL(r, 0, 0, 1280, 1200, nil) })
}

// 300 frames of 12 zones, outside and inside the viewport.
func BenchmarkDrawGraphGL(b *testing.B) {
	for name, side := range map[string]int{"outside": 64, "inside": 1280} {
		b.Run(name, func(b *testing.B) {
			egltest.Open(b, egltest.Core, side, side)
			s := testSeries(12, 300)
			benchDraw(b, func() error { return DrawGraphGL(s, 3, 0, 700, 4, 20, nil) })
		})
	}
}

// A list of one quad: what saving, restoring and the driver's call cost.
func BenchmarkState(b *testing.B) {
	for _, trust := range []bool{false, true} {
		b.Run(fmt.Sprintf("trust=%v", trust), func(b *testing.B) {
			egltest.Open(b, egltest.Core, 64, 64)
			r := must.Get(NewRenderer())(b)
			l, p := half(), pixels(64, 64)
			for b.Loop() {
				must.Do(b, r.Draw(l, &p, BlendAlpha, trust))
			}
			host.Finish()
		})
	}
}

// differ describes where two pictures differ first and how often.
func differ(got, want *image.RGBA) string {
	n, first := 0, ""
	for y := got.Rect.Min.Y; y < got.Rect.Max.Y; y++ {
		for x := got.Rect.Min.X; x < got.Rect.Max.X; x++ {
			a := got.RGBAAt(x, y)
			b := want.RGBAAt(x, y)
			if a != b {
				if n++; n == 1 {
					first = fmt.Sprintf("at (%d,%d) %v for %v", x, y, a, b)
				}
			}
		}
	}
	return fmt.Sprintf("%d pixels, first %s", n, first)
}

// alike says how the pictures of one list by two rasterisers differ beyond what their rounding explains; "" is alike.
func alike(got, want *image.RGBA) string {
	if err := golden.Measure(got, want).Within(golden.Driver); err != nil {
		return err.Error()
	}
	return ""
}

// testAtlas has a fully covered left half and a disc on the right.
func testAtlas() *draw.Atlas {
	m := image.NewAlpha(image.Rect(0, 0, 34, 17))
	for y := range 17 {
		for x := range 17 {
			m.SetAlpha(x, y, color.Alpha{A: 255})
			d := (x-8)*(x-8) + (y-8)*(y-8)
			m.SetAlpha(x+17, y, color.Alpha{A: uint8(max(0, min(255, (64-d)*16)))})
		}
	}
	return &draw.Atlas{Image: m, Generation: 1}
}

// quad appends a quad that shows the texels from (u, v) on, one to a unit.
func quad(l *draw.List, x, y, width, height, u, v float32, c color.NRGBA) {
	size := l.Atlas.Image.Rect.Size()
	corner := func(dx, dy float32, stretch bool) draw.Vertex {
		tu, tv := u+dx, v+dy
		if stretch {
			tu, tv = u, v
		}
		return draw.Vertex{X: x + dx, Y: y + dy, U: uint16(tu * 65535 / float32(size.X)),
			V: uint16(tv * 65535 / float32(size.Y)), R: c.R, G: c.G, B: c.B, A: c.A}
	}
	solid := u < 17
	l.V = append(l.V, corner(0, 0, solid), corner(width, 0, solid), corner(width, height, solid),
		corner(0, height, solid))
}

// Solid rectangles, translucent ones over one another, and discs from the atlas.
func testList() *draw.List {
	l := &draw.List{Atlas: testAtlas()}
	quad(l, 4, 3, 40, 30, 8, 8, color.NRGBA{R: 200, G: 40, B: 20, A: 255})
	quad(l, 20, 10, 30, 35, 8, 8, color.NRGBA{R: 20, G: 200, B: 100, A: 160})
	quad(l, 2, 30, 60, 4, 8, 8, color.NRGBA{R: 90, G: 90, B: 255, A: 60})
	quad(l, 10, 28, 17, 17, 17, 0, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	quad(l, 40, 20, 17, 17, 17, 0, color.NRGBA{R: 255, G: 200, B: 0, A: 200})
	return l
}

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

// Each mode of a panel draws what draw lays out for it; a panel that is off draws nothing and needs no context.
func TestOverlayPanelDrawsAPanel(t *testing.T) {
	s := process.NewSession()
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	if err := OverlayPanel(p); err != nil {
		t.Errorf("got %v from a panel that is off, without a context; want nil", err)
	}
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		for _, mode := range []viewer.PanelMode{viewer.PanelHUD, viewer.PanelReportAndGraph, viewer.PanelFull} {
			p.Change(func(o *viewer.Options) { o.Mode = mode })
			ctx.Clear(background)
			must.Do(t, OverlayPanel(p))
			var want draw.List
			p.Draw(&want, wide, high, 1)
			wantAlike(t, ctx, painted(&want, wide, high), "panel")
			if alike(ctx.Image(), painted(&draw.List{}, wide, high)) == "" {
				t.Errorf("%v, mode %d: got an empty picture; want the panel", ctx.Kind, mode)
			}
		}
		p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
		if n := allocstest.PerRun(10, func() { must.Do(t, overlay(p)) }); n != 0 && platform.Assembly {
			t.Errorf("%v: got %v allocations; want 0", ctx.Kind, n)
		}
	})
}

// The default session's overlay is off until its panel is switched on.
func TestOverlayIsTheDefaultSessions(t *testing.T) {
	forget()
	ctx := egltest.Open(t, egltest.Core, wide, high)
	p := viewer.PanelFor(process.Default())
	before := p.Options().Mode
	defer p.Change(func(o *viewer.Options) { o.Mode = before })
	for mode, shown := range map[viewer.PanelMode]bool{viewer.PanelOff: false, viewer.PanelFull: true} {
		p.Change(func(o *viewer.Options) { o.Mode = mode })
		ctx.Clear(background)
		must.Do(t, Overlay())
		if got := ctx.Image().RGBAAt(wide/2, high/2) != (color.RGBA)(background); got != (shown && gather.Enabled) {
			t.Errorf("mode %d: got a panel shown %v; want %v", mode, got, shown)
		}
	}
}
