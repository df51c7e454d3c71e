package strip

import (
	"image/color"

	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// ToggleLines draws lines, or columns again.
func (s *Strip) ToggleLines() {
	s.Lines = !s.Lines
	s.release()
}

// lineGraph draws the layers as lines. The line of the zone under the mouse lies above the others and is bold. That
// zone has a line even if it has no layer.
func (s *Strip) lineGraph(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	over := d.ZoneUnderMouse()
	for i := range d.Past.Columns {
		if busy := s.worked(&d.Past.Columns[i], i); canvas.Finite(busy) {
			s.shares(busy, i) // notes the greatest share without a line, too
		}
	}
	for i := range s.Layers {
		if l := &s.Layers[i]; l.Zone != over {
			zoneLine(c, d, s, plot, l.columns, 1.5*c.Em, l.inks[0])
		}
	}
	for i := range d.Past.Series {
		if v := &d.Past.Series[i]; v.Zone == over {
			zoneLine(c, d, s, plot, v.Values, 3*c.Em, d.ColorOf(c, v.Zone, v.Name, v.Idle))
		}
	}
}

// zoneLine draws the line of one zone. A NaN is a gap.
func zoneLine(
	c *canvas.Canvas, d *scene.Scene, s *Strip, plot canvas.Rect, v []float32, width float32, col color.NRGBA,
) {
	var last canvas.Point
	for i := range min(len(v), len(d.Past.Columns)) {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(plot, f.Oldest, f.Newest)
		at := canvas.At((x0+x1)/2, s.y(plot, max(v[i], 0)), canvas.Finite(v[i]))
		if at.Here && last.Here {
			c.Segment(last.X, last.Y, at.X, at.Y, width, 0.5, col)
		}
		last = at
	}
}

// longestLine returns the greatest self time of the layers, ms.
func (s *Strip) longestLine() (longest float32) {
	for i := range s.Layers {
		for _, v := range s.Layers[i].columns {
			if v > longest && canvas.Finite(v) {
				longest = v
			}
		}
	}
	return longest
}
