package timeline

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Funnel connects the columns of the visible frames in the history above with their time in the timeline: the same
// frames at two scales.
type Funnel struct {
	Columns    canvas.Rect // empty without
	begin, end float64     // of the frames, ms
}

// From chooses the funnel. Plot is the place of the columns, down to the timeline; an empty one has no funnel.
func (t *Timeline) From(d *scene.Scene, plot canvas.Rect) {
	t.Funnel = Funnel{}
	first, last := t.inSight()
	if first == nil || first.Age < 0 || plot.Height() <= 0 || d.Info.Gone || d.Info.Kept || !d.Visible(first.Age) ||
		!d.Visible(last.Age) {
		return
	}
	x0, _ := d.ColumnEdges(plot, first.Age)
	_, x1 := d.ColumnEdges(plot, last.Age)
	t.Funnel = Funnel{canvas.Box(x0, plot.Y0, max(x1, x0+1), plot.Y1), first.Begin, last.End}
}

// inSight returns the first and the last frame in sight, nil without any.
func (t *Timeline) inSight() (first, last *timeline.Frame) {
	v := &t.View
	if t.data.Timeline == nil || !v.ready() {
		return nil, nil
	}
	for i := range t.data.Frames {
		if f := &t.data.Frames[i]; f.End > v.at.From && f.Begin < v.at.From+v.at.Wide {
			if last = f; first == nil {
				first = f
			}
		}
	}
	return first, last
}

// drawFunnel draws the funnel down to the axis.
func (t *Timeline) drawFunnel(c *canvas.Canvas, axis, in canvas.Rect) {
	f := &t.Funnel
	from, y := f.Columns, axis.Y1
	if from.Height() <= 0 || from.Y1 >= y || t.View.onPlot() {
		return
	}
	x0, x1 := max(t.View.x(f.begin), in.X0), min(t.View.x(f.end), in.X1)
	ground, edge := draw.Fade(c.Accent, 0.07), draw.Fade(c.Accent, 0.4)
	c.Triangle(from.X0, from.Y1, from.X1, from.Y1, x0, y, ground)
	c.Triangle(from.X1, from.Y1, x1, y, x0, y, ground)
	c.Rect(from.X0, from.Y1, from.X1, from.Y1+2*c.Em, c.Accent)
	c.Line(from.X0, from.Y1, x0, y, c.Em, edge)
	c.Line(from.X1, from.Y1, x1, y, c.Em, edge)
}
