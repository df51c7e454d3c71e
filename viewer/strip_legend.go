package viewer

import (
	"image/color"

	"example.com/iprof/draw"
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
// is drawn, if there is room. Otherwise it names the lowest layers, which are the greatest, and the others in a tip.
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
	for i := s.name(&g) - 1; i >= 0; i-- {
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
	c.tailed(r.x0+17*c.em, r.width()-c.entryTime(r, ms)-23*c.em, r, draw.FaceSmall, sign, name, c.TextDim)
}

// entryTime draws the time of a line of a legend, and returns its width.
func (c *canvas) entryTime(r rect, ms float64) float32 {
	c.buffer = draw.AppendFixed(c.buffer[:0], ms, c.precision)
	return c.ASCIIRight(r.x1, c.baseline(r.y0, r.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
}
