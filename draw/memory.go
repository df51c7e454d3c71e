package draw

import (
	"image/color"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// memory is the strip of what frames allocated, how large the live heap was, and where the garbage collector ran.
type memory struct{ bytes, heap eased }

// draw draws the strip, its columns under those of the history.
func (m *memory) draw(c *canvas, d *shown, strip *strip, r rect) {
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if plot.height() < 10 {
		return
	}
	if !m.isMeasured(d) {
		c.left(plot.x0+8*c.em, plot.width()-8*c.em, plot, FaceText, "the heap is not measured in this memory mode", c.textDim)
		m.caption(c, d, plot, in.y1)
		return
	}
	m.ease(d)
	step := plot.width() / historyFrames
	n := min(len(d.frames), historyFrames)
	var last point
	for age := n - 1; age >= 0; age-- {
		f := &d.frames[len(d.frames)-1-age]
		x0, x1 := snap(plot.x1-float32(age+1)*step), snap(plot.x1-float32(age)*step)
		m.column(c, plot, f, x0, x1, age == d.info.Age && !d.info.Live)
		if f.HeapLive == 0 {
			last.here = false
			continue
		}
		at := point{(x0 + x1) / 2, plot.y1 - min(float32(f.HeapLive)/m.heap.top, 1)*plot.height(), true}
		if last.here {
			c.segment(last.x, last.y, at.x, at.y, 1.5*c.em, 0.5, c.amber)
		}
		last = at
	}
	strip.span(c, d, plot, false)
	m.axis(c, plot)
	m.caption(c, d, plot, in.y1)
	c.areas = append(c.areas, area{rect{plot.x0, r.y0, plot.x1, r.y1}, hitOf(HitGraph, 0), historyFrames})
	if names {
		m.words(c, d, rect{plot.x1 + 20*c.em, in.y0, in.x1 - 6*c.em, in.y1})
	}
}

// modes says in words what is measured.
var modes = [gather.NumMemoryModes]string{"memory off", "own arenas only", "heap per frame", "heap per zone"}

// caption says what the strip shows, what is measured, and what that costs.
func (m *memory) caption(c *canvas, d *shown, plot rect, bottom float32) {
	below := rect{plot.x0, plot.y1, plot.x1, bottom}
	x := plot.x0 + c.left(plot.x0, plot.width(), below, FaceSmall, "bytes allocated, live heap, garbage collections", c.textFaint) + 12*c.em
	mode, end := modes[min(d.info.Memory, gather.HeapPerZone)], plot.x1
	if i := len(d.frames) - 1 - d.info.Age; i >= 0 && i < len(d.frames) && d.info.Memory >= gather.HeapPerFrame {
		c.buffer = appendFixed(append(c.buffer[:0], "costs "...), float64(d.frames[i].HeapCost)*1000, 1)
		const unit = " µs a frame"
		if width := c.asciiWidth(FaceSmall, c.buffer) + c.Width(FaceSmall, unit) + 6*c.em; x+c.Width(FaceSmall, mode)+width < end {
			c.asciiRight(end-c.right(end, below, FaceSmall, unit, c.textFaint), c.baseline(below.y0, below.y1, FaceSmall), FaceSmall, c.buffer, c.textFaint)
			end -= width
		}
	}
	if x+c.Width(FaceSmall, mode) <= end {
		c.right(end, below, FaceSmall, mode, c.textDim)
	}
}

// isMeasured reports whether any frame in sight tells of the heap.
func (m *memory) isMeasured(d *shown) bool {
	for i := range d.frames {
		if d.frames[i].Memory >= gather.HeapPerFrame {
			return true
		}
	}
	return false
}

// ease moves the scales to where the largest values in sight fit.
func (m *memory) ease(d *shown) {
	bytes, heap := uint64(0), uint64(0)
	for i := range d.frames {
		bytes, heap = max(bytes, d.frames[i].AllocBytes), max(heap, d.frames[i].HeapLive)
	}
	m.bytes.toward(roundUp(max(float32(bytes), 1000)))
	m.heap.toward(roundUp(max(float32(heap)*1.06, 1000)))
}

// axis writes the scale of the columns at the left, and that of the line at the right.
func (m *memory) axis(c *canvas, plot rect) {
	c.Rect(plot.x0, plot.y0, plot.x1, plot.y0+ringWidth(c.em), c.gridLine)
	c.Rect(plot.x0, plot.y1, plot.x1, plot.y1+ringWidth(c.em), c.gridLine)
	allocated, heap := "allocated: 0 to ", "live heap: 0 to "
	if plot.width() < 480*c.em {
		allocated, heap = "", "" // the colours tell
	}
	c.buffer = appendBytes(append(c.buffer[:0], allocated...), float64(m.bytes.top))
	m.label(c, plot.x0+4*c.em, plot, c.accent)
	c.right(plot.x0-6*c.em, rect{0, plot.y1 - 10*c.em, 0, plot.y1 + 4*c.em}, FaceTiny, "0", c.textFaint)
	c.buffer = appendBytes(append(c.buffer[:0], heap...), float64(m.heap.top))
	m.label(c, plot.x1-4*c.em-c.asciiWidth(FaceTiny, c.buffer), plot, c.amber)
}

// label writes the upper end of a scale on a ground of its own, for the data goes on behind.
func (m *memory) label(c *canvas, x float32, plot rect, col color.NRGBA) {
	y := plot.y0 + 3*c.em
	c.Rect(x-3*c.em, y, x+c.asciiWidth(FaceTiny, c.buffer)+3*c.em, y+13*c.em, fade(c.surface, 0.75))
	c.ascii(x, c.baseline(y, y+13*c.em, FaceTiny), FaceTiny, c.buffer, col)
}

// column draws one frame. A garbage collection is a line through the whole height, with a flag.
func (m *memory) column(c *canvas, plot rect, f *process.FrameSummary, x0, x1 float32, marked bool) {
	if marked {
		c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, fade(white, 0.14))
	}
	height := min(float32(f.AllocBytes)/m.bytes.top, 1) * plot.height()
	c.Rect(x0, plot.y1-height, x1, plot.y1, mix(c.accent, c.surface, 0.35))
	if f.Cycles > 0 {
		c.Rect(x0, plot.y0, x0+ringWidth(c.em), plot.y1, c.gcColor)
		c.Rect(x0, plot.y0, x0+6*c.em, plot.y0+4*c.em, c.gcColor)
	}
}

