package input

import (
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// setLens makes reports the mean of some frames of the history; the same kind again is one frame again.
func setLens(l process.Lens) command {
	return func(s *process.Session, _ *draw.Panel) {
		v := s.View()
		if v.Lens.Kind == l.Kind {
			l = process.Lens{}
		}
		v.Lens = l
		s.SetView(v)
	}
}

// clearLens shows one frame, or the moving average, again. It reports whether it was otherwise.
func clearLens(s *process.Session) bool {
	v := s.View()
	if v.Lens.Kind == process.LensOff {
		return false
	}
	v.Lens = process.Lens{}
	s.SetView(v)
	return true
}

// farEnough is how many device pixels a press must move to be a drag.
const farEnough = 4

// span is a drag over the history that chooses the frames from where it began.
type span struct {
	on     bool // the button is down
	moved  bool // it is a drag and no click
	x, y   float32
	from   uint64 // number of the frame that it began on
	before process.View
}

// startSpan begins a drag on a column, which shows the frame for now.
func (c *Controller) startSpan(age int) {
	before := c.session.View()
	clearLens(c.session)
	showFrame(c.session, age)
	from, ok := c.frameNear(age)
	c.span = span{on: ok, x: c.x, y: c.y, from: from, before: before}
}

// frameNear is the number of the frame of an age, or of the oldest where the history does not reach so far.
func (c *Controller) frameNear(age int) (index uint64, ok bool) {
	for ; age >= 0 && !ok; age-- {
		index, ok = c.panel.FrameAt(age)
	}
	return index, ok
}

// dragSpan makes the range reach to the column under the cursor. One that leaves the history goes on at its height.
func (c *Controller) dragSpan() {
	if d := c.x - c.span.x; !c.span.moved && d < farEnough && d > -farEnough {
		return
	}
	hit := c.panel.HitAt(c.x, c.span.y)
	to, ok := c.frameNear(hit.Age)
	if hit.Kind != draw.HitGraph || !ok {
		return
	}
	c.span.moved = true
	v := c.session.View()
	v.Lens = process.Lens{Kind: process.LensRange, From: c.span.from, To: to}
	c.session.SetView(v)
}

// endSpan ends the drag; the way back is to what was shown before it.
func (c *Controller) endSpan() {
	if c.span.on && c.span.moved {
		c.remember(c.span.before)
	}
	c.span = span{}
}

// budgets are the frame lengths that the key goes through, by frames a second.
var budgets = [...]int{30, 60, 75, 90, 120, 144}

// cycleBudget goes on to the next shorter budget, and from the shortest to the longest.
func cycleBudget(s *process.Session, p *draw.Panel) {
	now := s.FrameBudget()
	next := time.Second / time.Duration(budgets[0])
	for _, fps := range budgets {
		if d := time.Second / time.Duration(fps); d < now-time.Microsecond {
			next = d
			break
		}
	}
	s.SetFrameBudget(next)
	p.Note("frame budget " + next.Round(10*time.Microsecond).String())
}
