package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// GraphOptions are those of AppendGraph. The zero value is the default.
type GraphOptions struct {
	LineSpacing float32 // height of a line of text in the caller's units, which sets the width of lines; below 0, y grows up
	Scale       float32 // device pixels to one of the caller's units; 0 is 1
}

// graphFloor is the time in ms below which a zone's line is left out at either end: a zone that did nothing is no line.
const graphFloor = 0.2

// AppendGraph draws one line for each zone: self time per frame. The oldest frame lies at x, each newer one xSpacing units to
// the right, age 0 last. Zero milliseconds lie at y, each millisecond ySpacing units (a length) up the screen. The frame
// whose age is cursor is marked by a vertical line; below 0 none is. A gap (not a number) is a gap.
func AppendGraph(l *List, s []process.Series, cursor int, x, y, xSpacing, ySpacing float32, o GraphOptions) {
	u, atlas := unitsFor(x, y, o.LineSpacing, o.Scale)
	l.begin(atlas)
	first := len(l.V)
	g := plot{l, xSpacing / u.k, -abs(ySpacing) / u.k, 1.5 * l.atlas().scale}
	g.cursor(s, cursor)
	for i := range s {
		c := ZoneColor(s[i].Name)
		if s[i].Idle {
			c = dark.grey
		}
		g.line(s[i].Values, c)
	}
	u.convert(l, first)
}

// plot maps frames and milliseconds to pixels.
type plot struct {
	*List
	dx, dy float32 // pixels a frame, pixels a ms
	width  float32
}

// cursor marks the frame of an age, as high as the highest value, and at least 40 ms.
func (g *plot) cursor(s []process.Series, age int) {
	frames, top := 0, float32(40)
	for i := range s {
		frames = max(frames, len(s[i].Values))
		for _, v := range s[i].Values {
			if v > top {
				top = v
			}
		}
	}
	if age < 0 || age >= frames {
		return
	}
	x := float32(frames-1-age) * g.dx
	g.Line(x, 0, x, top*g.dy, g.width, fade(white, 0.5))
}

// line draws one zone.
func (g *plot) line(v []float32, c color.NRGBA) {
	from, to := trim(v)
	stroke := g.atlas().strokeOf(g.width)
	for i := from + 1; i < to; i++ {
		a, b := v[i-1], v[i]
		if !finite(a) || !finite(b) {
			continue
		}
		x := float32(i) * g.dx
		g.stroke(stroke, x-g.dx, a*g.dy, x, b*g.dy, 0.5, c)
	}
}

// trim leaves out what is below the floor at both ends, but for the one sample that leads up to the rest.
func trim(v []float32) (from, to int) {
	low := func(v float32) bool { return !(v >= graphFloor) }
	for from = 0; from < len(v) && low(v[from]); from++ {
	}
	for to = len(v); to > from && low(v[to-1]); to-- {
	}
	if from == to {
		return 0, 0
	}
	return max(from-1, 0), min(to+1, len(v))
}

// finite is false of infinities and what is not a number: those less themselves are not 0.
func finite(v float32) bool { return v-v == 0 }
