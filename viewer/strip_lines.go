package viewer

import "image/color"

// toggleLines draws the history as a line for each zone's self time, or as columns again.
func (p *Panel) toggleLines() { p.change(func() { p.strip.lines = !p.strip.lines; p.strip.release() }) }

// lineGraph draws the layers as lines. The line of the zone under the mouse lies above the others and is bold. That
// zone has a line even if it has no layer.
func (s *strip) lineGraph(c *canvas, d *shown, plot rect) {
	over := d.zoneUnderMouse()
	for i := range d.Past.Columns {
		if busy := d.Past.Columns[i].Busy; finite(busy) {
			s.shares(busy, i) // of zones without a line there is a greatest share, too
		}
	}
	for i := range s.layers {
		if l := &s.layers[i]; l.zone != over {
			zoneLine(c, d, s, plot, l.columns, 1.5*c.em, l.bright)
		}
	}
	for i := range d.Past.Series {
		if v := &d.Past.Series[i]; v.Zone == over {
			zoneLine(c, d, s, plot, v.Values, 3*c.em, c.ColorOf(v.Name, v.Idle))
		}
	}
}

// zoneLine draws the line of one zone. A NaN is a gap.
func zoneLine(c *canvas, d *shown, s *strip, plot rect, v []float32, width float32, col color.NRGBA) {
	step := plot.width() / float32(max(d.Past.Frames, 1))
	var last point
	for i := range min(len(v), len(d.Past.Columns)) {
		f := &d.Past.Columns[i]
		x := plot.x1 - (float32(f.Oldest+f.Newest+1)/2-float32(d.Past.Skip))*step
		at := point{x, s.y(plot, max(v[i], 0)), finite(v[i])}
		if at.here && last.here {
			c.Segment(last.x, last.y, at.x, at.y, width, 0.5, col)
		}
		last = at
	}
}

// longestLine returns the greatest self time of the layers, ms.
func (s *strip) longestLine() (longest float32) {
	for i := range s.layers {
		for _, v := range s.layers[i].columns {
			if v > longest && finite(v) {
				longest = v
			}
		}
	}
	return longest
}
