package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// waits draws the waiting part of a frame faintly above its busy part, up to the frame's whole length. The end of a
// frame that was late because it waited has the colour of lateness. What the scale does not reach is cut.
func (s *strip) waits(c *canvas, f *process.FrameSummary, box rect, busy float32) {
	top := draw.Snap(max(box.y1-f.Length*box.height()/s.top, box.y0))
	if !finite(f.Length) || top >= busy {
		return
	}
	c.Rect(box.x0, top, box.x1, busy, s.waitInk)
	if f.Pace(s.budget) == process.PaceWaited {
		c.Rect(box.x0, top, box.x1, top+max(1, 2*c.em), draw.Fade(c.Amber, 0.8))
	}
	if f.Length > s.top && f.Busy <= s.top && !s.moving {
		s.cuts.add(c, box, f.Length, true)
	}
}
