package strip

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Memory is the strip of the heap: for each frame the bytes allocated, the size of the live heap and the garbage
// collections.
type Memory struct{ bytes, heap canvas.Eased }

// Draw draws the strip. Its columns lie below those of the history.
func (m *Memory) Draw(c *canvas.Canvas, d *scene.Scene, strip *Strip, r canvas.Rect) {
	in := c.Card(r)
	names := hasNames(c, d, in)
	plot := strip.below(c, in, names)
	if plot.Height() < 10 {
		return
	}
	if !m.isMeasured(d) {
		const words = "the heap is not measured in this memory mode"
		c.Left(plot.X0+8*c.Em, plot.Width()-8*c.Em, plot, draw.FaceText, words, c.TextDim)
		m.caption(c, d, plot, in.Y1)
		return
	}
	m.ease(d)
	var last canvas.Point
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(plot, f.Oldest, f.Newest)
		here := d.Info.Age <= f.Oldest && d.Info.Age >= f.Newest
		m.column(c, plot, &f.FrameSummary, x0, x1, here && !d.Info.Live)
		if f.HeapLive == 0 {
			last.Here = false
			continue
		}
		at := canvas.At((x0+x1)/2, plot.Y1-min(float32(f.HeapLive)/m.heap.Top, 1)*plot.Height(), true)
		if last.Here {
			c.Segment(last.X, last.Y, at.X, at.Y, 1.5*c.Em, 0.5, c.Amber)
		}
		last = at
	}
	cross(c, d, plot)
	strip.frame(c, d, plot, false)
	m.axis(c, plot)
	m.caption(c, d, plot, in.Y1)
	d.AddFrames(c, canvas.Box(plot.X0, r.Y0, plot.X1, r.Y1), hit.Graph)
	if names {
		m.words(c, d, canvas.Box(plot.X1+20*c.Em, in.Y0, in.X1-6*c.Em, in.Y1))
	}
}

// modes are the names of the memory modes.
var modes = [measure.NumMemoryModes]string{"memory off", "own arenas only", "heap per frame", "heap per zone"}

// caption draws the name of the strip, the memory mode and its cost.
func (m *Memory) caption(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect, bottom float32) {
	below := canvas.Box(plot.X0, plot.Y1, plot.X1, bottom)
	const words = "bytes allocated, live heap, garbage collections"
	x := plot.X0 + c.Left(plot.X0, plot.Width(), below, draw.FaceSmall, words, c.TextFaint) + 12*c.Em
	mode, end := modes[min(d.Info.Memory, gather.MemoryHeapPerZone)], plot.X1
	if f := d.Column(d.Info.Age); f != nil && d.Info.Memory >= gather.MemoryHeapPerFrame {
		c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "costs "...), float64(f.HeapCost)*1000, 1)
		const unit = " µs a frame"
		width := c.ASCIIWidth(draw.FaceSmall, c.Buffer) + c.Width(draw.FaceSmall, unit) + 6*c.Em
		if x+c.Width(draw.FaceSmall, mode)+width < end {
			right := end - c.Right(end, below, draw.FaceSmall, unit, c.TextFaint)
			y := c.Baseline(below.Y0, below.Y1, draw.FaceSmall)
			c.ASCIIRight(right, y, draw.FaceSmall, c.Buffer, c.TextFaint)
			end -= width
		}
	}
	if x+c.Width(draw.FaceSmall, mode) <= end {
		c.Right(end, below, draw.FaceSmall, mode, c.TextDim)
	}
}

// isMeasured reports whether any frame in sight has measurements of the heap.
func (m *Memory) isMeasured(d *scene.Scene) bool {
	for i := range d.Past.Columns {
		if d.Past.Columns[i].Memory >= gather.MemoryHeapPerFrame {
			return true
		}
	}
	return false
}

// Lock locks the scales, or unlocks them.
func (m *Memory) Lock(locked bool) { m.bytes.Locked, m.heap.Locked = locked, locked }

// Settling reports whether the scales still move.
func (m *Memory) Settling() bool { return m.bytes.Moving || m.heap.Moving }

// ease moves the scales toward the largest values in sight.
func (m *Memory) ease(d *scene.Scene) {
	bytes, heap := uint64(0), uint64(0)
	for i := range d.Past.Columns {
		bytes, heap = max(bytes, d.Past.Columns[i].AllocBytes), max(heap, d.Past.Columns[i].HeapLive)
	}
	m.bytes.Toward(RoundUp(max(float32(bytes), 1000)))
	m.heap.Toward(RoundUp(max(float32(heap)*1.06, 1000)))
}

