package viewer

import (
	"image/color"
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// valueStrip is the strip of the program's own counts and levels. Each has a band, scaled to its own greatest value.
type valueStrip struct {
	series []process.ValueSeries
	own    int // number of the program's own series, which come first
}

// bandHeight is the least height of a band in nominal pixels.
const bandHeight = 13

// draw draws the strip. Its columns lie below those of the history.
func (v *valueStrip) draw(c *canvas, d *shown, strip *strip, r rect) {
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if plot.height() < 10 {
		return
	}
	v.choose(d)
	if v.own == 0 {
		const words = "nothing counted yet: iprof.Count(name), iprof.Value(name, n)"
		c.left(plot.x0+8*c.em, plot.width()-8*c.em, plot, draw.FaceText, words, c.TextDim)
		return
	}
	bands := min(v.own, max(int(plot.height()/(bandHeight*c.em)), 1))
	legend := rect{plot.x1 + 20*c.em, 0, in.x1 - 6*c.em, 0}
	if !names { // over the lines, at their left
		legend = rect{plot.x0 + 4*c.em, 0, min(plot.x0+180*c.em, plot.x1), 0}
	}
	for i := range bands {
		y := plot.y0 + plot.height()*float32(i)/float32(bands)
		band := rect{plot.x0, draw.Snap(y), plot.x1, draw.Snap(y + plot.height()/float32(bands))}
		v.band(c, d, &v.series[i], band)
		legend.y0, legend.y1 = band.y0, band.y1
		v.name(c, d, &v.series[i], legend)
	}
	v.mark(c, d, plot)
	strip.frame(c, d, plot, false)
	v.caption(c, v.own-bands, rect{plot.x0, plot.y1, plot.x1, in.y1})
	c.addFrames(rect{plot.x0, r.y0, plot.x1, r.y1}, HitGraph, d)
}

// choose copies the series, the program's own first.
func (v *valueStrip) choose(d *shown) {
	v.series = append(v.series[:0], d.Values...)
	v.own = 0
	for i := range v.series {
		if v.series[i].Kind != process.ValueHeap {
			v.series[v.own], v.series[i] = v.series[i], v.series[v.own]
			v.own++
		}
	}
}

// mark marks the selected frame.
func (v *valueStrip) mark(c *canvas, d *shown, plot rect) {
	if d.info.Live || !d.visible(d.info.Age) {
		return
	}
	x0, x1 := d.columnEdges(plot, d.info.Age)
	c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, draw.Fade(white, 0.14))
}

// band draws the values of one series: counts as columns, levels as a line.
func (v *valueStrip) band(c *canvas, d *shown, s *process.ValueSeries, band rect) {
	low, high := float32(0), float32(0)
	for _, x := range s.Values {
		if finite(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	if high == low {
		high = low + 1
	}
	scale := (band.height() - 3*c.em) / (high - low)
	zero := draw.Snap(band.y1 + low*scale)
	c.Rect(band.x0, zero-draw.Hairline(c.em), band.x1, zero, c.GridLine)
	col := c.ZoneColor(s.Name)
	if s.Kind == process.ValueCount {
		v.columns(c, d, s, band, zero, scale, draw.Mix(col, c.Surface, 0.2))
		return
	}
	var last point
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.edges(band, f.Oldest, f.Newest)
		x := farthest(s.Values, f)
		at := point{(x0 + x1) / 2, zero - x*scale, finite(x)}
		if last.here && at.here {
			c.Segment(last.x, last.y, at.x, at.y, 1.5*c.em, 0.5, col)
		}
		last = at
	}
}

func (v *valueStrip) columns(
	c *canvas, d *shown, s *process.ValueSeries, band rect, zero, scale float32, col color.NRGBA,
) {
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x := farthest(s.Values, f)
		if !finite(x) || x == 0 {
			continue
		}
		x0, x1 := d.edges(band, f.Oldest, f.Newest)
		top, bottom := zero-x*scale, zero
		c.Rect(x0, min(top, bottom), max(x1, x0+1), max(top, bottom), col)
	}
}

// farthest returns the value farthest from 0 in the frames of a column, NaN if none is known.
func farthest(values []float32, f *process.PastColumn) float32 {
	best := float32(math.NaN())
	for age := f.Newest; age <= f.Oldest && age < len(values); age++ {
		if x := values[len(values)-1-age]; finite(x) && !(abs(x) <= abs(best)) {
			best = x
		}
	}
	return best
}

// name writes a series' name, and its value in the frame under the mouse or else in the selected frame.
func (v *valueStrip) name(c *canvas, d *shown, s *process.ValueSeries, r rect) {
	age, _ := d.pointed()
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, c.ZoneColor(s.Name))
	c.buffer = append(c.buffer[:0], '-')
	if at := len(s.Values) - 1 - age; at >= 0 && at < len(s.Values) && finite(s.Values[at]) {
		c.buffer = draw.AppendCount(c.buffer[:0], float64(s.Values[at]))
	}
	taken := c.ASCIIRight(r.x1, c.baseline(r.y0, r.y1, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
	c.left(r.x0+17*c.em, r.width()-taken-23*c.em, r, draw.FaceSmall, s.Name, c.TextDim)
}

// caption draws the name of the strip, and the number of series without room.
func (v *valueStrip) caption(c *canvas, more int, r rect) {
	taken := c.left(r.x0, r.width(), r, draw.FaceSmall, "counts and values, each from 0 to its greatest", c.TextFaint)
	if more <= 0 {
		return
	}
	c.buffer = append(draw.AppendFixed(append(c.buffer[:0], '+'), float64(more), 0), " more in the report as text"...)
	if taken+c.ASCIIWidth(draw.FaceSmall, c.buffer)+12*c.em < r.width() {
		c.ASCIIRight(r.x1, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextFaint)
	}
}
