package viewer

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// ages returns the part of the history in sight that a range of frames covers. Both ages are included. The bool is
// false if the range is not in sight.
func (d *shown) ages(l *process.Lens) (older, newer int, ok bool) {
	if l.Kind != process.LensRange {
		return 0, 0, false
	}
	from, to := min(l.From, l.To), max(l.From, l.To)
	for i := range d.Past.Columns {
		if f := &d.Past.Columns[i]; f.Index >= from && f.Index <= to {
			if !ok {
				older = f.Oldest
			}
			newer, ok = f.Newest, true
		}
	}
	return older, newer, ok
}

// within reports whether the frame of an age is in the selected range. Without a range, all frames are.
func (s *strip) within(age int) bool { return !s.ranged || age <= s.older && age >= s.newer }

// takeRange computes the ages of the view's range.
func (s *strip) takeRange(d *shown) { s.older, s.newer, s.ranged = d.ages(&d.view.Lens) }

// frame draws the selected range over a history: a frame around its columns, and above them the number of frames and
// their length.
func (s *strip) frame(c *canvas, d *shown, plot rect, words bool) {
	if !s.ranged {
		return
	}
	x0, x1 := d.edges(plot, s.older, s.newer)
	x0, x1 = max(x0, plot.x0), min(x1, plot.x1)
	line := draw.Hairline(c.em)
	c.Rect(x0, plot.y0, x1, plot.y1, draw.Fade(c.Accent, 0.1))
	c.Rect(x0-line, plot.y0, x0, plot.y1, c.Accent)
	c.Rect(x1, plot.y0, x1+line, plot.y1, c.Accent)
	c.Rect(x0, plot.y1, x1, plot.y1+3*c.em, c.Accent)
	if !words {
		return
	}
	c.buffer = d.rangeWords(c.buffer[:0], s.older, s.newer)
	width := c.ASCIIWidth(draw.FaceSmall, c.buffer) + 14*c.em
	x := draw.Snap(min(max((x0+x1-width)/2, plot.x0), plot.x1-width))
	c.Round(x, plot.y0-4*c.em, x+width, plot.y0+14*c.em, 4*c.em, c.Tab)
	y := c.baseline(plot.y0-4*c.em, plot.y0+14*c.em, draw.FaceSmall)
	c.ASCII(x+7*c.em, y, draw.FaceSmall, c.buffer, c.TextBright)
}

// rangeWords appends the number of frames in a range and their length: "57 frames, 948.2 ms".
func (d *shown) rangeWords(b []byte, older, newer int) []byte {
	ms, n := d.info.Length*float64(d.info.LensFrames), d.info.LensFrames
	if d.Past.Group == 1 {
		ms, n = 0, 0
		for i := range d.Past.Columns {
			if f := &d.Past.Columns[i]; f.Age <= older && f.Age >= newer {
				if v := float64(f.Length); !math.IsNaN(v) {
					ms += v
				}
				n++
			}
		}
	}
	b = draw.AppendFixed(b, float64(n), 0)
	if n == 1 {
		b = append(b, " frame, "...)
	} else {
		b = append(b, " frames, "...)
	}
	return append(draw.AppendFixed(b, ms, 1), " ms"...)
}

// frameOfAge returns the number of the frame of an age in the history that was drawn last.
func (p *Panel) frameOfAge(age int) (index uint64, ok bool) {
	d := &p.shown
	if i := len(d.Frames) - 1 - age; age >= 0 && i >= 0 {
		return d.Frames[i].Index, true
	}
	if f := d.column(age); f != nil {
		return f.Index, true
	}
	return 0, false
}