// axis writes the scale of the columns at the left, and the scale of the line at the right.
func (m *Memory) axis(c *canvas.Canvas, plot canvas.Rect) {
	c.Rect(plot.X0, plot.Y0, plot.X1, plot.Y0+draw.Hairline(c.Em), c.GridLine)
	c.Rect(plot.X0, plot.Y1, plot.X1, plot.Y1+draw.Hairline(c.Em), c.GridLine)
	allocated, heap := "allocated: 0 to ", "live heap: 0 to "
	if plot.Width() < 480*c.Em {
		allocated, heap = "", "" // the colours suffice
	}
	c.Buffer = draw.AppendBytes(append(c.Buffer[:0], allocated...), float64(m.bytes.Top))
	m.label(c, plot.X0+4*c.Em, plot, c.Accent)
	c.Right(plot.X0-6*c.Em, canvas.Box(0, plot.Y1-10*c.Em, 0, plot.Y1+4*c.Em), draw.FaceTiny, "0", c.TextFaint)
	c.Buffer = draw.AppendBytes(append(c.Buffer[:0], heap...), float64(m.heap.Top))
	m.label(c, plot.X1-4*c.Em-c.ASCIIWidth(draw.FaceTiny, c.Buffer), plot, c.Amber)
}

// label writes the upper end of a scale. It has a background, because the data goes on behind it.
func (m *Memory) label(c *canvas.Canvas, x float32, plot canvas.Rect, col color.NRGBA) {
	y := plot.Y0 + 3*c.Em
	c.Rect(x-3*c.Em, y, x+c.ASCIIWidth(draw.FaceTiny, c.Buffer)+3*c.Em, y+13*c.Em, c.Surface)
	c.ASCII(x, c.Baseline(y, y+13*c.Em, draw.FaceTiny), draw.FaceTiny, c.Buffer, col)
}

// column draws one frame. A garbage collection is a line of full height with a flag.
func (m *Memory) column(c *canvas.Canvas, plot canvas.Rect, f *report.FrameSummary, x0, x1 float32, marked bool) {
	if marked {
		c.Rect(x0, plot.Y0, max(x1, x0+1), plot.Y1, draw.Fade(c.Strong, 0.14))
	}
	height := min(float32(f.AllocBytes)/m.bytes.Top, 1) * plot.Height()
	c.Rect(x0, plot.Y1-height, x1, plot.Y1, draw.Mix(c.Accent, c.Surface, 0.35))
	if f.Cycles > 0 {
		c.Rect(x0, plot.Y0, x0+draw.Hairline(c.Em), plot.Y1, c.Collection)
		c.Rect(x0, plot.Y0, x0+6*c.Em, plot.Y0+4*c.Em, c.Collection)
	}
}

// words writes the numbers of the frame under the mouse, or else of the selected frame.
func (m *Memory) words(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	age, _ := d.Pointed()
	f := d.Column(age)
	if f == nil {
		return
	}
	line := 18 * c.Em
	row := canvas.Box(r.X0, r.Y0+2*c.Em, r.X1, r.Y0+2*c.Em+line)
	for _, v := range [...]struct {
		name  string
		bytes uint64
	}{{"allocated", f.AllocBytes}, {"live heap", f.HeapLive}} {
		c.Left(row.X0, 90*c.Em, row, draw.FaceSmall, v.name, c.TextDim)
		c.Buffer = draw.AppendBytes(c.Buffer[:0], float64(v.bytes))
		c.ASCIIRight(row.X1, c.Baseline(row.Y0, row.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
		row.Y0, row.Y1 = row.Y1, row.Y1+line
	}
	if row.Y1 > r.Y1+6*c.Em {
		return
	}
	c.Left(row.X0, 110*c.Em, row, draw.FaceSmall, "GC, pauses", c.TextDim)
	c.Buffer = append(c.Buffer[:0], '-')
	if f.Cycles > 0 {
		c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(f.Cycles), 0), ", "...)
		c.Buffer = draw.AppendTime(c.Buffer, float64(f.Pause), c.Averages)
	}
	c.ASCIIRight(row.X1, c.Baseline(row.Y0, row.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
}
