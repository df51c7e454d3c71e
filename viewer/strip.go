package viewer

import (
	"image/color"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// A column of the history has the times of as many zones as are needed, from few to many, so that the other zones,
// which are one grey part, are at most restShare of it.
const (
	stacked     = 12
	stackedMost = 48
	restShare   = 0.2
)

// strip is the history. Each frame is a column of the zones that took most time, with lines at the limits and a legend.
type strip struct {
	layers   []layer
	lines    bool
	place    rect   // of all in the last Draw
	plot     rect   // place of the columns in the last Draw
	span     window // the frames in sight
	eased           // the upper end of the scale, ms
	places   places
	cuts     cuts
	age      int     // of the frame shown in the last Draw
	stack    int     // number of layers wanted; 0 is stacked
	grown    bool    // the next Draw has more layers
	resized  bool    // the place of the history has changed
	fit      int     // number of columns asked for
	waited   float64 // ms of frames for which the scale might have been lower
	released bool    // the scale need not wait
	lane     process.LaneID
	behind   int // number of frames that have ended while the picture is held

	older, newer int  // ages of the selected range
	ranged       bool // a range is selected
	shared       bool // a column in sight has more zone time than busy time, because of several lanes
	noCollector  bool // see Options.HideCollector
	collected    bool // a frame in sight has a garbage collection
	weights      process.Weights
	values       [][]float32 // of the layers
	lengths      []float32   // of the columns, sorted
	rest         float32     // greatest share of a column without a layer
	room         int         // number of zones that the legend has room for
	more         more        // the layers that the legend has no room to name
	longest      float32     // busy time of the longest frame in sight, ms
	in           rect        // place of the history in the last Draw

	budget  float64     // ms
	waitInk color.NRGBA // of the waiting part of frames
	others  others
}

// layer is one zone of the columns. It keeps its place while the same zones are the greatest, so that columns do not
// jump.
type layer struct {
	zone          process.ZoneID
	name, sign    string
	values        []float32 // of the newest frames
	columns       []float32 // of the columns in sight
	shown         float32   // of the frame that is shown
	absent        float64   // ms of frames since it was among the greatest
	bright, muted color.NRGBA
}

// draw draws the strip in r. Without names, or without room for them, it has no legend.
func (s *strip) draw(c *canvas, d *shown, r rect, names bool) {
	s.more.due = false
	if r.height() <= 0 {
		s.plot = rect{}
		return
	}
	s.place = r
	in := c.card(r)
	names = names && hasLegend(c, in)
	s.resize(c, in, names)
	s.choose(c, d)
	plot := plotIn(c, in, 18, names)
	if names {
		plot.x1 = draw.Snap(in.x1 - s.legendWidth(c, in))
	}
	s.plot = plot
	if plot.width() < 20 || plot.height() < 10 {
		return
	}
	s.ease(d)
	s.rest = 0
	s.takeRange(d)
	all := plot // with the band of the other lanes
	plot = s.others.place(c, d, plot, s)
	s.plot = plot
	s.axis(c, plot)
	s.ages(c, d, all)
	if s.lines {
		s.lineGraph(c, d, plot)
	} else {
		s.columns(c, d, plot)
		s.limits(c, d, plot)
	}
	s.grow()
	s.collections(c, plot)
	s.others.draw(c, d, s)
	s.flag(c, d, all)
	s.flags(c, d, plot)
	s.remark(c, plot)
	s.frame(c, d, all, true)
	s.marker(c, d, all)
	c.addFrames(rect{plot.x0, r.y0, plot.x1, all.y1}, HitGraph, d)
	c.addFrames(rect{plot.x0, all.y1, plot.x1, r.y1}, HitAxis, d)
	if names {
		s.legend(c, d, rect{plot.x1 + 20*c.em, in.y0 + 4*c.em, in.x1 - 6*c.em, in.y1})
	}
}

// hasLegend reports whether there is room for names beside a history.
func hasLegend(c *canvas, in rect) bool { return in.width() >= 560*c.em }

// plotIn returns the place of the columns of a history: between the numbers of its axis and the legend.
func plotIn(c *canvas, in rect, below float32, names bool) rect {
	plot := rect{in.x0 + 36*c.em, in.y0 + 6*c.em, in.x1, in.y1 - below*c.em}
	if names {
		plot.x1 -= 190 * c.em
	}
	return rect{draw.Snap(plot.x0), draw.Snap(plot.y0), draw.Snap(plot.x1), draw.Snap(plot.y1)}
}

// colors sets the colours of the layers. The zone under the mouse is brighter, and the others a little darker. Frames
// other than the selected one have darker colours.
func (s *strip) colors(c *canvas, d *shown) {
	dim := float32(0.2)
	if d.zoneUnderMouse() < 0 {
		dim = 0.55 // what is found stays lit for as long as the text is there
		if !slices.ContainsFunc(s.layers, func(l layer) bool { return d.found.has(l.zone) }) {
			dim = 0
		}
	}
	for i := range s.layers {
		l := &s.layers[i]
		l.bright = c.ZoneColor(l.name)
		switch d.light(l.zone) {
		case lit:
			l.bright = draw.Mix(l.bright, white, 0.45)
		case dimmed:
			l.bright = draw.Mix(l.bright, c.Surface, dim)
		}
		l.muted = draw.Mix(l.bright, c.Surface, 0.22)
	}
}

// columns draws the columns, the newest at the right. The left is empty while the history is young.
func (s *strip) columns(c *canvas, d *shown, plot rect) {
	marked := !s.ranged && (d.info.Age > 0 || d.info.Paused)
	s.shared, s.collected = false, false
	s.cuts.begin()
	s.collectorBands(c, d, plot)
	s.budget, s.waitInk = d.info.Budget.Seconds()*1000, draw.Fade(c.TextFaint, 0.13)
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.edges(plot, f.Oldest, f.Newest)
		here := d.info.Age <= f.Oldest && d.info.Age >= f.Newest
		s.column(c, f, i, rect{x0, plot.y0, x1, plot.y1}, s.within(f.Age) && (!marked || here))
	}
	s.cuts.draw(c, plot)
}

