package viewer

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// span is a part of the frame. Both values are shares of the frame.
type span struct{ from, wide float64 }

// all is the whole frame.
var all = span{0, 1}

// narrowest is the smallest part of the frame that can be in sight. Below it, float32 pixels are too coarse.
const narrowest = 1.0 / 2000

// clamp moves the part into the frame.
func (s span) clamp() span {
	s.wide = min(max(s.wide, narrowest), 1)
	s.from = min(max(s.from, 0), 1-s.wide)
	return s
}

// iceView is the part of the call structure that is in sight.
type iceView struct {
	at, goal span    // the part in sight, and its goal; a width of 0 is the whole frame
	down     float64 // number of levels above the upper edge
	in       rect    // place of the bars in the last Draw
	widest   float64 // ms of the whole width
	wait     float64 // how much narrower waits are drawn: 1 for not at all
	waits    int32   // level of these waits
	rows     int     // number of levels that fit
	levels   int     // number of levels, with the frame's own
	moving   bool
	deepest  int       // greatest number of levels so far
	frames   uint64    // of the session in the last Draw
	next     []float32 // memory of the bars
	aim      int32     // path that the next Draw brings into sight, -1 for none
	blamed   int32     // path of the verdict's main cause, -1 for none
}

// deepen grows the pane with the levels. It does not shrink again before the measurements are reset, because that would
// move all below it.
func (v *iceView) deepen(d *shown) {
	if d.info.Frames < v.frames {
		v.deepest = 0
	}
	v.frames, v.deepest = d.info.Frames, max(v.deepest, treeLevels(d))
}

// iceRow is the height of a level in nominal pixels.
const iceRow = draw.ThickBar + 1

// ease moves the part in sight one step toward its goal.
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

// zoomIcicle zooms the call structure. A notch shows four fifths as much time; negative notches show more. The bar at
// x, in pixels, keeps its place; for an x outside, the middle does. The part in sight is at least 1/2000 of the frame,
// and at most all of it. Any goroutine may call it.
func (p *Panel) zoomIcicle(x float32, notches float64) {
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

// panIcicle moves the call structure by dx and dy pixels. It stops at the ends. Infinities and NaN are ignored. Any
// goroutine may call it.
func (p *Panel) panIcicle(dx, dy float32) {
	p.change(func() {
		v := &p.ice
		if v.goal.wide == 0 || !(v.in.width() > 0) || !finite(dx) || !finite(dy) {
			return
		}
		v.goal.from -= float64(dx/v.in.width()) * v.goal.wide
		v.goal = v.goal.clamp()
		v.at = v.goal // a dragged picture must follow the mouse at once
		if v.rows > 0 {
			v.down -= float64(dy/v.in.height()) * float64(v.rows)
		}
	})
}

// fitIcicle fits the bar of a path to the width of the screen. For -1, for a path without a bar, and for a bar that
// fits already, it shows the whole frame. Any goroutine may call it.
func (p *Panel) fitIcicle(path int32) {
	p.change(func() {
		v := &p.ice
		goal, level, ok := v.extent(p.shown.Tree, path)
		if !ok || goal == v.goal {
			v.goal, v.down = all, 0
			return
		}
		v.goal = goal
		v.down = float64(max(level+2-v.rows, 0))
	})
}

// extent returns the part of the frame that the bar of a path covers, and the level of the bar.
func (v *iceView) extent(tree []process.TreeNode, path int32) (s span, level int, ok bool) {
	widest := v.widest
	next := make([]float64, 2, 64)
	for i := range tree {
		n := &tree[i]
		if n.Level < 0 {
			continue
		}
		for int(n.Level)+1 >= len(next) {
			next = append(next, 0)
		}
		from := next[n.Level]
		wide := v.width(n)
		next[n.Level], next[n.Level+1] = from+wide, from
		if n.Path == path && path >= 0 && widest > 0 && wide > 0 {
			return span{from / widest, wide / widest}.clamp(), int(n.Level), true
		}
	}
	return all, 0, false
}

// drawSight draws the part of the frame that is in sight as a line above the bars. It writes the levels in sight and
// the zoom where there is room.
func (v *iceView) drawSight(c *canvas, head rect, x, end float32) {
	say := func() {
		if width := c.ASCIIWidth(draw.FaceSmall, c.buffer); x+width <= end {
			x += c.ASCII(x, c.baseline(head.y0, head.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
		}
	}
	if v.levels > v.rows {
		c.buffer = draw.AppendFixed(append(c.buffer[:0], "   levels "...), v.down+1, 0)
		last := min(math.Round(v.down)+float64(v.rows), float64(v.levels))
		c.buffer = draw.AppendFixed(append(c.buffer, " to "...), last, 0)
		c.buffer = draw.AppendFixed(append(c.buffer, " of "...), float64(v.levels), 0)
		say()
	}
	if !v.zoomed() {
		return
	}
	c.buffer = draw.AppendFixed(append(c.buffer[:0], "   "...), 1/v.at.wide, 1)
	c.buffer = append(c.buffer, " times as wide, a double click fits all"...)
	say()
	y := head.y1 + c.em
	c.Rect(head.x0, y, head.x1, y+2*c.em, c.Raised)
	from := head.x0 + float32(v.at.from)*head.width()
	c.Rect(from, y, max(from+float32(v.at.wide)*head.width(), from+2*c.em), y+2*c.em, c.Accent)
}
