package timeline

import (
	"math"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// longestTip is the greatest number of bytes of a mark's text in a tip of the timeline.
const longestTip = 120

// drawFlags draws a flag at each mark in sight.
func (t *Timeline) drawFlags(c *canvas.Canvas, d *scene.Scene, axis, in canvas.Rect) {
	frames, at, last := t.data.Frames, 0, in.X0-1e6
	for i := range d.Marks {
		m := &d.Marks[i]
		for at < len(frames) && frames[at].Index < m.Frame {
			at++
		}
		if at == len(frames) {
			return
		}
		x := t.View.x(frames[at].Begin + m.At)
		if frames[at].Index != m.Frame || x < in.X0 || x > in.X1 || x < last+c.Em {
			continue
		}
		last = x
		c.Pennant(x, axis.Y0+2*c.Em, in.Y1)
		if place := (canvas.Box(x-3*c.Em, axis.Y0, x+9*c.Em, axis.Y1)); c.Tip.Accepts(c.Hovers(place)) {
			c.Explain(place, "mark", draw.Printable(shortened(m.Text, longestTip)))
		}
	}
}

// shortened cuts a text to most bytes, at the border of a character, and appends "…".
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// timeStep returns the distance between the marks of a time axis in ms, and the decimals of the marks. The distance is
// 1, 2 or 5 times a power of ten, and at least closest pixels.
func timeStep(perMs, closest float64) (step float64, decimals int) {
	least := closest / perMs
	if !(least > 0) || math.IsInf(least, 0) {
		return 1, 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range [...]float64{1, 2, 5, 10} {
		step = m * unit
		if step >= least*0.9999 {
			break
		}
	}
	decimals = int(max(math.Ceil(-math.Log10(step)-1e-9), 0))
	return step, min(decimals, draw.MaxDecimals)
}

// unit is a unit of time.
type unit struct {
	ms   float64
	name string
}

// units are the units of long times, the longest first. Each applies from a time on, if a long enough stretch is in
// sight.
var units = [...]struct {
	unit
	from, wide float64 // ms
}{{unit{60_000, " min"}, 600_000, 60_000}, {unit{1000, " s"}, 10_000, 20}}

// unitOf returns the unit for times up to most ms, with wide ms in sight.
func unitOf(most, wide float64) unit {
	for i := range units {
		if u := &units[i]; most >= u.from && wide >= u.wide {
			return u.unit
		}
	}
	return unit{1, " ms"}
}

// drawAxis draws the marks of the time above the scopes, and lines through the scopes.
func (t *Timeline) drawAxis(c *canvas.Canvas, axis, in canvas.Rect) {
	v := &t.View
	begin, end := v.ms(in.X0), v.ms(in.X1)
	u := unitOf(max(-begin, end), v.at.Wide)
	step, decimals := timeStep(float64(in.Width())/v.at.Wide*u.ms, float64(78*c.Em))
	for n := math.Ceil(begin / u.ms / step); n*step*u.ms <= end; n++ {
		x := draw.Snap(v.x(n * step * u.ms))
		c.Rect(x, axis.Y1, x+draw.Hairline(c.Em), in.Y1, c.GridLine)
		c.Buffer = append(draw.AppendFixed(c.Buffer[:0], n*step, decimals), u.name...)
		width := c.ASCIIWidth(draw.FaceTiny, c.Buffer)
		if x += 4 * c.Em; x+width <= in.X1 && !t.underHairline(c, canvas.Box(x, axis.Y0, x+width, in.Y1)) {
			c.ASCII(x, c.Baseline(axis.Y0, axis.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextFaint)
		}
	}
	c.Rect(in.X0, axis.Y1, in.X1, axis.Y1+draw.Hairline(c.Em), c.GridLine)
}

// underHairline reports whether the time at the mouse would cover a mark.
func (t *Timeline) underHairline(c *canvas.Canvas, r canvas.Rect) bool {
	room := 48 * c.Em
	return c.Hovers(canvas.Box(r.X0-room, r.Y0, r.X1+room, r.Y1))
}

// drawBorders draws lines at the borders of frames, and darkens the neighbours of the shown frame.
func (t *Timeline) drawBorders(c *canvas.Canvas, axis, in canvas.Rect) {
	v := &t.View
	n := len(t.data.Frames)
	if n > 0 && float32(n)*leastBorder*c.Em > v.x(t.data.Frames[n-1].End)-v.x(t.data.Frames[0].Begin) {
		t.drawSlow(c, axis, in)
		return
	}
	for i := range t.data.Frames {
		f := &t.data.Frames[i]
		x0, x1 := draw.Snap(max(v.x(f.Begin), in.X0)), draw.Snap(min(v.x(f.End), in.X1))
		if x1 <= x0 {
			continue
		}
		for _, at := range [...]float64{f.Begin, f.End} {
			if x := draw.Snap(v.x(at)); x >= in.X0 && x <= in.X1 {
				c.Rect(x, axis.Y1-3*c.Em, x+draw.Hairline(c.Em), in.Y1, draw.Mix(c.Outline, c.Accent, 0.6))
			}
		}
		if f.Index >= t.data.Index && f.Index <= t.data.Until {
			continue
		}
		c.Rect(x0, axis.Y1, x1, in.Y1, draw.Fade(c.Surface, 0.55))
		c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "frame "...), float64(f.Index), 0)
		if width := c.ASCIIWidth(draw.FaceTiny, c.Buffer) + 8*c.Em; x1-x0 > width {
			y := in.Y1 - 18*c.Em
			c.Round(x0+4*c.Em, y, x0+4*c.Em+width, y+15*c.Em, 3*c.Em, c.Raised)
			c.ASCII(x0+8*c.Em, c.Baseline(y, y+15*c.Em, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextDim)
		}
	}
}

// AgeUnder returns the age of the frame at x, or -1.
func (t *Timeline) AgeUnder(x float32) int {
	v := &t.View
	if t.data.Timeline == nil || !v.ready() || x < v.in.X0 || x > v.in.X1 {
		return -1
	}
	ms := v.ms(x)
	for i := range t.data.Frames {
		if f := &t.data.Frames[i]; f.Begin <= ms && ms < f.End {
			return f.Age
		}
	}
	return -1
}

// drawCrossed marks the frame under the mouse if several frames are in sight.
func (t *Timeline) drawCrossed(c *canvas.Canvas, d *scene.Scene, axis, in canvas.Rect) {
	age, ok := d.Crossed()
	if !ok || age == d.Info.Age {
		return
	}
	for i := range t.data.Frames {
		f := &t.data.Frames[i]
		x0, x1 := max(t.View.x(f.Begin), in.X0), min(t.View.x(f.End), in.X1)
		if f.Age == age && x1 > x0 {
			x0, x1 = draw.Snap(x0), draw.Snap(x1)
			c.Rect(x0, axis.Y1-3*c.Em, max(x1, x0+1), in.Y1, draw.Fade(c.Strong, 0.06))
		}
	}
}

// leastBorder is the least mean width of frames with drawn borders, in nominal pixels.
const leastBorder = 5

// drawSlow marks the frames over budget and the shown frame on the axis, if frames are too thin for borders.
func (t *Timeline) drawSlow(c *canvas.Canvas, axis, in canvas.Rect) {
	v := &t.View
	for i := range t.data.Frames {
		f := &t.data.Frames[i]
		x0, x1 := max(v.x(f.Begin), in.X0), min(v.x(f.End), in.X1)
		if shown := f.Index >= t.data.Index && f.Index <= t.data.Until; x1 > x0 && (f.Over || shown) {
			col := c.Red
			if shown {
				col = c.Accent
			}
			c.Rect(draw.Snap(x0), axis.Y1-3*c.Em, max(draw.Snap(x1), draw.Snap(x0)+1), axis.Y1, col)
		}
	}
}

// hairline draws a line and the time at the mouse.
func (t *Timeline) hairline(c *canvas.Canvas, axis, in canvas.Rect) {
	v, x := &t.View, draw.Snap(c.Hover.X)
	c.Rect(x, axis.Y1, x+draw.Hairline(c.Em), in.Y1, draw.Fade(c.Strong, 0.28))
	u := unitOf(max(-v.ms(in.X0), v.ms(in.X1)), v.at.Wide)
	_, decimals := timeStep(float64(in.Width())/v.at.Wide*u.ms, float64(4*c.Em))
	if u.ms == 1 {
		decimals = c.Told(max(decimals, c.Precision))
	}
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], v.ms(c.Hover.X)/u.ms, decimals), u.name...)
	width := c.ASCIIWidth(draw.FaceTiny, c.Buffer) + 8*c.Em
	x = min(max(x-width/2, in.X0), in.X1-width)
	c.Round(x, axis.Y0, x+width, axis.Y1-c.Em, 3*c.Em, c.Raised)
	c.ASCII(x+4*c.Em, c.Baseline(axis.Y0, axis.Y1-c.Em, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
}

// drawSight draws the visible part of the frame as a line below the heading.
func (v *timeView) drawSight(c *canvas.Canvas, r canvas.Rect) {
	if v.fitted || v.onPlot() {
		return
	}
	low, high := 0.0, v.length
	if v.at.From < 0 || v.at.From+v.at.Wide > v.length {
		low, high = v.from, v.to
	}
	x := func(share float64) float32 { return r.X0 + float32((share-low)/(high-low))*r.Width() }
	c.Rect(r.X0, r.Y0, r.X1, r.Y1, draw.Fade(c.Raised, 0.6))
	c.Rect(x(0), r.Y0, x(v.length), r.Y1, c.Raised)
	c.Rect(x(v.at.From), r.Y0, max(x(v.at.From+v.at.Wide), x(v.at.From)+2*c.Em), r.Y1, c.Accent)
}

// ruler measures a stretch of time. Its ends are on the axis of the timeline's rows, so it keeps its time when another
// frame is shown.
type ruler struct {
	on       bool
	armed    bool // the next drag measures
	from, to float64
}

// word returns the word of the button.
func (r *ruler) word() string {
	switch {
	case r.on:
		return "no ruler"
	case r.armed:
		return "drag to measure"
	}
	return "measure"
}

// Measure makes the next drag measure, or removes the ruler.
func (t *Timeline) Measure() { t.ruler = ruler{armed: !t.ruler.armed && !t.ruler.on} }

// NoRuler removes the ruler. It reports whether there was one, or the next drag would have measured.
func (t *Timeline) NoRuler() bool {
	was := t.ruler.on || t.ruler.armed
	t.ruler = ruler{}
	return was
}

// StartRuler begins to measure at a place.
func (t *Timeline) StartRuler(x, y float32) {
	if t.View.ready() && canvas.Finite(x) {
		at := t.snapped(x, y)
		t.ruler = ruler{on: true, from: at, to: at}
	}
}

// DragRuler moves the other end of the ruler to a place.
func (t *Timeline) DragRuler(x, y float32) {
	if t.ruler.on && t.View.ready() && canvas.Finite(x) {
		t.ruler.to = t.snapped(x, y)
	}
}

// Ruled returns the time that the ruler measures, ms, and whether the next drag measures.
func (t *Timeline) Ruled() (ms float64, armed bool) {
	return max(t.ruler.to-t.ruler.from, t.ruler.from-t.ruler.to), t.ruler.armed
}

// snapped returns the time at x, or that of an end of the scope there, if the end is near.
func (t *Timeline) snapped(x, y float32) float64 {
	const near = 6 // nominal pixels
	at := t.data.Origin + t.View.ms(x)
	of, ok := t.ScopeUnder(x, y)
	if !ok {
		return at
	}
	best, reach := at, float64(near*t.em)*t.View.at.Wide/float64(t.View.in.Width())
	s := of.row.At[of.At]
	for _, end := range [...]float64{s.Begin, s.End} {
		if d := max(end-at, at-end); d < reach {
			best, reach = end, d
		}
	}
	return best
}

// drawRuler draws the ruler with its length, and the number of touched frames if more than one.
func (t *Timeline) drawRuler(c *canvas.Canvas, axis, in canvas.Rect) {
	if !t.ruler.on || t.ruler.from == t.ruler.to {
		return
	}
	v := &t.View
	from, to := min(t.ruler.from, t.ruler.to)-t.data.Origin, max(t.ruler.from, t.ruler.to)-t.data.Origin
	x0, x1 := draw.Snap(max(v.x(from), in.X0)), draw.Snap(min(v.x(to), in.X1))
	if x1 <= x0 {
		return
	}
	c.Rect(x0, axis.Y1, x1, in.Y1, draw.Fade(c.Accent, 0.16))
	c.Rect(x0, axis.Y1, x0+draw.Hairline(c.Em), in.Y1, c.Accent)
	c.Rect(x1-draw.Hairline(c.Em), axis.Y1, x1, in.Y1, c.Accent)
	frames := 0
	for i := range t.data.Frames {
		if f := &t.data.Frames[i]; f.Begin < to && f.End > from {
			frames++
		}
	}
	c.Buffer = appendUnit(c.Buffer[:0], to-from, c.Precision+1, t.data.tick)
	if frames > 1 {
		c.Buffer = printed.AppendCount(append(c.Buffer, " in "...), frames, t.data.kind.Frame())
	}
	width := c.ASCIIWidth(draw.FaceBold, c.Buffer) + 12*c.Em
	x := min(max((x0+x1-width)/2, in.X0), in.X1-width)
	y := in.Y1 - 24*c.Em
	c.Round(x, y, x+width, y+18*c.Em, 4*c.Em, c.Accent)
	c.ASCII(x+6*c.Em, c.Baseline(y, y+18*c.Em, draw.FaceBold), draw.FaceBold, c.Buffer, c.Background)
}