// column draws one column: the layers from the bottom, the other zones, and the marks.
func (s *strip) column(c *canvas, f *process.PastColumn, at int, box rect, bright bool) {
	if !finite(f.Busy) {
		return // not known
	}
	shrink, rest := s.shares(f.Busy, at)
	s.shared = s.shared || shrink < 0.98
	perMs := box.height() / s.top
	y, ms := box.y1, float32(0)
	for i := range s.layers {
		l := &s.layers[i]
		v := valueAt(l.columns, at)
		if v <= 0 {
			continue
		}
		ms += v * shrink
		top := max(draw.Snap(box.y1-ms*perMs), box.y0)
		if top >= y {
			continue
		}
		col := l.muted
		if bright {
			col = l.bright
		}
		c.Fill(box.x0, top, box.x1, y, col)
		y = top
	}
	if rest > 0 {
		top := max(draw.Snap(box.y1-(ms+rest)*perMs), box.y0)
		c.Rect(box.x0, top, box.x1, y, draw.Mix(c.Grey, c.Surface, 0.35))
		y = top
	}
	if f.Over {
		c.Rect(box.x0, y-max(1, 2*c.em), box.x1, y, c.Red)
	}
	s.waits(c, &f.FrameSummary, box, y)
	if f.Busy > s.top && !s.moving {
		s.cuts.add(c, box, f.Busy, false)
	}
	if f.Cycles > 0 && !s.noCollector {
		c.Rect(box.x0, box.y1+c.em, max(box.x1, box.x0+2*c.em), box.y1+6*c.em, c.Collection)
		s.collected = true
	}
}

// shares makes a column as high as the frame's busy time. The time of no layer is the rest, whose greatest share it
// notes. If several lanes were busy at once, the layers shrink in proportion.
func (s *strip) shares(busy float32, at int) (shrink, rest float32) {
	var sum float32
	for i := range s.layers {
		sum += valueAt(s.layers[i].columns, at)
	}
	if sum > busy*1.001 && sum > 0 {
		return busy / sum, 0
	}
	rest = busy - sum
	s.rest = max(s.rest, rest/max(busy, s.longest/20, 1e-6))
	return 1, rest
}

// valueAt returns a value above 0, or 0 if there is none.
func valueAt(v []float32, i int) float32 {
	if i < 0 || i >= len(v) || !finite(v[i]) {
		return 0
	}
	return max(v[i], 0)
}
