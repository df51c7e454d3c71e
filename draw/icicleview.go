package draw

import (
	"math"

	"example.com/iprof/process"
)

// span is a part of the frame, in shares of it.
type span struct{ from, wide float64 }

// all is the whole frame.
var all = span{0, 1}

// narrowest is the least part of the frame that can be zoomed to: beyond it float32 pixels are too coarse.
const narrowest = 1.0 / 2000

// clamp keeps the part within the frame.
func (s span) clamp() span {
	s.wide = min(max(s.wide, narrowest), 1)
	s.from = min(max(s.from, 0), 1-s.wide)
	return s
}

// iceView is which part of the call structure is in sight.
type iceView struct {
	at, goal span    // shown, and where that moves to; no width at all is the whole frame
	down     float64 // levels that are above the upper edge
	in       rect    // of the bars, in the last Draw
	widest   float64 // ms that the whole width stands for
	rows     int     // levels that fit
	levels   int     // levels there are, with the frame
	moving   bool
}

// iceRow is the height of a level in nominal pixels.
const iceRow = 20

// ease moves what is shown a step towards its goal.
func (v *iceView) ease() {
	if v.at.wide == 0 {
		v.at, v.goal = all, all
	}
	v.at.from += (v.goal.from - v.at.from) * 0.4
	v.at.wide += (v.goal.wide - v.at.wide) * 0.4
	if math.Abs(v.goal.from-v.at.from)+math.Abs(v.goal.wide-v.at.wide) < 0.002*v.goal.wide {
		v.at = v.goal
	}
	v.moving = v.at != v.goal
	v.down = min(max(v.down, 0), float64(max(v.levels-v.rows, 0)))
}

// zoomed reports whether less than the whole frame is in sight.
func (v *iceView) zoomed() bool { return v.at.wide < 0.999 }

// ZoomIcicle makes the call structure wider about a place on the screen, in pixels: one notch by a quarter, below 0 narrower.
// About a place outside, it is about the middle.
func (p *Panel) ZoomIcicle(x float32, notches float64) {
	p.change(func() {
		v := &p.ice
		if v.goal.wide == 0 || !(v.in.width() > 0) {
			return
		}
		at := 0.5
		if share := float64((x - v.in.x0) / v.in.width()); share >= 0 && share <= 1 {
			at = share
		}
		wide := min(max(v.goal.wide*math.Pow(0.8, notches), narrowest), 1)
		v.goal = span{v.goal.from + (v.goal.wide-wide)*at, wide}.clamp()
	})
}

// PanIcicle moves the call structure by so many pixels.
func (p *Panel) PanIcicle(dx, dy float32) {
	p.change(func() {
		v := &p.ice
		if v.goal.wide == 0 || !(v.in.width() > 0) || !finite(dx) || !finite(dy) {
			return
		}
		v.goal.from -= float64(dx/v.in.width()) * v.goal.wide
		v.goal = v.goal.clamp()
		v.at = v.goal // what is dragged does not lag
		if v.rows > 0 {
			v.down -= float64(dy/v.in.height()) * float64(v.rows)
		}
	})
}

// FitIcicle makes a path of calls as wide as the screen; -1, or the path that fits already, shows the whole frame again.
func (p *Panel) FitIcicle(path int32) {
	p.change(func() {
		v := &p.ice
		goal, level, ok := extent(p.shown.tree, path, v.widest)
		if !ok || goal == v.goal {
			v.goal, v.down = all, 0
			return
		}
		v.goal = goal
		v.down = float64(max(level+2-v.rows, 0))
	})
}

// extent finds where the bar of a path lies.
func extent(tree []process.TreeNode, path int32, widest float64) (s span, level int, ok bool) {
	var next [64]float64
	for i := range tree {
		n := &tree[i]
		if n.Level < 0 || int(n.Level)+1 >= len(next) {
			continue
		}
		from := next[n.Level]
		next[n.Level], next[n.Level+1] = from+n.Hier, from
		if n.Path == path && path >= 0 && widest > 0 && n.Hier > 0 {
			return span{from / widest, n.Hier / widest}.clamp(), int(n.Level), true
		}
	}
	return all, 0, false
}

// drawSight draws which part of the frame is in sight, as a line above the bars, and says how it is left, as far as there is room.
func (v *iceView) drawSight(c *canvas, head rect, x, end float32) {
	say := func() {
		if width := c.asciiWidth(FaceSmall, c.buffer); x+width <= end {
			x += c.ascii(x, c.baseline(head.y0, head.y1, FaceSmall), FaceSmall, c.buffer, c.textDim)
		}
	}
	if v.levels > v.rows {
		c.buffer = appendFixed(append(c.buffer[:0], "   levels "...), v.down+1, 0)
		c.buffer = appendFixed(append(c.buffer, " to "...), min(math.Round(v.down)+float64(v.rows), float64(v.levels)), 0)
		c.buffer = appendFixed(append(c.buffer, " of "...), float64(v.levels), 0)
		say()
	}
	if !v.zoomed() {
		return
	}
	c.buffer = append(appendFixed(append(c.buffer[:0], "   "...), 1/v.at.wide, 1), " times as wide, a double click fits all"...)
	say()
	y := head.y1 + c.em
	c.Rect(head.x0, y, head.x1, y+2*c.em, c.raised)
	from := head.x0 + float32(v.at.from)*head.width()
	c.Rect(from, y, max(from+float32(v.at.wide)*head.width(), from+2*c.em), y+2*c.em, c.accent)
}