// words tells the numbers of the frame under the mouse, or of the selected one.
func (m *memory) words(c *canvas, d *shown, r rect) {
	age := d.info.Age
	if d.hover.Kind == HitGraph || d.hover.Kind == HitAxis {
		age = d.hover.Age
	}
	i := len(d.frames) - 1 - age
	if i < 0 || i >= len(d.frames) {
		return
	}
	f := &d.frames[i]
	line := 18 * c.em
	row := rect{r.x0, r.y0 + 2*c.em, r.x1, r.y0 + 2*c.em + line}
	for _, v := range [...]struct {
		name  string
		bytes uint64
	}{{"allocated", f.AllocBytes}, {"live heap", f.HeapLive}} {
		c.left(row.x0, 90*c.em, row, FaceSmall, v.name, c.textDim)
		c.buffer = appendBytes(c.buffer[:0], float64(v.bytes))
		c.asciiRight(row.x1, c.baseline(row.y0, row.y1, FaceTiny), FaceTiny, c.buffer, c.textBright)
		row.y0, row.y1 = row.y1, row.y1+line
	}
	if row.y1 > r.y1+6*c.em {
		return
	}
	c.left(row.x0, 110*c.em, row, FaceSmall, "GC, pauses", c.textDim)
	c.buffer = append(c.buffer[:0], '-')
	if f.Cycles > 0 {
		c.buffer = append(appendFixed(c.buffer[:0], float64(f.Cycles), 0), ", "...)
		c.buffer = append(appendFixed(c.buffer, float64(f.Pause), c.precision), " ms"...)
	}
	c.asciiRight(row.x1, c.baseline(row.y0, row.y1, FaceTiny), FaceTiny, c.buffer, c.textBright)
}
