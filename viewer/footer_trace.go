package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// drawTrace draws what the program's execution trace costs, at the right of r, and returns the width that it takes.
func drawTrace(c *canvas, d *shown, r rect) float32 {
	t := &d.Trace
	if !t.On || r.width() < 240*c.em {
		return 0
	}
	c.buffer = append(c.buffer[:0], "trace "...)
	if t.Measured {
		c.buffer = append(draw.AppendFixed(c.buffer, 100*t.Share(), 1), " %"...)
	} else {
		c.buffer = append(c.buffer, "on"...)
	}
	col := c.TextFaint
	if t.Share() > costlyTrace {
		col = c.Amber
	}
	width := c.ASCIIRight(r.x1, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, col)
	at := rect{r.x1 - width, r.y0, r.x1, r.y1}
	c.add(at, command("trace"))
	if c.tip.accepts(c.hovers(at)) {
		c.explain(at, "execution trace",
			"what tracing why goroutines do not run takes of a\n"+
				"processor, as measured in this program.\nA click stops it")
		c.tip.number = appendTraceParts(c.tip.number, t)
	}
	return width + 16*c.em
}

// appendTraceParts appends what the cost is made of.
func appendTraceParts(b []byte, t *process.Tracing) []byte {
	if !t.Measured {
		return append(b, "to be measured in a second"...)
	}
	b = append(draw.AppendFixed(b, t.Events, 0), " events a second, "...)
	b = append(draw.AppendFixed(b, t.PerEvent, 0), " ns each; reading them "...)
	return append(draw.AppendFixed(b, 100*t.Reading, 1), " %"...)
}

// costlyTrace is the share of a processor from which on the cost of tracing is amber.
const costlyTrace = 0.05
