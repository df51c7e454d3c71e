package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// Heights of what goroutines did, in nominal pixels.
const (
	stateStrip = 5 // below the scopes of a lane
	stateGap   = 4 // by which a band with such a strip is higher
)

// mostStateQuads bounds the quads of a strip.
const mostStateQuads = 2000

// stateColor is the colour of a state: bright for running, amber without a processor, dim while waiting.
func (c *canvas) stateColor(k gather.StateKind) color.NRGBA {
	switch k {
	case gather.StateRunning:
		return c.Green
	case gather.StateRunnable:
		return c.Amber
	case gather.StateSyscall:
		return c.Accent
	case gather.StateAssist, gather.StateMarking:
		return c.Collection
	case gather.StateStopped, gather.StateGone:
		return c.Red
	}
	return idleGround
}

// states draws a thin strip with the states of a lane, and explains the one under the mouse.
func (g *bandPainter) states(b *process.TimelineBand, r rect) {
	if len(b.States) == 0 || r.y0 < g.in.y0 || r.y1 > g.in.y1 {
		return
	}
	g.t.bands.tops[b.ID] = r.y0
	last, most := r.x0, len(g.V)+4*mostStateQuads
	for i := range b.States {
		q := &b.States[i]
		x0, x1 := g.place(q.TimelineSpan.Begin), g.place(q.TimelineSpan.End)
		if x0 = max(x0, last); x1-x0 < 0.5 || len(g.V) > most {
			continue
		}
		box := rect{x0, r.y0, draw.Snap(max(x1, x0+1)), r.y1}
		g.Rect(box.x0, box.y0, box.x1, box.y1, g.stateColor(q.Kind))
		if q.Kind == gather.StateRunnable {
			g.hatch(box)
		}
		if last = box.x1; g.hovers(rect{box.x0, box.y0 - 2*g.em, box.x1, box.y1 + 2*g.em}) {
			g.Border(box.x0, box.y0-g.em, box.x1, box.y1+g.em, 0, white)
			under := rect{g.hover.x, box.y0 - 2*g.em, g.hover.x + 1, box.y1 + 2*g.em}
			g.explain(under, q.Title(), g.t.stateWords(q))
			g.t.bands.arrow = arrow{q.Waker, b.ID, box.x1, r.y0, r.y1, q.TimelineSpan.End}
		}
	}
}

// place returns the pixel of a time on the axis, within the place of the scopes.
func (g *bandPainter) place(ms float64) float32 {
	return min(max(g.t.view.x(ms-g.t.data.Origin), g.in.x0), g.in.x1)
}

// hatch draws stripes over a box.
func (g *bandPainter) hatch(box rect) {
	step := max(2, draw.Snap(4*g.em))
	for x := box.x0 + step/2; x < box.x1; x += step {
		g.Rect(x, box.y0, min(x+step/2, box.x1), box.y1, draw.Fade(g.Background, 0.65))
	}
}

// whole draws over all lanes when the world or the process was stopped, and marks when the collector marked.
func (g *bandPainter) whole() {
	for i := range g.t.data.Whole {
		q := &g.t.data.Whole[i]
		r := rect{g.place(q.TimelineSpan.Begin), g.in.y0, g.place(q.TimelineSpan.End), g.in.y1}
		if r.width() < 0.5 || i > mostStateQuads || g.t.noCollector && q.Kind != gather.StateGone {
			continue
		}
		if q.Kind == gather.StateMarking { // a light ground, and a line at the top that is easy to point at
			g.Rect(r.x0, r.y0, max(r.x1, r.x0+1), r.y1, draw.Fade(g.Collection, 0.10))
			r.y1 = r.y0 + 2*g.em
		}
		r.x1 = max(r.x1, r.x0+1)
		g.Rect(r.x0, r.y0, r.x1, r.y1, draw.Fade(g.stateColor(q.Kind), 0.35))
		if at := (rect{r.x0, r.y0, r.x1, r.y0 + 4*g.em}); g.hovers(at) {
			g.explain(at, q.Title(), g.t.stateWords(q))
		}
	}
}

// stateWords are the lines of a state's tip: how long, where, and who ended it.
func (t *timeline) stateWords(q *process.TimelineStretch) string {
	words := string(appendShort(nil, q.TimelineSpan.End-q.TimelineSpan.Begin, 3)) + " ms"
	if q.Place != "" {
		words += ", at " + q.Place
	}
	if q.Reason != "" && q.Kind != gather.StateWaiting {
		words += "\n" + q.Reason
	}
	if by := t.data.Ended(q); by != "" {
		words += "\n" + by
	}
	return words
}
