package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// drawBar draws the self time within the hierarchical time within the greatest there is.
func drawBar(c *canvas, r rect, record *process.Record, col color.NRGBA, most float64) {
	if most <= 0 {
		return
	}
	y := snap((r.y0+r.y1)/2 - 3.5*c.em)
	bottom := y + snap(7*c.em)
	x1 := snap(r.x1)
	c.Round(r.x0, y, x1, bottom, 3.5*c.em, c.raised)
	end := func(ms float64) float32 { return r.x0 + r.width()*float32(min(ms/most, 1)) }
	hier, self := record.Values[process.ColumnHier], record.Values[process.ColumnSelf]
	if hier > 0 {
		c.Round(r.x0, y, max(end(hier), r.x0+2*c.em), bottom, 3.5*c.em, mix(c.raised, col, 0.42))
	}
	if self > 0 {
		c.Round(r.x0, y, max(end(self), r.x0+2*c.em), bottom, 3.5*c.em, col)
	}
}

// sparkFrames is how many frames a sparkline shows, two to a point: the greater of them, for a spike must not be lost.
const sparkFrames = 60

// sparkAge is the age of the frame that sparklines end with: the one that is looked at, if it is of the history.
func (d *shown) sparkAge() int {
	if i := &d.info; i.Age < len(d.frames) && !i.Gone && !i.Kept && i.Lens.Kind == process.LensOff {
		return max(i.Age, 0)
	}
	return 0
}

// drawSpark draws a record's time over the last frames up to the one looked at, scaled to its own greatest.
func drawSpark(c *canvas, d *shown, r rect, record *process.Record, col color.NRGBA) {
	until := d.sparkAge()
	if record.Path >= 0 {
		d.line = d.source.AppendPathHistory(d.line[:0], record.Path, until+sparkFrames)
	} else {
		d.line = d.source.AppendZoneHistory(d.line[:0], record.Zone, until+sparkFrames)
	}
	v := d.line[:max(len(d.line)-until, 0)]
	v = v[max(len(v)-sparkFrames, 0):]
	top := float32(0)
	for _, x := range v {
		if finite(x) {
			top = max(top, x)
		}
	}
	if len(v) < 2 || top <= 0 {
		return
	}
	var g spark
	perMs := r.height() / (top * 1.1)
	step := r.width() / sparkFrames
	x := r.x1 - float32(len(v))*step
	for i := 0; i+1 < len(v); i += 2 {
		if finite(v[i]) || finite(v[i+1]) {
			g.points[g.n] = point{x + (float32(i)+1)*step, r.y1 - greater(v[i], v[i+1])*perMs, true}
		}
		g.n++
	}
	g.ground(c, r.y1, mix(c.surface, col, 0.22))
	g.line(c, col)
}

// spark is the points of a sparkline; those that are not here are gaps.
type spark struct {
	points [sparkFrames/2 + 1]point // the last is never here
	n      int
}

// ground fills what lies under the line, in as few rectangles as its steps allow.
func (g *spark) ground(c *canvas, bottom float32, col color.NRGBA) {
	from, level, open := float32(0), float32(0), false
	for i := range g.n {
		a, b := g.points[i], g.points[i+1]
		height := snap(max(a.y, b.y))
		joined := a.here && b.here
		if open && (!joined || height != level) {
			c.Rect(from, level, a.x, bottom, col)
			open = false
		}
		if joined && !open {
			from, level, open = a.x, height, true
		}
	}
}

// line draws the line.
func (g *spark) line(c *canvas, col color.NRGBA) {
	stroke := c.atlas().strokeOf(1.5 * c.em)
	for i := range g.n {
		if a, b := &g.points[i], &g.points[i+1]; a.here && b.here {
			c.stroke(stroke, a.x, a.y, b.x, b.y, 0.5, col)
		}
	}
}

// greater is the greater of two values of which one may be no number.
func greater(a, b float32) float32 {
	if a >= b || !finite(b) {
		return max(a, 0)
	}
	return max(b, 0)
}
