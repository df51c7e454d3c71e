package draw

import (
	"image/color"

	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// GraphOptions are the options of AppendGraph. The zero value is the default.
type GraphOptions struct {
	LineSpacing float32 // height of a text line in the caller's units; sets the line width; below 0, y grows up
	Scale       float32 // device pixels per unit of the caller; 0 is 1
}

// graphFloor is a time in ms. Values below it are left out at both ends of a zone's line, so a zone without work has no
// line.
const graphFloor = 0.2

// leastTop is the least height of the mark of a frame, in ms.
const leastTop = 40

// AppendGraph draws self time per frame, one line per zone. The oldest frame lies at x, each newer one xSpacing units
// to the right, and age 0 is last. Zero milliseconds lie at y. Each millisecond is |ySpacing| units up the screen. A
// vertical line marks the frame with age cursor; without such a frame there is no line. A NaN or infinite value leaves
// a gap in the line.
func AppendGraph(l *List, s []report.Series, cursor int, x, y, xSpacing, ySpacing float32, o GraphOptions) {
	u, atlas := unitsFor(x, y, o.LineSpacing, o.Scale)
	l.Begin(atlas)
	first := len(l.V)
	g := plot{l, xSpacing / u.k, -abs(ySpacing) / u.k, 1.5 * l.atlas().scale}
	g.cursor(s, cursor)
	for i := range s {
		own := ZoneColor(s[i].Package, s[i].Name)
		inks := [2]color.NRGBA{zonecolor.Calm(own), own}
		if s[i].Idle {
			inks = [2]color.NRGBA{dark.Grey, dark.Grey}
		}
		g.line(s[i].Values, inks)
	}
	u.convert(l, first)
}

// plot maps frames and milliseconds to pixels.
type plot struct {
	*List
	dx, dy float32 // pixels per frame, pixels per ms
	width  float32
}

// cursor marks the frame with the given age. The mark reaches the highest value, and at least leastTop.
func (g *plot) cursor(s []report.Series, age int) {
	frames, top := 0, float32(leastTop)
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
	g.Line(x, 0, x, top*g.dy, g.width, Fade(white, 0.5))
}

// line draws one zone's line: calm, or with its own colour where it is over its usual.
func (g *plot) line(v []float32, inks [2]color.NRGBA) {
	usual := zonecolor.Mean(v)
	from, to := trim(v)
	stroke := g.atlas().strokeOf(g.width)
	for i := from + 1; i < to; i++ {
		a, b := v[i-1], v[i]
		if !finite(a) || !finite(b) {
			continue
		}
		x := float32(i) * g.dx
		c := inks[0]
		if zonecolor.Over(max(a, b), usual, leastTop) {
			c = inks[1]
		}
		g.stroke(stroke, x-g.dx, a*g.dy, x, b*g.dy, 0.5, c)
	}
}

// trim returns the range of values to draw. It leaves out values below the floor at both ends, but keeps one of them at
// each end so that the line starts and ends low.
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

// finite reports whether v is neither infinite nor NaN. For those, v-v is NaN.
func finite(v float32) bool { return v-v == 0 }
