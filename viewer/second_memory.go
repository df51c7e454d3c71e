package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// memory is the strip of the heap: for each frame the bytes allocated, the size of the live heap and the garbage
// collections.
type memory struct{ bytes, heap eased }

// draw draws the strip. Its columns lie below those of the history.
func (m *memory) draw(c *canvas, d *shown, strip *strip, r rect) {
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if plot.height() < 10 {
		return
	}
	if !m.isMeasured(d) {
		const words = "the heap is not measured in this memory mode"
		c.left(plot.x0+8*c.em, plot.width()-8*c.em, plot, draw.FaceText, words, c.TextDim)
		m.caption(c, d, plot, in.y1)
		return
	}
	m.ease(d)
	var last point
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.edges(plot, f.Oldest, f.Newest)
		here := d.info.Age <= f.Oldest && d.info.Age >= f.Newest
		m.column(c, plot, &f.FrameSummary, x0, x1, here && !d.info.Live)
		if f.HeapLive == 0 {
			last.here = false
			continue
		}
		at := point{(x0 + x1) / 2, plot.y1 - min(float32(f.HeapLive)/m.heap.top, 1)*plot.height(), true}
		if last.here {
			c.Segment(last.x, last.y, at.x, at.y, 1.5*c.em, 0.5, c.Amber)
		}
		last = at
	}
	strip.frame(c, d, plot, false)
	m.axis(c, plot)
	m.caption(c, d, plot, in.y1)
	c.addFrames(rect{plot.x0, r.y0, plot.x1, r.y1}, HitGraph, d)
	if names {
		m.words(c, d, rect{plot.x1 + 20*c.em, in.y0, in.x1 - 6*c.em, in.y1})
	}
}

// modes are the names of the memory modes.
var modes = [gather.NumMemoryModes]string{"memory off", "own arenas only", "heap per frame", "heap per zone"}

// caption draws the name of the strip, the memory mode and its cost.
func (m *memory) caption(c *canvas, d *shown, plot rect, bottom float32) {
	below := rect{plot.x0, plot.y1, plot.x1, bottom}
	const words = "bytes allocated, live heap, garbage collections"
	x := plot.x0 + c.left(plot.x0, plot.width(), below, draw.FaceSmall, words, c.TextFaint) + 12*c.em
	mode, end := modes[min(d.info.Memory, gather.MemoryHeapPerZone)], plot.x1
	if f := d.column(d.info.Age); f != nil && d.info.Memory >= gather.MemoryHeapPerFrame {
		c.buffer = draw.AppendFixed(append(c.buffer[:0], "costs "...), float64(f.HeapCost)*1000, 1)
		const unit = " µs a frame"
		width := c.ASCIIWidth(draw.FaceSmall, c.buffer) + c.Width(draw.FaceSmall, unit) + 6*c.em
		if x+c.Width(draw.FaceSmall, mode)+width < end {
			right := end - c.right(end, below, draw.FaceSmall, unit, c.TextFaint)
			y := c.baseline(below.y0, below.y1, draw.FaceSmall)
			c.ASCIIRight(right, y, draw.FaceSmall, c.buffer, c.TextFaint)
			end -= width
		}
	}
	if x+c.Width(draw.FaceSmall, mode) <= end {
		c.right(end, below, draw.FaceSmall, mode, c.TextDim)
	}
}

// isMeasured reports whether any frame in sight has measurements of the heap.
func (m *memory) isMeasured(d *shown) bool {
	for i := range d.Past.Columns {
		if d.Past.Columns[i].Memory >= gather.MemoryHeapPerFrame {
			return true
		}
	}
	return false
}

// ease moves the scales toward the largest values in sight.
func (m *memory) ease(d *shown) {
	bytes, heap := uint64(0), uint64(0)
	for i := range d.Past.Columns {
		bytes, heap = max(bytes, d.Past.Columns[i].AllocBytes), max(heap, d.Past.Columns[i].HeapLive)
	}
	m.bytes.toward(roundUp(max(float32(bytes), 1000)))
	m.heap.toward(roundUp(max(float32(heap)*1.06, 1000)))
}

