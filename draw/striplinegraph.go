package draw

import "image/color"

// ToggleLines turns the history from columns that stand on each other to a line for each zone's self time, and back.
func (p *Panel) ToggleLines() { p.change(func() { p.strip.lines = !p.strip.lines }) }

// Lines reports whether the history is drawn as lines.
func (p *Panel) Lines() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.strip.lines
}

// lineGraph draws the zones of the stack as lines, the one under the mouse above the others and bold, whether it is in the
// stack or not.
func (s *strip) lineGraph(c *canvas, d *shown, plot rect) {
	over := d.zoneUnderMouse()
	for i := range s.layers {
		if l := &s.layers[i]; l.zone != over {
			s.zoneLine(c, plot, l.values, 1.5*c.em, l.bright)
		}
	}
	for i := range d.series {
		if v := &d.series[i]; v.Zone == over {
			s.zoneLine(c, plot, v.Values, 3*c.em, c.colorOf(v.Name, v.Idle))
		}
	}
}

// zoneLine draws one zone. What is no number is a gap.
func (s *strip) zoneLine(c *canvas, plot rect, v []float32, width float32, col color.NRGBA) {
	v = v[max(len(v)-historyFrames, 0):]
	step := plot.width() / historyFrames
	x := plot.x1 - (float32(len(v))-0.5)*step
	stroke := c.atlas().strokeOf(width)
	var last point
	for _, ms := range v {
		at := point{x, s.y(plot, max(ms, 0)), finite(ms)}
		if at.here && last.here {
			c.stroke(stroke, last.x, last.y, at.x, at.y, 0.5, col)
		}
		last, x = at, x+step
	}
}

// longestLine is the greatest self time of a zone that has a line.
func (s *strip) longestLine() (longest float32) {
	for i := range s.layers {
		for _, v := range s.layers[i].values {
			if v > longest && finite(v) {
				longest = v
			}
		}
	}
	return longest
}
