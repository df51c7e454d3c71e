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
	c.Round(r.x0, y, x1, bottom, 3.5*c.em, raised)
	end := func(ms float64) float32 { return r.x0 + r.width()*float32(min(ms/most, 1)) }
	hier, self := record.Values[process.ColumnHier], record.Values[process.ColumnSelf]
	if hier > 0 {
		c.Round(r.x0, y, max(end(hier), r.x0+2*c.em), bottom, 3.5*c.em, mix(raised, col, 0.42))
	}
	if self > 0 {
		c.Round(r.x0, y, max(end(self), r.x0+2*c.em), bottom, 3.5*c.em, col)
	}
}

// sparkFrames is how many frames a sparkline shows, two to a point: the greater of them, for a spike must not be lost.
const sparkFrames = 60

// drawSpark draws a record's time over the last frames, scaled to its own greatest.
func drawSpark(c *canvas, d *shown, r rect, record *process.Record, col color.NRGBA) {
	if record.Path >= 0 {
		d.line = d.source.AppendPathHistory(d.line[:0], record.Path, sparkFrames)
	} else {
		d.line = d.source.AppendZoneHistory(d.line[:0], record.Zone, sparkFrames)
	}
	v := d.line[max(len(d.line)-sparkFrames, 0):]
	top := float32(0)
	for _, x := range v {
		if finite(x) {
			top = max(top, x)
		}
	}
	if len(v) < 2 || top <= 0 {
		return
	}
	ground := mix(surface, col, 0.22)
	step := r.width() / sparkFrames
	x := r.x1 - float32(len(v))*step
	scale := r.height() / (top * 1.1)
	px, py, begun := x, r.y1, false
	for i := 0; i+1 < len(v); i += 2 {
		if !finite(v[i]) && !finite(v[i+1]) {
			begun = false
			continue
		}
		y := r.y1 - greater(v[i], v[i+1])*scale
		nx := x + (float32(i)+1)*step
		if begun {
			c.Rect(px, max(y, py), nx, r.y1, ground)
			c.Line(px, py, nx, y, c.em, col)
		}
		px, py, begun = nx, y, true
	}
}

// greater is the greater of two values of which one may be no number.
func greater(a, b float32) float32 {
	if a >= b || !finite(b) {
		return max(a, 0)
	}
	return max(b, 0)
}
