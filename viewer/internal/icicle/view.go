package icicle

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// all is the whole frame.
var all = canvas.Span{From: 0, Wide: 1}

// narrowest is the smallest part of the frame that can be in sight. Below it, float32 pixels are too coarse.
const narrowest = 1.0 / 2000

// clamped moves a part into the frame.
func clamped(s canvas.Span) canvas.Span {
	s.Wide = min(max(s.Wide, narrowest), 1)
	s.From = min(max(s.From, 0), 1-s.Wide)
	return s
}

// View is the visible part of the call structure.
type View struct {
	at, goal  canvas.Span // the part in sight, and its goal; a width of 0 is the whole frame
	down      float64     // number of levels above the upper edge
	in        canvas.Rect // place of the bars in the last Draw
	widest    float64     // ms of the whole width
	waitLevel int32       // level of the outermost waits
	OnlyWork  bool        // leaves out the outermost waits and the bars inside them
	rows      int         // number of levels that fit
	levels    int         // number of levels, with the frame's own
	Moving    bool
	Smeared   bool      // the last Draw had bars too thin to be drawn
	Deepest   int       // greatest number of levels so far
	frames    uint64    // of the session in the last Draw
	nextX     []float32 // memory of the bars
	Aim       int32     // path that the next Draw brings into sight, -1 for none
	Blamed    int32     // path of the verdict's main cause, -1 for none
}

// Deepen grows the pane with the levels. It shrinks only at a reset, because shrinking would move all parts below.
func (v *View) Deepen(d *scene.Scene) {
	if d.Info.Frames < v.frames {
		v.Deepest = 0
	}
	v.frames, v.Deepest = d.Info.Frames, max(v.Deepest, treeLevels(d))
}

// iceRow is the height of a level in nominal pixels.
const iceRow = draw.ThickBar + 1

// ease moves the part in sight one step toward its goal.
func (v *View) ease() {
	if v.at.Wide == 0 {
		v.at, v.goal = all, all
	}
	v.at.From += (v.goal.From - v.at.From) * 0.4
	v.at.Wide += (v.goal.Wide - v.at.Wide) * 0.4
	if math.Abs(v.goal.From-v.at.From)+math.Abs(v.goal.Wide-v.at.Wide) < 0.002*v.goal.Wide {
		v.at = v.goal
	}
	v.Moving = v.at != v.goal
	v.down = min(max(v.down, 0), float64(max(v.levels-v.rows, 0)))
}

// zoomed reports whether less than the whole frame is in sight.
func (v *View) zoomed() bool { return v.at.Wide < 0.999 }

// Zoom zooms about x, in pixels.
func (v *View) Zoom(x float32, notches float64) {
	if v.goal.Wide == 0 || !(v.in.Width() > 0) {
		return
	}
	at := 0.5
	if share := float64((x - v.in.X0) / v.in.Width()); share >= 0 && share <= 1 {
		at = share
	}
	wide := min(max(v.goal.Wide*math.Pow(0.8, notches), narrowest), 1)
	v.goal = clamped(canvas.Span{From: v.goal.From + (v.goal.Wide-wide)*at, Wide: wide})
}

// Pan moves the part in sight by dx and dy pixels.
func (v *View) Pan(dx, dy float32) {
	if v.goal.Wide == 0 || !(v.in.Width() > 0) || !canvas.Finite(dx) || !canvas.Finite(dy) {
		return
	}
	v.goal.From -= float64(dx/v.in.Width()) * v.goal.Wide
	v.goal = clamped(v.goal)
	v.at = v.goal // a dragged picture must follow the mouse at once
	if v.rows > 0 {
		v.down -= float64(dy/v.in.Height()) * float64(v.rows)
	}
}

// Fit fits the bar of a path to the width of the screen, or shows the whole frame.
func (v *View) Fit(tree []report.TreeNode, path int32) {
	goal, level, ok := v.extent(tree, path)
	if !ok || goal == v.goal {
		v.goal, v.down = all, 0
		return
	}
	v.goal = goal
	v.down = float64(max(level+2-v.rows, 0))
}

// extent returns the part of the frame that the bar of a path covers, and the level of the bar.
func (v *View) extent(tree []report.TreeNode, path int32) (s canvas.Span, level int, ok bool) {
	widest := v.widest
	next, without := make([]float64, 2, 64), false
	for i := range tree {
		n := &tree[i]
		if n.Level < 0 {
			continue
		}
		for int(n.Level)+1 >= len(next) {
			next = append(next, 0)
		}
		if n.Level <= v.waitLevel {
			without = v.leavesOut(n)
		}
		if without {
			continue
		}
		from, wide := next[n.Level], n.Hier
		next[n.Level], next[n.Level+1] = from+wide, from
		if n.Path == path && path >= 0 && widest > 0 && wide > 0 {
			return clamped(canvas.Span{From: from / widest, Wide: wide / widest}), int(n.Level), true
		}
	}
	return all, 0, false
}

// drawSight draws the visible part of the frame as a line above the bars. If there is room, it writes the visible
// levels and the zoom.
func (v *View) drawSight(c *canvas.Canvas, head canvas.Rect, x, end float32) {
	say := func() {
		if width := c.ASCIIWidth(draw.FaceSmall, c.Buffer); x+width <= end {
			x += c.ASCII(x, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
		}
	}
	if v.levels > v.rows {
		c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "   levels "...), v.down+1, 0)
		last := min(math.Round(v.down)+float64(v.rows), float64(v.levels))
		c.Buffer = draw.AppendFixed(append(c.Buffer, " to "...), last, 0)
		c.Buffer = draw.AppendFixed(append(c.Buffer, " of "...), float64(v.levels), 0)
		say()
	}
	if !v.zoomed() {
		return
	}
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "   "...), 1/v.at.Wide, 1)
	c.Buffer = append(c.Buffer, " times as wide, a double click fits all"...)
	say()
	y := head.Y1 + c.Em
	c.Rect(head.X0, y, head.X1, y+2*c.Em, c.Raised)
	from := head.X0 + float32(v.at.From)*head.Width()
	c.Rect(from, y, max(from+float32(v.at.Wide)*head.Width(), from+2*c.Em), y+2*c.Em, c.Accent)
}

// leastBar is the share of the width below which a bar is too thin to find. wideBar is its share after zooming.
const leastBar, wideBar = 0.04, 0.3

// bring moves and zooms the part in sight so that the bar of a path can be seen.
func (v *View) bring(tree []report.TreeNode, path int32) {
	bar, level, ok := v.extent(tree, path)
	v.goal, v.down = all, 0
	if !ok {
		return
	}
	if bar.Wide < leastBar {
		wide := min(bar.Wide/wideBar, 1)
		v.goal = clamped(canvas.Span{From: bar.From + bar.Wide/2 - wide/2, Wide: wide})
	}
	v.down = float64(max(level+2-v.rows, 0))
}
