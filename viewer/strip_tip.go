package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// tipZones is the greatest number of zones in the tip.
const tipZones = 4

// tip draws the tip of the frame under the mouse, or of the selected frame while the session is paused, and that of the
// legend. They are drawn after the parts around the history, because they lie above them.
func (s *strip) tip(c *canvas, d *shown, screen rect) {
	s.drawMore(c, d, screen)
	plot := s.plot
	if plot.width() < 20 || plot.height() < 10 {
		return
	}
	age, mouse := d.pointed()
	i := d.Past.At(age)
	if i < 0 || !mouse && (age == 0 && !d.info.Paused || s.ranged || d.info.Kept) {
		return
	}
	width, height := 192*c.em, float32(46+19*min(tipZones, len(s.layers)))*c.em
	marks := d.marksIn(&d.Past.Columns[i])
	if len(marks) > 0 {
		width, height = 280*c.em, height+float32(4+16*lines(marks))*c.em
	}
	if f := &d.Past.Columns[i]; f.OtherLanes > 0 {
		c.writeOthers(&f.FrameSummary)
		width, height = max(width, c.BytesWidth(draw.FaceSmall, c.buffer)+27*c.em), height+16*c.em
	}
	if d.Past.Columns[i].Collector.Any() {
		width, height = max(width, 280*c.em), height+16*c.em
	}
	x0, x1 := d.columnEdges(plot, age)
	x := s.beside(c, d, rect{x0, 0, x1, 0}, width)
	y := min(plot.y0+4*c.em, plot.y1-height)
	if s.ranged {
		y = plot.y0 + 20*c.em // below the words of the range
	}
	box := rect{draw.Snap(max(x, plot.x0)), draw.Snap(max(y, plot.y0-8*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+draw.Snap(width), box.y0+draw.Snap(height)
	c.raised(box)
	in := box.inset(13*c.em, 6*c.em)
	s.tipText(c, d, in, i)
	c.marks(marks, rect{in.x0, in.y1 - float32(16*lines(marks))*c.em, in.x1, in.y1})
}

// beside returns the x of the tip of a column: at some distance from it, on the side where it hides the lower columns.
func (s *strip) beside(c *canvas, d *shown, column rect, width float32) float32 {
	gap := 30 * c.em
	right, left := column.x1+gap, column.x0-gap-width
	switch {
	case left < s.plot.x0:
		return right
	case right+width > s.plot.x1:
		return left
	}
	var highest [2]float32
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.edges(s.plot, f.Oldest, f.Newest)
		if x1 > left && x0 < left+width {
			highest[0] = max(highest[0], f.Busy)
		}
		if x1 > right && x0 < right+width {
			highest[1] = max(highest[1], f.Busy)
		}
	}
	if highest[0] < highest[1] {
		return left
	}
	return right
}

// tipText writes the tip: the frame, and the zones that took most of it.
func (s *strip) tipText(c *canvas, d *shown, in rect, at int) {
	f := &d.Past.Columns[at]
	head := rect{in.x0, in.y0, in.x1, in.y0 + 18*c.em}
	c.buffer = draw.AppendFixed(append(c.buffer[:0], "Frame "...), float64(f.Index), 0)
	if f.Cycles > 0 {
		c.buffer = append(c.buffer, "  GC"...)
	}
	x := in.x0 + c.ASCII(in.x0, c.baseline(head.y0, head.y1, draw.FaceBold), draw.FaceBold, c.buffer, c.TextBright)
	number := c.right(in.x1, head, draw.FaceSmall, " ms", c.TextDim)
	number += c.number(in.x1-number, head, draw.FaceMono, float64(f.Length), c.precision, c.TextBright)
	c.parts(&f.FrameSummary, rect{in.x0, in.y0 + 18*c.em, in.x1, in.y0 + 34*c.em})
	in.y0 += 16 * c.em
	if f.OtherLanes > 0 {
		c.othersWords(&f.FrameSummary, rect{in.x0, in.y0 + 18*c.em, in.x1, in.y0 + 34*c.em})
		in.y0 += 16 * c.em
	}
	if f.Collector.Any() {
		c.collectorWords(&f.Collector, rect{in.x0, in.y0 + 18*c.em, in.x1, in.y0 + 34*c.em})
		in.y0 += 16 * c.em
	}
	if room := in.x1 - number - x - 16*c.em; f.Label != "" && room > 20*c.em {
		c.left(x+8*c.em, room, head, draw.FaceSmall, f.Label, c.TextDim)
	}
	var done [tipZones]*layer
	for n := range min(tipZones, len(s.layers)) {
		l := s.greatest(at, done[:n])
		done[n] = l
		y := in.y0 + float32(20+19*n)*c.em
		ms := float64(valueAt(l.columns, at))
		c.entry(rect{in.x0, y, in.x1, y + 19*c.em}, l.sign, c.label(d, l.zone, l.name), c.ZoneColor(l.name), ms)
	}
}

// parts writes the busy and the waiting part of a frame.
func (c *canvas) parts(f *process.FrameSummary, r rect) {
	if !finite(f.Busy) {
		c.left(r.x0, r.width(), r, draw.FaceSmall, "its numbers are no longer kept", c.TextDim)
		return
	}
	i := process.FrameInfo{Length: float64(f.Length), Busy: float64(f.Busy)}
	c.buffer = i.AppendParts(c.buffer[:0], c.precision)
	c.ASCII(r.x0, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
}

// greatest returns the layer with most time in a column, without those that were taken already.
func (s *strip) greatest(at int, taken []*layer) (best *layer) {
	for i := range s.layers {
		l := &s.layers[i]
		free := true
		for _, t := range taken {
			free = free && t != l
		}
		if free && (best == nil || valueAt(l.columns, at) > valueAt(best.columns, at)) {
			best = l
		}
	}
	return best
}
