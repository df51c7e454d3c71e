package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// collectorBands draws where the garbage collector worked, as far as an execution trace says it: a light ground behind
// the columns of frames in which it marked, and a line below them that is red where it stopped all goroutines.
func (s *strip) collectorBands(c *canvas, d *shown, plot rect) {
	if s.noCollector {
		return
	}
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		if !f.Collector.Any() {
			continue
		}
		x0, x1 := d.edges(plot, f.Oldest, f.Newest)
		x1 = max(x1, x0+1)
		s.collected = true
		c.Rect(x0, plot.y0, x1, plot.y1, draw.Fade(c.Collection, 0.22))
		line := rect{x0, plot.y1 + c.em, x1, plot.y1 + 6*c.em}
		c.Rect(line.x0, line.y0, line.x1, line.y1, draw.Fade(c.Collection, 0.55))
		if f.Collector.Stopped >= 0.1*f.Length {
			c.Rect(line.x0, line.y0, line.x1, line.y1, c.Red)
		}
	}
}

// collectorWords writes a line of a frame's tip: what the collector did in it.
func (c *canvas) collectorWords(t *process.CollectorTime, r rect) {
	c.buffer = append(c.buffer[:0], "GC:"...)
	for _, part := range [...]struct {
		ms    float32
		words string
	}{{t.Marking, " marking"}, {t.Assist, " assist"}, {t.Stopped, " stopped"}} {
		if part.ms > 0 {
			if len(c.buffer) > len("GC:") {
				c.buffer = append(c.buffer, ',')
			}
			c.buffer = draw.AppendFixed(append(c.buffer, ' '), float64(part.ms), c.precision)
			c.buffer = append(c.buffer, part.words...)
		}
	}
	c.ASCII(r.x0, c.baseline(r.y0, r.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
}

// toggleCollector shows the bands of the garbage collector, or hides them.
func toggleCollector(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) { o.HideCollector = !o.HideCollector })
}
