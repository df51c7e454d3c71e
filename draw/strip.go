package draw

import (
	"image/color"
	"math"

	"example.com/iprof/process"
)

// stacked is the greatest number of zones in the history strip; what the others took is stacked in grey.
const stacked = 12

// strip is the history: each frame a column of the zones that took most, lines where frames are too long, and the names.
type strip struct {
	layers []layer
	lines  bool
	plot   rect // of the last Draw
	eased       // ms at the upper edge

	older, newer int // ages of the range chosen
	ranged       bool
	shared       bool      // layers shrink to their shares somewhere in sight
	collected    bool      // a frame in sight has a garbage collection
	weights      []float32 // of frames, by age, in what the legend tells
}

// layer is one zone of the stack. Its place is kept while the same zones are the greatest: nothing jumps.
type layer struct {
	zone          int32
	name, sign    string
	values        []float32
	bright, muted color.NRGBA
}

// draw draws the strip in r: with axis and names, or only the columns where there is no room.
func (s *strip) draw(c *canvas, d *shown, base *baseline, r rect, names bool) {
	if r.height() <= 0 {
		s.plot = rect{}
		return
	}
	in := c.card(r)
	s.choose(c, d)
	names = names && hasLegend(c, in)
	plot := plotIn(c, in, 18, names)
	s.plot = plot
	if plot.width() < 20 || plot.height() < 10 {
		return
	}
	s.ease(d)
	s.takeRange(d)
	s.axis(c, plot)
	if s.lines {
		s.lineGraph(c, d, plot)
	} else {
		s.columns(c, d, plot)
		s.limits(c, d, plot)
	}
	s.collections(c, plot)
	base.flag(c, d, plot)
	s.span(c, d, plot, true)
	s.marker(c, d, plot)
	c.areas = append(c.areas, area{rect{plot.x0, r.y0, plot.x1, plot.y1}, hitOf(HitGraph, 0), historyFrames},
		area{rect{plot.x0, plot.y1, plot.x1, r.y1}, hitOf(HitAxis, 0), historyFrames})
	if names {
		s.legend(c, d, rect{plot.x1 + 20*c.em, in.y0 + 4*c.em, in.x1 - 6*c.em, in.y1})
	}
}

// hasLegend reports whether there is room for names beside a history.
func hasLegend(c *canvas, in rect) bool { return in.width() >= 560*c.em }

// plotIn is where the columns of a history lie: between the numbers of its axis and the names.
func plotIn(c *canvas, in rect, below float32, names bool) rect {
	plot := rect{in.x0 + 36*c.em, in.y0 + 6*c.em, in.x1, in.y1 - below*c.em}
	if names {
		plot.x1 -= 190 * c.em
	}
	return rect{snap(plot.x0), snap(plot.y0), snap(plot.x1), snap(plot.y1)}
}

// choose puts the zones that matter most, which the session chose, into layers, and leaves out the one that is there for the
// mouse's sake.
func (s *strip) choose(c *canvas, d *shown) {
	chosen := d.series[:min(len(d.series), stacked)]
	if n := len(chosen); n > 0 && chosen[n-1].Idle {
		chosen = chosen[:n-1]
	}
	known := 0
	for i := range chosen {
		if s.keep(&chosen[i]) {
			known++
		}
	}
	if known != len(chosen) || known != len(s.layers) {
		s.restack(chosen)
	}
	s.colors(c, d)
}

// keep hands a series to the layer that its zone has, if it has one.
func (s *strip) keep(v *process.Series) bool {
	for i := range s.layers {
		if l := &s.layers[i]; l.zone == v.Zone && l.name == v.Name {
			l.values, l.sign = v.Values, v.Estimated.Sign()
			return true
		}
	}
	return false
}

// restack begins anew, the greatest mean at the bottom: spikes stand on what is steady.
func (s *strip) restack(series []process.Series) {
	s.layers = s.layers[:0]
	for i := range series {
		v := &series[i]
		s.layers = append(s.layers, layer{zone: v.Zone, name: v.Name, sign: v.Estimated.Sign(), values: v.Values})
	}
}

// colors mutes the zones other than the one under the mouse, and keeps a darker colour for frames other than the selected.
func (s *strip) colors(c *canvas, d *shown) {
	over := d.zoneUnderMouse()
	for i := range s.layers {
		l := &s.layers[i]
		l.bright = c.zoneColor(l.name)
		if over >= 0 && over != l.zone {
			l.bright = mix(l.bright, c.surface, 0.62)
		}
		l.muted = mix(l.bright, c.surface, 0.22)
	}
}

