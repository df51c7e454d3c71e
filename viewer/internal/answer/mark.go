package answer

import (
	"example.com/iprof/draw"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// limitLabels is the width at the left of the history that the labels of its limits take, in nominal pixels.
const limitLabels = 120

// Mark marks the frame of the verdict in the history: a line at the length of the usual frame, and the excess from
// there to the end of the column. top is the upper end of the scale, in ms.
func (a *Answer) Mark(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect, top float32) {
	a.Drawn.Mark = canvas.Rect{}
	v := &d.Report.Verdict
	if !v.Found() || v.Frames != 1 || v.Index != d.Info.Index || d.Info.Kept || !d.Visible(d.Info.Age) ||
		plot.Height() < 30*c.Em || top <= 0 {
		return
	}
	y := func(ms float64) float32 {
		return draw.Snap(plot.Y1 - plot.Height()*min(max(float32(ms)/top, 0), 1))
	}
	x0, x1 := d.ColumnEdges(plot, d.Info.Age)
	x0, x1 = min(x0, x1-2*c.Em), max(x1, x0+2*c.Em)
	col := scene.VerdictColor(c, v)
	high, low := y(v.Time), y(v.Usual)
	a.Drawn.Mark = canvas.Box(x0, high, x1, low)
	hair := draw.Hairline(c.Em)
	if v.Usual > 0 {
		c.Dashes(max(x0-60*c.Em, plot.X0), min(x1+60*c.Em, plot.X1), low, 4*c.Em, 3*c.Em, c.TextBright)
	}
	c.Rect(x0-3*c.Em, high, x0-3*c.Em+2*hair, low, col)
	c.Rect(x0-3*c.Em, high, x1+3*c.Em, high+hair, col)
	c.Rect(x1+3*c.Em-2*hair, high, x1+3*c.Em, low, col)
	c.Buffer = draw.AppendTime(append(c.Buffer[:0], '+'), v.Excess, 1)
	width := c.ASCIIWidth(draw.FaceBold, c.Buffer)
	at := x1 + 8*c.Em
	if at+width > plot.X1 {
		at = x0 - 8*c.Em - width
	}
	box := canvas.Box(at-4*c.Em, high, at+width+4*c.Em, high+18*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, draw.Fade(draw.Mix(c.Surface, col, 0.25), 0.92))
	c.ASCII(at, c.Baseline(box.Y0, box.Y1, draw.FaceBold), draw.FaceBold, c.Buffer, c.TextBright)
	if free := at >= plot.X0+limitLabels*c.Em; free && v.Usual > 0 && low-box.Y1 > 16*c.Em {
		c.Buffer = appendBeside(append(c.Buffer[:0], "usually "...), v.Usual, v.Excess, decimalsOf(v.Usual))
		if at < x0 { // it ends at the box's end
			at = box.X1 - 4*c.Em - c.ASCIIWidth(draw.FaceSmall, c.Buffer)
		}
		c.ASCII(at, low-4*c.Em, draw.FaceSmall, c.Buffer, c.TextBright)
	}
}
