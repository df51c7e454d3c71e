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

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
	host "github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

// testReport is a report of so many records, in which everything a record can show occurs.
func testReport(records int) *report.Report {
	r := &report.Report{Title: "16.67 ms  60.0 fps  sort self  newest frame",
		Warnings: []string{"measuring costs 5 % of the frame"},
		Columns: []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount,
			report.ColumnSelfPercent, report.ColumnMean, report.ColumnMax}, Cursor: 3}
	for i := range records {
		rec := report.Record{Zone: report.ZoneID(i), Path: int32(i), Name: fmt.Sprintf("zone_%d", i), Indent: i % 3,
			Mark:   report.Mark(i % 3),
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
