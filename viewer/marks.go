package viewer

import (
	"sort"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// This file draws the marks of the user: see process.Session.Mark. Their texts are any bytes; lists escape what is not
// printable.

// pennant draws a line down from y0 with a flag at its top.
func (c *canvas) pennant(x, y0, y1 float32) {
	x = draw.Snap(x)
	c.Rect(x, y0, x+draw.Hairline(c.em), y1, draw.Fade(c.TextBright, 0.45))
	c.Triangle(x, y0, x, y0+8*c.em, x+8*c.em, y0+4*c.em, c.TextBright)
}

// flags draws a flag on each column with marks.
func (s *strip) flags(c *canvas, d *shown, plot rect) {
	last := plot.x0 - 1e6
	for i := range d.Marks {
		m := &d.Marks[i]
		if !d.visible(m.Age) {
			continue
		}
		x0, x1 := d.columnEdges(plot, m.Age)
		if x := (x0 + x1) / 2; x > last+c.em {
			c.pennant(x, plot.y0, plot.y1)
			last = x
		}
	}
}

// marksIn returns the marks of the frames of a column.
func (d *shown) marksIn(f *process.PastColumn) []process.MarkInSight {
	from := sort.Search(len(d.Marks), func(i int) bool { return d.Marks[i].Age <= f.Oldest })
	to := sort.Search(len(d.Marks), func(i int) bool { return d.Marks[i].Age < f.Newest })
	return d.Marks[from:max(from, to)]
}

// tipMarks is the greatest number of marks in the tip of a frame.
const tipMarks = 4

// lines returns the number of lines for marks: one more where not all have one.
func lines(marks []process.MarkInSight) int { return min(len(marks), tipMarks+1) }

// marks writes the texts of marks, with the time since the frame's beginning at the right.
func (c *canvas) marks(marks []process.MarkInSight, in rect) {
	line := rect{in.x0, in.y0, in.x1, in.y0 + 16*c.em}
	for i := range lines(marks) {
		y := (line.y0 + line.y1) / 2
		c.Triangle(in.x0, y-4*c.em, in.x0, y+4*c.em, in.x0+8*c.em, y, c.TextBright)
		if more := len(marks) - i; i == tipMarks && more > 1 {
			c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(more), 0), " more marks"...)
			c.ASCII(in.x0+14*c.em, c.baseline(line.y0, line.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
			return
		}
		end := in.x1 - c.right(in.x1, line, draw.FaceSmall, " ms", c.TextFaint)
		end -= c.number(end, line, draw.FaceSmall, marks[i].At, c.precision, c.TextDim)
		c.left(in.x0+14*c.em, end-in.x0-22*c.em, line, draw.FaceSmall, marks[i].Text, c.TextNormal)
		line.y0, line.y1 = line.y1, line.y1+16*c.em
	}
}

// longestTip is the greatest number of bytes of a mark's text in a tip of the timeline.
const longestTip = 120

// drawFlags draws a flag at each mark in sight.
func (t *timeline) drawFlags(c *canvas, d *shown, axis, in rect) {
	frames, at, last := t.data.Frames, 0, in.x0-1e6
	for i := range d.Marks {
		m := &d.Marks[i]
		for at < len(frames) && frames[at].Index < m.Frame {
			at++
		}
		if at == len(frames) {
			return
		}
		x := t.view.x(frames[at].Begin + m.At)
		if frames[at].Index != m.Frame || x < in.x0 || x > in.x1 || x < last+c.em {
			continue
		}
		last = x
		c.pennant(x, axis.y0+2*c.em, in.y1)
		if place := (rect{x - 3*c.em, axis.y0, x + 9*c.em, axis.y1}); c.tip.accepts(c.hovers(place)) {
			c.explain(place, "mark", draw.Printable(shortened(m.Text, longestTip)))
		}
	}
}

// shortened cuts a text to so many bytes, at the border of a character, and ends it in "…".
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