// axis writes the scale of the columns at the left, and the scale of the line at the right.
func (m *memory) axis(c *canvas, plot rect) {
	c.Rect(plot.x0, plot.y0, plot.x1, plot.y0+draw.Hairline(c.em), c.GridLine)
	c.Rect(plot.x0, plot.y1, plot.x1, plot.y1+draw.Hairline(c.em), c.GridLine)
	allocated, heap := "allocated: 0 to ", "live heap: 0 to "
	if plot.width() < 480*c.em {
		allocated, heap = "", "" // the colours suffice
	}
	c.buffer = draw.AppendBytes(append(c.buffer[:0], allocated...), float64(m.bytes.top))
	m.label(c, plot.x0+4*c.em, plot, c.Accent)
	c.right(plot.x0-6*c.em, rect{0, plot.y1 - 10*c.em, 0, plot.y1 + 4*c.em}, draw.FaceTiny, "0", c.TextFaint)
	c.buffer = draw.AppendBytes(append(c.buffer[:0], heap...), float64(m.heap.top))
	m.label(c, plot.x1-4*c.em-c.ASCIIWidth(draw.FaceTiny, c.buffer), plot, c.Amber)
}

// label writes the upper end of a scale. It has a ground of its own, because the data goes on behind it.
func (m *memory) label(c *canvas, x float32, plot rect, col color.NRGBA) {
	y := plot.y0 + 3*c.em
	c.Rect(x-3*c.em, y, x+c.ASCIIWidth(draw.FaceTiny, c.buffer)+3*c.em, y+13*c.em, c.Surface)
	c.ASCII(x, c.baseline(y, y+13*c.em, draw.FaceTiny), draw.FaceTiny, c.buffer, col)
}

// column draws one frame. A garbage collection is a line of full height with a flag.
func (m *memory) column(c *canvas, plot rect, f *process.FrameSummary, x0, x1 float32, marked bool) {
	if marked {
		c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, draw.Fade(white, 0.14))
	}
	height := min(float32(f.AllocBytes)/m.bytes.top, 1) * plot.height()
	c.Rect(x0, plot.y1-height, x1, plot.y1, draw.Mix(c.Accent, c.Surface, 0.35))
	if f.Cycles > 0 {
		c.Rect(x0, plot.y0, x0+draw.Hairline(c.em), plot.y1, c.Collection)
		c.Rect(x0, plot.y0, x0+6*c.em, plot.y0+4*c.em, c.Collection)
	}
}

// words writes the numbers of the frame under the mouse, or else of the selected frame.
func (m *memory) words(c *canvas, d *shown, r rect) {
	age, _ := d.pointed()
	f := d.column(age)
	if f == nil {
		return
	}
	line := 18 * c.em
	row := rect{r.x0, r.y0 + 2*c.em, r.x1, r.y0 + 2*c.em + line}
	for _, v := range [...]struct {
		name  string
		bytes uint64
	}{{"allocated", f.AllocBytes}, {"live heap", f.HeapLive}} {
		c.left(row.x0, 90*c.em, row, draw.FaceSmall, v.name, c.TextDim)
		c.buffer = draw.AppendBytes(c.buffer[:0], float64(v.bytes))
		c.ASCIIRight(row.x1, c.baseline(row.y0, row.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
		row.y0, row.y1 = row.y1, row.y1+line
	}
	if row.y1 > r.y1+6*c.em {
		return
	}
	c.left(row.x0, 110*c.em, row, draw.FaceSmall, "GC, pauses", c.TextDim)
	c.buffer = append(c.buffer[:0], '-')
	if f.Cycles > 0 {
		c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(f.Cycles), 0), ", "...)
		c.buffer = append(draw.AppendFixed(c.buffer, float64(f.Pause), c.precision), " ms"...)
	}
	c.ASCIIRight(row.x1, c.baseline(row.y0, row.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
}
