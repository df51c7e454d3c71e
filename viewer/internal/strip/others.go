package strip

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// others is the band below the history: the sum of all other lanes' busy times in each frame. Its bars hang down. It
// keeps its place from the first such frame on, so that no part moves when the others rest.
type others struct {
	scale  canvas.Eased // ms
	waited float64      // ms of frames for which the scale might have been lower
	shown  bool
	Plot   canvas.Rect // place of the bars in the last Draw, empty without the band
}

// The height of the band as a share of the columns' height, and its least and greatest height in nominal pixels.
const othersShare, leastOthers, mostOthers = 0.2, 14, 48

// othersGap is the gap between the columns and the band for the marks of collections, in nominal pixels.
const othersGap = 8

// othersTip explains the band.
const othersTip = "how long all other goroutines together were busy in each\n" +
	"frame, in milliseconds. They run at the same time, so it may\n" +
	"be more than the frame. Ctrl+L lists them"

// place takes the room of the band from the columns. It returns the place of the columns.
func (o *others) place(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect, s *Strip) canvas.Rect {
	goal := float32(0)
	for i := range d.Past.Columns {
		if v := d.Past.Columns[i].Others; v > goal && canvas.Finite(v) {
			goal = v
		}
	}
	switch {
	case d.Past.Lane != 0 || len(d.Past.Columns) == 0 || s.all:
		o.shown = false
	case goal > 0.005:
		o.shown = true
	}
	height := draw.Snap(min(plot.Height()*othersShare, mostOthers*c.Em))
	if !o.shown || height < leastOthers*c.Em {
		o.Plot = canvas.Rect{}
		return plot
	}
	o.Plot = canvas.Box(plot.X0, plot.Y1-height, plot.X1, plot.Y1)
	plot.Y1 = draw.Snap(plot.Y1 - height - othersGap*c.Em)
	o.ease(d, goal, s)
	return plot
}

// ease moves the scale toward the greatest value in sight. It lowers the scale late, as the history does.
func (o *others) ease(d *scene.Scene, goal float32, s *Strip) {
	goal = RoundUp(max(goal*10.2, 20)) / 10
	o.scale.Locked = s.Locked
	if !d.Info.Live || goal >= o.scale.Top {
		o.waited = 0
	} else if o.waited += s.places.last; o.waited < steadyMS {
		goal = o.scale.Top
	}
	o.scale.Toward(goal)
}

// draw draws the band.
func (o *others) draw(c *canvas.Canvas, d *scene.Scene, s *Strip) {
	r := o.Plot
	if r.Height() <= 0 {
		return
	}
	line := draw.Hairline(c.Em)
	c.Rect(r.X0, r.Y0, r.X1, r.Y0+line, c.GridLine)
	c.Rect(r.X0, r.Y1-line, r.X1, r.Y1, c.GridLine)
	marked := !s.ranged && (d.Info.Age > 0 || d.Info.Paused)
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(r, f.Oldest, f.Newest)
		here := d.Info.Age <= f.Oldest && d.Info.Age >= f.Newest
		c.Rect(x0, r.Y0, x1, draw.Snap(r.Y0+min(positive(f.Others)/o.scale.Top, 1)*r.Height()),
			o.color(c, s.within(f.Age) && (!marked || here)))
	}
	low := canvas.Box(0, r.Y1-5*c.Em, 0, r.Y1-5*c.Em)
	c.Milliseconds(r.X0-8*c.Em, low, draw.FaceTiny, float64(o.scale.Top), 0, c.TextFaint)
	const words = "other goroutines, ms"
	x, y := r.X0+12*c.Em, r.Y1-16*c.Em
	if width := c.Width(draw.FaceSmall, words); r.Height() >= 20*c.Em && x+width+20*c.Em < r.X1 {
		c.Round(x-5*c.Em, y, x+width+5*c.Em, y+14*c.Em, 3*c.Em, draw.Fade(c.Surface, 0.78))
		c.Left(x, width+c.Em, canvas.Box(x, y, x+width, y+14*c.Em), draw.FaceSmall, words, c.TextDim)
		c.Explain(canvas.Box(x-5*c.Em, y, x+width+5*c.Em, y+14*c.Em), "other goroutines", othersTip)
	}
	c.Explain(canvas.Box(r.X0-36*c.Em, r.Y0, r.X0, r.Y1), "other goroutines", othersTip)
}

func (o *others) color(c *canvas.Canvas, bright bool) color.NRGBA {
	if bright {
		return draw.Mix(c.Accent, c.Surface, 0.35)
	}
	return draw.Mix(c.Accent, c.Surface, 0.6)
}

// positive returns a finite value above 0, or 0.
func positive(v float32) float32 {
	if !canvas.Finite(v) {
		return 0
	}
	return max(v, 0)
}

// othersWords writes a line of a frame's tip: the busy time of the other lanes.
func othersWords(c *canvas.Canvas, f *report.FrameSummary, r canvas.Rect) {
	writeOthers(c, f)
	c.ASCII(r.X0, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
}

// writeOthers writes the words of that line into the canvas's buffer.
func writeOthers(c *canvas.Canvas, f *report.FrameSummary) {
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(f.Others), c.Precision), " busy on "...)
	c.Buffer = append(draw.AppendFixed(c.Buffer, float64(f.OtherLanes), 0), " other goroutine"...)
	if f.OtherLanes != 1 {
		c.Buffer = append(c.Buffer, 's')
	}
}
