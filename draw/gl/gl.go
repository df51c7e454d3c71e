//go:build cgo

package gl

import (
	"sync"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// DrawGL draws the report with its top left corner at (x, y). Lengths are in the caller's units: pixels, virtual pixels or
// character cells, as the projection says. LineSpacing above 0: y grows down; below 0: y grows up, as in the original. Text
// that does not fit the width is cut; records that do not fit the height scroll to keep the cursor in sight. Values are
// rounded. The caller's blending is honoured and all of its GL state is as before. A nil report draws nothing; o may be nil.
//
// It is for the goroutine with the current OpenGL context, and fails without one, in one older than OpenGL 2.1 or ES 2, or
// when the driver refuses the shader program. Its cost is BenchmarkDrawGL's, and shows as the zone "iprof draw". Source:
// IProf's Prof_draw_gl.
func DrawGL(r *process.Report, x, y, width, height float32, o *Options) error {
	if r == nil {
		return nil
	}
	defer drawing.Begin().End()
	p := takePage()
	defer p.put()
	w := o.orDefault()
	draw.AppendReport(&p.list, r, x, y, width, height, draw.ReportOptions{LineSpacing: w.LineSpacing, Precision: w.Precision,
		Scale: w.Scale, Text: p.sink(&w)})
	return p.play(&w)
}

// DrawGraphGL draws one line for each zone, its self time per frame: the oldest frame at x, each newer one xSpacing units to
// the right; zero at y, each millisecond ySpacing units (a length) up the screen. The frame of age cursor is marked; below 0
// none is. Counts and levels have lines beside the zones' with process.AppendValueGraph. Units, blending, state, errors and goroutine are as in DrawGL; o may be nil. Its cost is BenchmarkDrawGraphGL's.
// Source: IProf's Prof_draw_graph_gl.
func DrawGraphGL(s []process.Series, cursor int, x, y, xSpacing, ySpacing float32, o *Options) error {
	defer drawing.Begin().End()
	p := takePage()
	defer p.put()
	w := o.orDefault()
	draw.AppendGraph(&p.list, s, cursor, x, y, xSpacing, ySpacing, draw.GraphOptions{LineSpacing: w.LineSpacing, Scale: w.Scale})
	return p.play(&w)
}

func (o *Options) orDefault() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// view is the mapping to the screen that the options ask for.
func (o *Options) view() view {
	return view{projection: o.Projection, scale: o.Scale, up: o.LineSpacing < 0}
}

// page is the memory of one call, kept for the next one. Callers on several threads, and a Print that draws itself, have
// one each.
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

// sink returns what draws text in the host's stead: nil is the profiler itself.
func (p *page) sink(o *Options) draw.TextSink {
	if o.Print == nil || o.Width == nil {
		return nil
	}
	p.text.print, p.text.width = o.Print, o.Width
	return &p.text
}

// play draws what is laid out, and then the host's text.
func (p *page) play(o *Options) error {
	err := play(&p.list, o.view(), o.Blend, o.TrustState)
	p.text.flush()
	return err
}
