package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// ruler measures a stretch of time. Its ends are on the axis of the timeline's rows, so it stays where it is when
// another frame is shown.
type ruler struct {
	on       bool
	armed    bool // the next drag measures
	from, to float64
}

// word is that of the button.
func (r *ruler) word() string {
	switch {
	case r.on:
		return "no ruler"
	case r.armed:
		return "drag to measure"
	}
	return "measure"
}

// measure makes the next drag over the timeline measure, or removes the ruler.
func measure(_ *process.Session, p *Panel) {
	p.change(func() {
		t := &p.timeline
		if t.mode == TimelineHidden {
			t.mode, p.options.Timeline = TimelineShown, TimelineShown
		}
		t.ruler = ruler{armed: !t.ruler.armed && !t.ruler.on}
	})
}

// StartRuler begins to measure at x, in pixels, if the timeline is there. The ends of scopes within a few pixels
// attract it. Infinities and NaN are ignored. Any goroutine may call it.
func (p *Panel) StartRuler(x, y float32) {
	p.change(func() {
		t := &p.timeline
		if t.mode != TimelineHidden && t.view.ready() && finite(x) {
			at := t.snapped(x, y)
			t.ruler = ruler{on: true, from: at, to: at}
		}
	})
}

// DragRuler moves the other end of the ruler to x, in pixels. Any goroutine may call it.
func (p *Panel) DragRuler(x, y float32) {
	p.change(func() {
		if t := &p.timeline; t.ruler.on && t.view.ready() && finite(x) {
			t.ruler.to = t.snapped(x, y)
		}
	})
}

// snapped returns the time at x, or that of an end of the scope there, if the end is near.
func (t *timeline) snapped(x, y float32) float64 {
	const near = 6 // nominal pixels
	at := t.data.Origin + t.view.ms(x)
	h := hitOf(HitTimeline, 0)
	if t.under(&h, x, y); h.row == nil {
		return at
	}
	best, reach := at, float64(near*t.em)*t.view.at.wide/float64(t.view.in.width())
	s := h.row.At[h.Index]
	for _, end := range [...]float64{s.Begin, s.End} {
		if d := max(end-at, at-end); d < reach {
			best, reach = end, d
		}
	}
	return best
}

// drawRuler draws the ruler with its length, and with the number of frames that it touches if that is more than one.
func (t *timeline) drawRuler(c *canvas, axis, in rect) {
	if !t.ruler.on || t.ruler.from == t.ruler.to {
		return
	}
	v := &t.view
	from, to := min(t.ruler.from, t.ruler.to)-t.data.Origin, max(t.ruler.from, t.ruler.to)-t.data.Origin
	x0, x1 := draw.Snap(max(v.x(from), in.x0)), draw.Snap(min(v.x(to), in.x1))
	if x1 <= x0 {
		return
	}
	c.Rect(x0, axis.y1, x1, in.y1, draw.Fade(c.Accent, 0.16))
	c.Rect(x0, axis.y1, x0+draw.Hairline(c.em), in.y1, c.Accent)
	c.Rect(x1-draw.Hairline(c.em), axis.y1, x1, in.y1, c.Accent)
	frames := 0
	for i := range t.data.Frames {
		if f := &t.data.Frames[i]; f.Begin < to && f.End > from {
			frames++
		}
	}
	c.buffer = append(appendShort(c.buffer[:0], to-from, c.precision+1), " ms"...)
	if frames > 1 {
		c.buffer = append(draw.AppendFixed(append(c.buffer, " in "...), float64(frames), 0), " frames"...)
	}
	width := c.ASCIIWidth(draw.FaceBold, c.buffer) + 12*c.em
	x := min(max((x0+x1-width)/2, in.x0), in.x1-width)
	y := in.y1 - 24*c.em
	c.Round(x, y, x+width, y+18*c.em, 4*c.em, c.Accent)
	c.ASCII(x+6*c.em, c.baseline(y, y+18*c.em, draw.FaceBold), draw.FaceBold, c.buffer, c.Background)
}
