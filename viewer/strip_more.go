package viewer

import "example.com/iprof/draw"

// more is the line of the legend for the layers that it has no room to name. A tip names them.
type more struct {
	at   rect
	from int // the first of those layers
	due  bool
}

// name draws the line for the layers without one, if there are any. It returns how many layers, from the lowest, have a
// line.
func (s *strip) name(g *legend) int {
	fit := g.rows*g.columns - g.n
	if len(s.layers) <= fit {
		return len(s.layers)
	}
	c, row := g.c, g.next()
	fit = max(fit-1, 0)
	sum := 0.0
	for i := fit; i < len(s.layers); i++ {
		sum += max(s.mean(&s.layers[i]), 0)
	}
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(len(s.layers)-fit), 0), " more zones"...)
	c.text(row.x0+17*c.em, row.width(), row, draw.FaceSmall, c.buffer, c.TextDim)
	c.entryTime(row, sum)
	s.more = more{at: row, from: fit, due: c.tip.accepts(c.hovers(row))}
	return fit
}

// drawMore draws the tip that names the layers without a line, in their order, with their colours and times.
func (s *strip) drawMore(c *canvas, d *shown, screen rect) {
	if !s.more.due {
		return
	}
	n := len(s.layers) - s.more.from
	line, width := 18*c.em, 190*c.em
	rows := max(min(n, int((screen.height()-30*c.em)/line)), 1)
	columns := (n + rows - 1) / rows
	rows = (n + columns - 1) / columns
	size := point{x: float32(columns)*width + 8*c.em, y: float32(rows)*line + 14*c.em}
	y := min(s.more.at.y0, screen.y1-4*c.em-size.y)
	in := c.tipGround(screen, s.more.at.x0-10*c.em-size.x, y, size.x, size.y)
	for i := range n {
		l := &s.layers[len(s.layers)-1-i]
		x, y := in.x0+float32(i/rows)*width, in.y0+float32(i%rows)*line
		row := rect{x, y, x + width - 16*c.em, y + line}
		c.entry(row, l.sign, c.label(d, l.zone, l.name), c.ZoneColor(l.name), s.mean(l))
	}
}
