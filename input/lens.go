package input

import (
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// farEnough is the least distance of a drag in device pixels. Below it, a press is a click.
const farEnough = 4

// span is a drag over the history. It selects the range of frames from the press to the mouse.
type span struct {
	moved  bool // the mouse has moved far enough for a drag
	x, y   float32
	from   uint64      // number of the frame under the press
	before report.View // the view that the command "back" restores
}

// startSpan begins a drag on a column, and shows that column's frame.
func (c *Controller) startSpan(age int) {
	before := c.session.View()
	viewer.ClearLens(c.session)
	c.panel.ShowAge(age)
	from, ok := c.frameNear(age)
	if ok {
		c.drag, c.span = dragRange, span{x: c.x, y: c.y, from: from, before: before}
	}
}

// frameNear returns the number of the frame of an age. If the history is shorter, it returns the number of the oldest
// frame.
func (c *Controller) frameNear(age int) (index uint64, ok bool) {
	for ; age >= 0 && !ok; age-- {
		index, ok = c.panel.FrameAt(viewer.Hit{Kind: viewer.HitGraph, Age: age})
	}
	return index, ok
}

// dragSpan extends the range to the column under the mouse. It uses the height of the press, so the drag may leave the
// history.
func (c *Controller) dragSpan() {
	if d := c.x - c.span.x; !c.span.moved && d < farEnough && d > -farEnough {
		return
	}
	hit := c.panel.HitAt(c.x, c.span.y)
	to, ok := c.frameNear(hit.Age)
	if hit.Kind != viewer.HitGraph || !ok {
		return
	}
	c.span.moved = true
	c.session.SetLens(report.Lens{Kind: report.LensRange, From: c.span.from, To: to})
}

// endSpan ends the drag. The command "back" then restores the view from before it.
func (c *Controller) endSpan() {
	if c.span.moved {
		c.panel.Remember(c.span.before)
	}
}
