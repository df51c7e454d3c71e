package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// others is the band below the history: how long all other lanes together were busy in each frame. Its bars hang down.
// It has its place from the first such frame on, so that it moves nothing when the others rest.
type others struct {
	scale  eased   // ms
	waited float64 // ms of frames for which the scale might have been lower
	seen   bool
	plot   rect // place of the bars in the last Draw, empty without the band
}

// The height of the band as a share of that of the columns, and its least and greatest height, in nominal pixels.
const othersShare, leastOthers, mostOthers = 0.2, 14, 48

// othersGap is the room between the columns and the band, for the marks of collections, in nominal pixels.
const othersGap = 8

// othersTip explains the band.
const othersTip = "how long all other goroutines together were busy in each\n" +
	"frame, in milliseconds. They run at the same time, so it may\n" +
	"be more than the frame. Ctrl+L lists them"

// place takes the room of the band from the columns. It returns the place of the columns.
func (o *others) place(c *canvas, d *shown, plot rect, s *strip) rect {
	goal := float32(0)
	for i := range d.Past.Columns {
		if v := d.Past.Columns[i].Others; v > goal && finite(v) {
			goal = v
		}
	}
	switch {
	case d.Past.Lane != 0 || len(d.Past.Columns) == 0:
		o.seen = false
	case goal > 0.005:
		o.seen = true
	}
	height := draw.Snap(min(plot.height()*othersShare, mostOthers*c.em))
	if !o.seen || height < leastOthers*c.em {
		o.plot = rect{}
		return plot
	}
	o.plot = rect{plot.x0, plot.y1 - height, plot.x1, plot.y1}
	plot.y1 = draw.Snap(plot.y1 - height - othersGap*c.em)
	o.ease(d, goal, s)
	return plot
}

// ease moves the scale toward the greatest value in sight. It follows down late, as the scale of the history.
func (o *others) ease(d *shown, goal float32, s *strip) {
	goal = roundUp(max(goal*10.2, 20)) / 10
	if o.scale.locked = s.locked; !d.info.Live || goal >= o.scale.top {
		o.waited = 0
	} else if o.waited += s.places.last; o.waited < steadyMS {
		goal = o.scale.top
	}
	o.scale.toward(goal)
}

// draw draws the band.
func (o *others) draw(c *canvas, d *shown, s *strip) {
	r := o.plot
	if r.height() <= 0 {
		return
	}
	line := draw.Hairline(c.em)
	c.Rect(r.x0, r.y0, r.x1, r.y0+line, c.GridLine)
	c.Rect(r.x0, r.y1-line, r.x1, r.y1, c.GridLine)
	marked := !s.ranged && (d.info.Age > 0 || d.info.Paused)
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.edges(r, f.Oldest, f.Newest)
		here := d.info.Age <= f.Oldest && d.info.Age >= f.Newest
		c.Rect(x0, r.y0, x1, draw.Snap(r.y0+min(valueAt1(f.Others)/o.scale.top, 1)*r.height()),
			o.color(c, s.within(f.Age) && (!marked || here)))
	}
	c.number(r.x0-8*c.em, rect{0, r.y1 - 5*c.em, 0, r.y1 - 5*c.em}, draw.FaceTiny, float64(o.scale.top), 0, c.TextFaint)
	const words = "other goroutines, ms"
	x, y := r.x0+12*c.em, r.y1-16*c.em
	if width := c.Width(draw.FaceSmall, words); r.height() >= 20*c.em && x+width+20*c.em < r.x1 {
		c.Round(x-5*c.em, y, x+width+5*c.em, y+14*c.em, 3*c.em, draw.Fade(c.Surface, 0.78))
		c.left(x, width+c.em, rect{x, y, x + width, y + 14*c.em}, draw.FaceSmall, words, c.TextDim)
		c.explain(rect{x - 5*c.em, y, x + width + 5*c.em, y + 14*c.em}, "other goroutines", othersTip)
	}
	c.explain(rect{r.x0 - 36*c.em, r.y0, r.x0, r.y1}, "other goroutines", othersTip)
}

func (o *others) color(c *canvas, bright bool) color.NRGBA {
	if bright {
		return draw.Mix(c.Accent, c.Surface, 0.35)
	}
	return draw.Mix(c.Accent, c.Surface, 0.6)
}

// valueAt1 returns a value above 0, or 0 if there is none.
func valueAt1(v float32) float32 {
	if !finite(v) {
		return 0
	}
	return max(v, 0)
}

// othersWords writes a line of a frame's tip: how long the other lanes were busy.
func (c *canvas) othersWords(f *process.FrameSummary, r rect) {
	c.writeOthers(f)
	c.ASCII(r.x0, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
}

// writeOthers writes the words of that line into the canvas's buffer.
func (c *canvas) writeOthers(f *process.FrameSummary) {
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(f.Others), c.precision), " busy on "...)
	c.buffer = append(draw.AppendFixed(c.buffer, float64(f.OtherLanes), 0), " other goroutine"...)
	if f.OtherLanes != 1 {
		c.buffer = append(c.buffer, 's')
	}
}