// ease moves the scale toward the one at which the longest frame fits.
func (s *strip) ease(d *shown) {
	if s.lines {
		s.toward(roundUp(max(s.longestLine()*1.06, 0.1)*100) / 100)
		return
	}
	longest := float32(0)
	for i := range d.frames {
		if v := d.frames[i].Busy; v > longest && finite(v) {
			longest = v
		}
	}
	s.toward(roundUp(max(longest*1.06, 20)))
}

// roundUp is the next of 20, 40, 50, 80, 100, 200 and so on.
func roundUp(v float32) float32 {
	for unit := float32(10); unit < 1e9; unit *= 10 {
		for _, m := range [...]float32{2, 4, 5, 8, 10} {
			if v <= m*unit {
				return m * unit
			}
		}
	}
	return 1e10
}

// y is the height of so many ms.
func (s *strip) y(plot rect, ms float32) float32 {
	return plot.y1 - min(ms/s.top, 1)*plot.height()
}

// columns draws the frames. Age 0 is the last column; the first ones are empty while the history is young.
func (s *strip) columns(c *canvas, d *shown, plot rect) {
	n := min(len(d.frames), historyFrames)
	step := plot.width() / historyFrames
	marked := !s.ranged && (d.info.Age > 0 || d.info.Paused)
	s.shared, s.collected = false, false
	white := c.atlas().white
	for age := n - 1; age >= 0; age-- {
		f := &d.frames[len(d.frames)-1-age]
		x0 := snap(plot.x1 - float32(age+1)*step)
		x1 := snap(plot.x1 - float32(age)*step)
		bright := s.within(age) && (!marked || age == d.info.Age)
		s.column(c, f, age, plot, x0, x1, white, bright)
	}
}

// column draws one frame: the layers from the bottom, what is in none of them, and its signs.
func (s *strip) column(c *canvas, f *process.FrameSummary, age int, plot rect, x0, x1 float32, white texel, bright bool) {
	shrink, rest := s.shares(f, age)
	s.shared = s.shared || shrink < 0.98
	perMs := plot.height() / s.top
	y, ms := plot.y1, float32(0)
	for i := range s.layers {
		l := &s.layers[i]
		v := valueAt(l.values, age)
		if v <= 0 {
			continue
		}
		ms += v * shrink
		top := max(snap(plot.y1-ms*perMs), plot.y0)
		if top >= y {
			continue
		}
		col := l.muted
		if bright {
			col = l.bright
		}
		c.quad(x0, top, x1, y, white, white, col)
		y = top
	}
	if rest > 0 {
		top := max(snap(plot.y1-(ms+rest)*perMs), plot.y0)
		c.Rect(x0, top, x1, y, mix(c.grey, c.surface, 0.35))
		y = top
	}
	if f.Over {
		c.Rect(x0, y-max(1, 2*c.em), x1, y, c.red)
	}
	if f.Cycles > 0 {
		c.Rect(x0, plot.y1+c.em, max(x1, x0+2*c.em), plot.y1+6*c.em, c.gcColor)
		s.collected = true
	}
}

// shares makes a column as high as the frame was busy: what no layer has is the rest; where several lanes were busy at once
// the layers shrink to their shares.
func (s *strip) shares(f *process.FrameSummary, age int) (shrink, rest float32) {
	var sum float32
	for i := range s.layers {
		sum += max(valueAt(s.layers[i].values, age), 0)
	}
	if sum > f.Busy*1.001 && sum > 0 {
		return f.Busy / sum, 0
	}
	return 1, f.Busy - sum
}

// valueAt is the value of an age: 0 where there is none.
func valueAt(v []float32, age int) float32 {
	i := len(v) - 1 - age
	if i < 0 || !finite(v[i]) {
		return 0
	}
	return v[i]
}

// tickStep is the distance of the lines of the axis: about five.
func (s *strip) tickStep() float32 {
	unit := float32(math.Pow(10, math.Floor(math.Log10(float64(s.top)/2))))
	for _, m := range [...]float32{0.5, 1, 2, 2.5} {
		if s.top/(m*unit) <= 5.01 {
			return m * unit
		}
	}
	return 5 * unit
}
