package viewer

import (
	"image/color"
	"math"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// pinBaseline makes the frame or average that is shown now the baseline, and compares rows with it: see
// process.Session.PinBaseline.
func (p *Panel) pinBaseline() { p.change(p.source.PinBaseline) }

// toggleCompare shows or hides the differences from the baseline. Without a baseline nothing is shown.
func (p *Panel) toggleCompare() { p.arrange(func(a *process.Arrangement) { a.Compare = !a.Compare }) }

// delta draws a difference from the baseline, in ms or percent.
func (c *canvas) delta(x float32, row rect, v *process.Delta, percent bool) {
	if v.New {
		c.right(x, row, draw.FaceSmall, "new", c.Amber)
		return
	}
	c.buffer = draw.AppendDelta(c.buffer[:0], v, percent, c.precision)
	if v.Noise {
		c.buffer = slices.Insert(c.buffer, 1, ' ') // ~ and - side by side look like one sign
	}
	c.ASCIIRight(x, c.baseline(row.y0, row.y1, draw.FaceMono), draw.FaceMono, c.buffer, changeColor(c.Palette, v))
}

// changeColor returns grey for noise, else green or red. The colour is stronger for a larger change.
func changeColor(p *draw.Palette, v *process.Delta) color.NRGBA {
	if v.Noise || !v.Known {
		return p.TextFaint
	}
	to := p.Amber
	if v.MS < 0 {
		to = p.Green
	}
	return draw.Mix(p.TextNormal, to, float32(min(0.45+math.Abs(v.Percent)/100, 1)))
}

// flagAt returns the place of the baseline's flag below the history. It is empty without one.
func (s *strip) flagAt(c *canvas, d *shown, plot rect) rect {
	b := &d.Report.Baseline
	if !b.Pinned {
		return rect{}
	}
	_, newer, ok := d.ages(&process.Lens{Kind: process.LensRange, From: b.First, To: b.Last})
	if !ok {
		return rect{}
	}
	x0, x1 := d.edges(plot, newer, newer)
	x := (x0 + x1) / 2
	return rect{x - 6*c.em, plot.y1 + 2*c.em, x + 6*c.em, plot.y1 + 15*c.em}
}

// flag marks the baseline's frame below the history.
func (s *strip) flag(c *canvas, d *shown, plot rect) {
	at := s.flagAt(c, d, plot)
	if at.width() == 0 {
		return
	}
	if b := &d.Report.Baseline; b.First < b.Last {
		older, newer, _ := d.ages(&process.Lens{Kind: process.LensRange, From: b.First, To: b.Last})
		x0, x1 := d.edges(plot, older, newer)
		c.Rect(max(x0, plot.x0), plot.y1+7*c.em, x1, plot.y1+10*c.em, c.Accent)
	}
	x := (at.x0 + at.x1) / 2
	c.dashesDown(draw.Snap(x), plot.y0, plot.y1, c.Accent)
	c.Round(at.x0, at.y0, at.x1, at.y1, 3*c.em, c.Accent)
	y := c.baseline(at.y0, at.y1, draw.FaceSmall)
	c.Text(x-c.Width(draw.FaceSmall, "B")/2, y, draw.FaceSmall, "B", onColor)
}

// dashesDown draws a dashed vertical line.
func (c *canvas) dashesDown(x, y0, y1 float32, col color.NRGBA) {
	for y := y0; y < y1; y += 8 * c.em {
		c.Rect(x, y, x+draw.Hairline(c.em), min(y+4*c.em, y1), col)
	}
}
