package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// valueStrip is the strip of the program's own counts and levels: one band for each, as high as the band at its greatest.
type valueStrip struct {
	series []process.ValueSeries
	own    int // how many of them are the program's: those come first
}

// bandHeight is the least height of a band in nominal pixels.
const bandHeight = 13

// draw draws the strip, its columns under those of the history.
func (v *valueStrip) draw(c *canvas, d *shown, strip *strip, r rect) {
	in := c.card(r)
	names := hasLegend(c, in)
	plot := plotIn(c, in, 14, names)
	if plot.height() < 10 {
		return
	}
	v.choose(d)
	if v.own == 0 {
		c.left(plot.x0+8*c.em, plot.width()-8*c.em, plot, FaceText, "nothing counted yet: iprof.Count(name), iprof.Value(name, n)", c.textDim)
		return
	}
	bands := min(v.own, max(int(plot.height()/(bandHeight*c.em)), 1))
	legend := rect{plot.x1 + 20*c.em, 0, in.x1 - 6*c.em, 0}
	if !names { // over the lines, at their left
		legend = rect{plot.x0 + 4*c.em, 0, min(plot.x0+180*c.em, plot.x1), 0}
	}
	for i := range bands {
		y := plot.y0 + plot.height()*float32(i)/float32(bands)
		band := rect{plot.x0, snap(y), plot.x1, snap(y + plot.height()/float32(bands))}
		v.band(c, &v.series[i], band)
		legend.y0, legend.y1 = band.y0, band.y1
		v.name(c, d, &v.series[i], legend)
	}
	v.mark(c, d, plot)
	strip.span(c, d, plot, false)
	v.caption(c, v.own-bands, rect{plot.x0, plot.y1, plot.x1, in.y1})
	c.areas = append(c.areas, area{rect{plot.x0, r.y0, plot.x1, r.y1}, hitOf(HitGraph, 0), historyFrames})
}

// choose asks for the numbers, and puts the program's own first.
func (v *valueStrip) choose(d *shown) {
	v.series = d.source.AppendValueSeries(v.series[:0], historyFrames)
	v.own = 0
	for i := range v.series {
		if v.series[i].Kind != process.HeapValue {
			v.series[v.own], v.series[i] = v.series[i], v.series[v.own]
			v.own++
		}
	}
}

// mark shows which frame is selected.
func (v *valueStrip) mark(c *canvas, d *shown, plot rect) {
	if d.info.Live {
		return
	}
	step := plot.width() / historyFrames
	x0, x1 := snap(plot.x1-float32(d.info.Age+1)*step), snap(plot.x1-float32(d.info.Age)*step)
	c.Rect(x0, plot.y0, max(x1, x0+1), plot.y1, fade(white, 0.14))
}

// band draws one number of each frame: counts as columns, levels as a line.
func (v *valueStrip) band(c *canvas, s *process.ValueSeries, band rect) {
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
	zero := snap(band.y1 + low*scale)
	c.Rect(band.x0, zero-ringWidth(c.em), band.x1, zero, c.gridLine)
	col := c.zoneColor(s.Name)
	if s.Kind == process.CountValue {
		v.columns(c, s, band, zero, scale, mix(col, c.surface, 0.2))
		return
	}
	step := band.width() / historyFrames
	var last point
	for i, x := range s.Values {
		age := len(s.Values) - 1 - i
		at := point{band.x1 - (float32(age)+0.5)*step, zero - x*scale, finite(x)}
		if last.here && at.here {
			c.segment(last.x, last.y, at.x, at.y, 1.5*c.em, 0.5, col)
		}
		last = at
	}
}

func (v *valueStrip) columns(c *canvas, s *process.ValueSeries, band rect, zero, scale float32, col color.NRGBA) {
	step := band.width() / historyFrames
	for i, x := range s.Values {
		if !finite(x) || x == 0 {
			continue
		}
		age := len(s.Values) - 1 - i
		x0, x1 := snap(band.x1-float32(age+1)*step), snap(band.x1-float32(age)*step)
		top, bottom := zero-x*scale, zero
		c.Rect(x0, min(top, bottom), max(x1, x0+1), max(top, bottom), col)
	}
}

// name tells a band's name, and its value in the frame under the mouse, or the selected one.
func (v *valueStrip) name(c *canvas, d *shown, s *process.ValueSeries, r rect) {
	age := d.info.Age
	if d.hover.Kind == HitGraph || d.hover.Kind == HitAxis {
		age = d.hover.Age
	}
	y := (r.y0 + r.y1) / 2
	c.Round(r.x0, y-4.5*c.em, r.x0+9*c.em, y+4.5*c.em, 3*c.em, c.zoneColor(s.Name))
	c.buffer = append(c.buffer[:0], '-')
	if at := len(s.Values) - 1 - age; at >= 0 && at < len(s.Values) && finite(s.Values[at]) {
		c.buffer = appendCount(c.buffer[:0], float64(s.Values[at]))
	}
	taken := c.asciiRight(r.x1, c.baseline(r.y0, r.y1, FaceTiny), FaceTiny, c.buffer, c.textBright)
	c.left(r.x0+17*c.em, r.width()-taken-23*c.em, r, FaceSmall, s.Name, c.textDim)
}

// caption says what the strip shows, and how many numbers there was no room for.
func (v *valueStrip) caption(c *canvas, more int, r rect) {
	taken := c.left(r.x0, r.width(), r, FaceSmall, "counts and values, each from 0 to its greatest", c.textFaint)
	if more <= 0 {
		return
	}
	c.buffer = append(appendFixed(append(c.buffer[:0], '+'), float64(more), 0), " more in the report as text"...)
	if taken+c.asciiWidth(FaceSmall, c.buffer)+12*c.em < r.width() {
		c.asciiRight(r.x1, c.baseline(r.y0, r.y1, FaceSmall), FaceSmall, c.buffer, c.textFaint)
	}
}
