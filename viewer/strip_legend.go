package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// The least height of a line of the legend, and the width of a column of it, in nominal pixels.
const leastLine, legendColumn = 13, 190

// legendColumns returns the number of columns of the legend in a place: more than one only if the zones need it.
func (s *strip) legendColumns(c *canvas, in rect) int {
	lines := max(int((in.height()-4*c.em)/(leastLine*c.em)), 1)
	most := 1
	if in.width() >= 900*c.em {
		most = 2
	}
	if in.width() >= 1600*c.em {
		most = 3
	}
	s.room = min(max(lines*most-2, 1), stackedMost) // two lines are for other zones, and for words
	return min((len(s.layers)+2+lines-1)/lines, most)
}

// legendWidth returns the width of the legend.
func (s *strip) legendWidth(c *canvas, in rect) float32 {
	return float32(s.legendColumns(c, in)) * legendColumn * c.em
}

// legend names the layers in the order of the columns, with their times in the frames of the report. It names all that
// is drawn.
func (s *strip) legend(c *canvas, d *shown, r rect) {
	columns := max(int((r.width()+26*c.em)/(legendColumn*c.em)+0.5), 1)
	g := legend{c: c, in: r, rows: (len(s.layers) + 2 + columns - 1) / columns, columns: columns}
	g.line = max(min(r.height()/float32(g.rows), 20*c.em), leastLine*c.em)
	g.rows = max(int(r.height()/g.line+0.01), 1)
	s.weigh(d)
	if s.shared && !s.lines && g.rows > 4 {
		row := g.next()
		c.explain(row, "ms per frame", "the zones' own times are sums over goroutines that ran at once,\n"+
			"so they are more than the frame's length")
		c.left(row.x0, row.width(), row, draw.FaceSmall, "ms per frame", c.TextFaint)
	}
	if rest := s.meanRest(d); rest > 0.005 {
		row := g.next()
		c.explain(row, "other zones", "the time of all zones that are too small for a colour of their own")
		c.entry(row, "", "other zones", draw.Mix(c.Grey, c.Surface, 0.35), rest)
	}
	over := d.zoneUnderMouse()
	for i := len(s.layers) - 1; i >= 0; i-- {
		l := &s.layers[i]
		row := g.next()
		around := rect{row.x0 - 6*c.em, row.y0, row.x1 + 6*c.em, row.y1}
		if l.zone == over {
			c.Round(around.x0, row.y0, around.x1, row.y1, 4*c.em, c.Hovered)
		}
		hit := hitOf(HitLegend, 0)
		hit.Zone = l.zone
		c.add(around, hit)
		c.entry(row, l.sign, c.label(d, l.zone, l.name), c.ZoneColor(l.name), s.mean(l))
	}
}

// weigh computes the weight of each frame in the table's values. So the legend has the same values as the table.
func (s *strip) weigh(d *shown) {
	s.weights = d.Weights(s.weights[:0], historyFrames)
	s.values = s.values[:0]
	for i := range s.layers {
		s.values = append(s.values, s.layers[i].values)
	}
}

// mean returns a layer's time with the weights of weigh, ms. It is NaN if none of the frames has a value.
func (s *strip) mean(l *layer) float64 {
	if len(s.weights) == 0 { // the layers know their times in the frame shown
		return float64(l.shown)
	}
	return s.weights.Mean(l.values)
}

// meanRest returns the time of the zones without a layer, with the weights of weigh, ms.
func (s *strip) meanRest(d *shown) float64 {
	if len(s.weights) > 0 {
		return d.MeanRest(s.weights, s.values)
	}
	rest := d.info.Busy
	for i := range s.layers {
		rest -= max(float64(s.layers[i].shown), 0)
	}
	return max(rest, 0)
}

// legend places the lines of a legend, column by column.
type legend struct {
	c             *canvas
	in            rect
	line          float32
	rows, columns int
	n             int
}

// next returns the place of the next line.
func (g *legend) next() rect {
	column, row := g.n/g.rows, g.n%g.rows
	g.n++
	width := (g.in.width() + 26*g.c.em) / float32(g.columns)
	x, y := g.in.x0+float32(column)*width, g.in.y0+float32(row)*g.line
	return rect{x, y, x + width - 28*g.c.em, y + g.line}
}

// entry draws a line of a legend: bullet, name and time.
func (c *canvas) entry(r rect, sign, name string, col color.NRGBA, ms float64) {
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, col)
	c.buffer = draw.AppendFixed(c.buffer[:0], ms, c.precision)
	number := c.ASCIIRight(r.x1, c.baseline(r.y0, r.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
	c.tailed(r.x0+17*c.em, r.width()-number-23*c.em, r, draw.FaceSmall, sign, name, c.TextDim)
}

// tipZones is the greatest number of zones in the tip.
const tipZones = 4

// tip draws the tip of the frame under the mouse, or of the selected frame while the session is paused. It is drawn
// after the parts around the history, because it lies above them.
func (s *strip) tip(c *canvas, d *shown) {
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
	if d.Past.Columns[i].OtherLanes > 0 {
		height += 16 * c.em
	}
	if d.Past.Columns[i].Collector.Any() {
		width, height = 280*c.em, height+16*c.em
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
