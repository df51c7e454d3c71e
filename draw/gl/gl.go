//go:build cgo || windows

package gl

import (
	"sync"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// DrawGL draws the report with its top left corner at (x, y). Lengths are in the caller's units: pixels, virtual pixels
// or character cells, as the projection says. If LineSpacing is above 0, y grows down; if below 0, y grows up. Text
// that does not fit the width is cut. Records that do not fit the height scroll to keep the cursor in sight. Values are
// rounded. The caller's blending is used, and all GL state is restored, with the exceptions that Renderer lists. A nil
// report draws nothing. o may be nil.
//
// Call it on the goroutine with the current OpenGL context. It returns an error without a context, in a context older
// than OpenGL 2.1 or ES 2, and if the driver refuses the shader program. BenchmarkDrawGL measures its cost, and the
// zone "iprof draw" shows it. Source: IProf's Prof_draw_gl.
func DrawGL(r *report.Report, x, y, width, height float32, o *Options) error {
	if r == nil {
		return nil
	}
	defer beginDrawing().End()
	p := takePage()
	defer p.put()
	w := o.orDefault()
	draw.AppendReport(&p.list, r, x, y, width, height, draw.ReportOptions{
		LineSpacing: w.LineSpacing, Precision: w.Precision,
		Scale: w.Scale, Text: p.sink(&w)})
	return p.play(&w)
}

// DrawGraphGL draws self time per frame, one line per zone. The oldest frame lies at x, each newer one xSpacing units
// to the right. Zero milliseconds lie at y. Each millisecond is |ySpacing| units up the screen. A vertical line marks
// the frame with age cursor; a cursor below 0 has no line. Units, blending, GL state, errors and goroutine are as in
// DrawGL. o may be nil. BenchmarkDrawGraphGL measures its cost. Source: IProf's Prof_draw_graph_gl.
func DrawGraphGL(s []report.Series, cursor int, x, y, xSpacing, ySpacing float32, o *Options) error {
	defer beginDrawing().End()
	p := takePage()
	defer p.put()
	w := o.orDefault()
	draw.AppendGraph(&p.list, s, cursor, x, y, xSpacing, ySpacing,
		draw.GraphOptions{LineSpacing: w.LineSpacing, Scale: w.Scale})
	return p.play(&w)
}

func (o *Options) orDefault() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// view returns the mapping to the screen that the options describe.
func (o *Options) view() view {
	return view{projection: o.Projection, scale: o.Scale, up: o.LineSpacing < 0}
}

// page is the memory of one call, which later calls reuse. Calls at the same time, from several threads or from a Print
// that draws, have separate pages.
type page struct {
	list draw.List
	text hostText
}

var pages struct {
	sync.Mutex
	free []*page
}

func takePage() *page {
	pages.Lock()
	defer pages.Unlock()
	n := len(pages.free)
	if n == 0 {
		return new(page)
	}
	p := pages.free[n-1]
	pages.free = pages.free[:n-1]
	return p
}

func (p *page) put() {
	p.list.Reset()
	p.text.print, p.text.width = nil, nil
	pages.Lock()
	defer pages.Unlock()
	pages.free = append(pages.free, p)
}

// sink returns the host's own text, or nil if the profiler draws the text.
func (p *page) sink(o *Options) draw.TextSink {
	if o.Print == nil || o.Width == nil {
		return nil
	}
	p.text.print, p.text.width = o.Print, o.Width
	return &p.text
}

// play draws the list, and then the host's text.
func (p *page) play(o *Options) error {
	err := play(&p.list, o.view(), o.Blend, o.TrustState)
	p.text.flush()
	return err
}
