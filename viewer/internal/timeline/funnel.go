package timeline

import (
	"example.com/iprof/draw"
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
	f, older, newer := t.inSight()
	if older < 0 || plot.Height() <= 0 || d.Info.Gone || d.Info.Kept || !d.Visible(older) || !d.Visible(newer) {
		return
	}
	x0, _ := d.ColumnEdges(plot, older)
	_, x1 := d.ColumnEdges(plot, newer)
	f.Columns = canvas.Box(x0, plot.Y0, max(x1, x0+1), plot.Y1)
	t.Funnel = f
}

// inSight returns the beginning and the end of the frames in sight, and the ages of the first and the last, below 0
// without any.
func (t *Timeline) inSight() (f Funnel, older, newer int) {
	v := &t.View
	older, newer = -1, -1
	if t.data.Timeline == nil || !v.ready() {
		return f, older, newer
	}
	for i := range t.data.Frames {
		g := &t.data.Frames[i]
		if g.End <= v.at.From || g.Begin >= v.at.From+v.at.Wide {
			continue
		}
		if older < 0 {
			f.begin, older = g.Begin, g.Age
		}
		f.end, newer = g.End, g.Age
	}
	return f, older, newer
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
