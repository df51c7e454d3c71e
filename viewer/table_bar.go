package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// drawBar draws the self time as a part of the hierarchical time, and that as a part of the greatest hierarchical time.
func drawBar(c *canvas, r rect, record *process.Record, col color.NRGBA, most float64) {
	if most <= 0 {
		return
	}
	half := 3.5 * c.em
	if record.Idle {
		half = 1.5 * c.em
	}
	y := draw.Snap((r.y0+r.y1)/2 - half)
	bottom := y + draw.Snap(2*half)
	x1 := draw.Snap(r.x1)
	c.Round(r.x0, y, x1, bottom, 3.5*c.em, c.Raised)
	end := func(ms float64) float32 { return r.x0 + r.width()*float32(min(ms/most, 1)) }
	hier, self := record.Values[process.ColumnHier], record.Values[process.ColumnSelf]
	if hier > 0 {
		c.Round(r.x0, y, max(end(hier), r.x0+2*c.em), bottom, 3.5*c.em, draw.Mix(c.Raised, col, 0.42))
	}
	if self > 0 {
		c.Round(r.x0, y, max(end(self), r.x0+2*c.em), bottom, 3.5*c.em, col)
	}
}

// sparkFrames is the number of frames of a sparkline. Two frames share a point, which has the greater of their values,
// so that no spike is lost.
const sparkFrames = 60

// drawSpark draws a record's times in the frames up to the one shown. The scale ends at the greatest of them.
func drawSpark(c *canvas, r rect, v []float32, col color.NRGBA) {
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
	g.ground(c, r.y1, draw.Mix(c.Surface, col, 0.22))
	g.line(c, col)
}

// spark is the points of a sparkline. A point that is not here is a gap.
type spark struct {
	points [sparkFrames/2 + 1]point // the last is never here
	n      int
}

// ground fills the area under the line with as few rectangles as its steps allow.
func (g *spark) ground(c *canvas, bottom float32, col color.NRGBA) {
	from, level, open := float32(0), float32(0), false
	for i := range g.n {
		a, b := g.points[i], g.points[i+1]
		height := draw.Snap(max(a.y, b.y))
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
	for i := range g.n {
		if a, b := &g.points[i], &g.points[i+1]; a.here && b.here {
			c.Segment(a.x, a.y, b.x, b.y, 1.5*c.em, 0.5, col)
		}
	}
}

// greater returns the greater of two values. One of them may be NaN.
func greater(a, b float32) float32 {
	if a >= b || !finite(b) {
		return max(a, 0)
	}
	return max(b, 0)
}
