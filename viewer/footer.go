package viewer

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// FocusAction is the Action of the command that gives the focus to the panel or back to the host. The footer of a panel
// without the focus names its key.
const FocusAction = "keys to overlay or program"

// helpAction is the Action of the help. The footer always has room for its key, because the help lists the other keys.
const helpAction = "help"

// drawFooter draws the hints that fit and the overhead. A panel without the focus first shows the key that gives it the
// focus.
func drawFooter(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, keys []KeyHint, focus string) {
	limit := r.X1
	if d.Info.Frames > 0 {
		c.Explain(canvas.Box(r.X1-150*c.Em, r.Y0, r.X1, r.Y1), "profiler overhead",
			"what measuring the zones cost in the frame shown,\nin milliseconds")
		c.Buffer = append(c.Buffer[:0], "profiler overhead "...)
		c.Buffer = draw.AppendTime(c.Buffer, d.Info.Overhead*d.Info.Length, 2)
		y := c.Baseline(r.Y0, r.Y1, draw.FaceSmall)
		limit -= c.ASCIIRight(r.X1-4*c.Em, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 16*c.Em
		limit -= drawTrace(c, d, canvas.Box(r.X0, r.Y0, limit, r.Y1))
	}
	x := r.X0 + 8*c.Em
	if focus != "" {
		x += c.Chip(x, r, focus, c.Tab, c.TextBright) + 8*c.Em
		x += c.Left(x, limit-x, r, draw.FaceSmall, "gives these keys to the display", c.Accent) + 18*c.Em
	}
	help := slices.IndexFunc(keys, func(k KeyHint) bool { return k.Action == helpAction })
	for i, k := range keys {
		room := limit - x
		if i < help {
			room -= keys[help].width(c)
		}
		if need := k.width(c); need <= room {
			c.Explain(canvas.Box(x, r.Y0, x+need-10*c.Em, r.Y1), k.Keys, k.words())
			x += c.Chip(x, r, k.Keys, c.Raised, c.TextNormal) + 8*c.Em
			x += c.Left(x, need, r, draw.FaceSmall, k.Action, c.TextDim) + 18*c.Em
		} else if i >= help {
			return
		}
	}
}

// width returns the width of a hint in the footer.
func (k *KeyHint) width(c *canvas.Canvas) float32 {
	return c.Width(draw.FaceSmall, k.Keys) + c.Width(draw.FaceSmall, k.Action) + 38*c.Em
}

// drawTrace draws the cost of the program's execution trace at the right of r, and returns its width.
func drawTrace(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	t := &d.Trace
	if !t.On || r.Width() < 240*c.Em {
		return 0
	}
	c.Buffer = append(c.Buffer[:0], "trace "...)
	if t.Measured {
		c.Buffer = append(draw.AppendFixed(c.Buffer, 100*t.Share(), 1), " %"...)
	} else {
		c.Buffer = append(c.Buffer, "on"...)
	}
	col := c.TextFaint
	if t.Share() > costlyTrace {
		col = c.Amber
	}
	width := c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, col)
	at := canvas.Box(r.X1-width, r.Y0, r.X1, r.Y1)
	c.Add(at, hit.OfCommand("trace"))
	if c.Tip.Accepts(c.Hovers(at)) {
		c.Explain(at, "execution trace",
			"what tracing why goroutines do not run takes of a\n"+
				"processor, as measured in this program.\nA click stops it")
		c.Tip.Number = appendTraceParts(c.Tip.Number, t)
	}
	return width + 16*c.Em
}

// appendTraceParts appends the parts of the cost.
func appendTraceParts(b []byte, t *report.Tracing) []byte {
	if !t.Measured {
		return append(b, "to be measured in a second"...)
	}
	b = append(draw.AppendFixed(b, t.Events, 0), " events a second, "...)
	b = append(draw.AppendFixed(b, t.PerEvent, 0), " ns each; reading them "...)
	return append(draw.AppendFixed(b, 100*t.Reading, 1), " %"...)
}

// costlyTrace is the least share of a processor at which the cost of tracing is amber.
const costlyTrace = 0.05
