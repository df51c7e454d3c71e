package strip

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// shownSlowest is the number of slow frames in the strip: as many as a Snapshot has.
const shownSlowest = 60

// SlowFrame returns the number of the slow frame of a rank; 0 is the slowest. ok reports whether View.ShowFrame can
// show the frame; it is false for ranks out of range.
func SlowFrame(d *scene.Scene, rank int) (index uint64, ok bool) {
	if rank < 0 || rank >= len(d.Slowest) {
		return 0, false
	}
	f := &d.Slowest[rank]
	return f.Index, f.HasReport || ageOf(d, f) >= 0
}

// ageOf returns the age of a frame, or -1 if the history has lost its report.
func ageOf(d *scene.Scene, f *report.FrameSummary) int {
	n := len(d.Frames)
	if n == 0 || f.Index > d.Frames[n-1].Index {
		return -1
	}
	age := d.Frames[n-1].Index - f.Index
	if age >= uint64(n) || !d.Frames[n-1-int(age)].HasReport {
		return -1
	}
	return int(age)
}

// DrawSlowest draws a bar for each of the slowest frames, the slowest at the left.
func DrawSlowest(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	in := c.Card(r)
	names := hasNames(c, d, in)
	plot := plotIn(c, in, 14, names)
	if len(d.Slowest) == 0 || plot.Height() < 10 {
		return
	}
	top := max(d.Slowest[0].Judged(), 0.001)
	c.Right(plot.X0-8*c.Em, canvas.Box(0, plot.Y0, 0, plot.Y0+10*c.Em), draw.FaceTiny, "ms", c.TextFaint)
	second := canvas.Box(0, plot.Y0+10*c.Em, 0, plot.Y0+24*c.Em)
	c.Number(plot.X0-8*c.Em, second, draw.FaceTiny, float64(top), 1, c.TextFaint)
	step := plot.Width() / shownSlowest
	under := -1
	for i := range d.Slowest {
		box := canvas.Box(draw.Snap(plot.X0+float32(i)*step), plot.Y0, draw.Snap(plot.X0+float32(i+1)*step), plot.Y1)
		if c.Hovers(box) {
			under = i
		}
		slowBar(c, d, box, &d.Slowest[i], top, i)
	}
	below := canvas.Box(0, plot.Y1, 0, in.Y1)
	c.Left(plot.X0, plot.Width(), below, draw.FaceSmall, "slowest frames, by busy time", c.TextFaint)
	if under < 0 {
		under = 0
	}
	if names {
		slowWords(c, d, canvas.Box(plot.X1+20*c.Em, in.Y0, in.X1-6*c.Em, in.Y1), &d.Slowest[under])
	}
}

// slowBar draws one frame. A frame over budget has a cap. A frame that has lost its report is hollow.
func slowBar(
	c *canvas.Canvas, d *scene.Scene, box canvas.Rect, f *report.FrameSummary, top float32, rank int,
) {
	age := ageOf(d, f)
	gap := max(1, draw.Snap(c.Em))
	y := draw.Snap(box.Y1 - min(f.Judged()/top, 1)*box.Height())
	col := c.Green
	if f.Over {
		col = c.Red
	}
	switch {
	case age < 0 && !f.HasReport:
		c.Border(box.X0, y, box.X1-gap, box.Y1, 0, draw.Fade(col, 0.6))
	case c.Hovers(box) || f.Index == d.Info.Index && !d.Info.Live:
		c.Rect(box.X0, y, box.X1-gap, box.Y1, draw.Mix(col, c.Strong, 0.35))
	default:
		c.Rect(box.X0, y, box.X1-gap, box.Y1, draw.Mix(col, c.Surface, 0.25))
	}
	if f.Over {
		c.Rect(box.X0, y, box.X1-gap, y+2*c.Em, c.TextBright)
	}
	h := hit.Of(hit.Slow, rank)
	h.Age = age
	c.Add(box, h)
}

// slowWords writes the numbers of one frame.
func slowWords(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, f *report.FrameSummary) {
	line := 17 * c.Em
	row := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+line)
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "Frame "...), float64(f.Index), 0)
	c.ASCII(row.X0, c.Baseline(row.Y0, row.Y1, draw.FaceText), draw.FaceText, c.Buffer, c.TextBright)
	c.Number(row.X1, row, draw.FaceMono, float64(f.Length), c.Precision, c.TextBright)
	row.Y0, row.Y1 = row.Y1, row.Y1+line
	box := canvas.Box(r.X0-2*c.Em, r.Y1-22*c.Em, r.X0+52*c.Em, r.Y1-2*c.Em) // of "Clear"
	if row.Y1 <= box.Y0+c.Em {
		parts(c, f, row)
	}
	row.Y0, row.Y1 = row.Y1, row.Y1+line
	word := "click shows it"
	if ageOf(d, f) < 0 {
		word = "has left the history"
		if f.HasReport {
			word = "kept: click shows it"
		}
	}
	if f.Label != "" {
		word = f.Label
	}
	if row.Y1 <= box.Y0+4*c.Em {
		c.Left(row.X0, r.Width(), row, draw.FaceSmall, word, c.TextDim)
	}
	ground := c.Raised
	if c.Hovers(box) {
		ground = c.Tab
	}
	c.Chip(box.X0, box, "Clear", ground, c.TextNormal)
	c.Add(box, hit.Of(hit.Clear, 0))
}
