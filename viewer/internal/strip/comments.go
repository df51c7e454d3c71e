package strip

import (
	"sort"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// span returns the sides of the columns with the frames of a comment. ok is false if no frame is in sight.
func span(d *scene.Scene, plot canvas.Rect, of *report.Comment) (x0, x1 float32, ok bool) {
	all := d.Past.Columns
	first := sort.Search(len(all), func(i int) bool { return all[i].Index+uint64(all[i].Age-all[i].Newest) >= of.From })
	last := sort.Search(len(all), func(i int) bool {
		return all[i].Index-min(all[i].Index, uint64(all[i].Oldest-all[i].Age)) > of.To
	}) - 1
	if first > last {
		return 0, 0, false
	}
	x0, _ = d.Edges(plot, all[first].Oldest, all[first].Newest)
	_, x1 = d.Edges(plot, all[last].Oldest, all[last].Newest)
	return max(x0, plot.X0), min(x1, plot.X1), true
}

// comments draws a flag at each comment of the user, and a line over a range.
func (s *Strip) comments(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	s.commented = false
	for i := range s.Comments {
		of := &s.Comments[i]
		x0, x1, ok := span(d, plot, of)
		if !ok {
			continue
		}
		s.commented = true
		x, top := x0, plot.Y0-6*c.Em // above the flags of marks
		if of.From < of.To {
			c.Rect(x0, top, x1, top+2*c.Em, draw.Fade(c.Accent, 0.8))
		} else {
			x = (x0 + x1) / 2
		}
		Flag(c, x, top, plot.Y1)
		box := canvas.Box(x-2*c.Em, top-2*c.Em, x+11*c.Em, top+9*c.Em)
		c.Add(box, hit.Of(hit.Comment, i))
		if c.Hovers(box) {
			c.Explain(box, "your comment", inLines(draw.Printable(of.Text)))
		}
	}
}

// The most characters of a line of a comment in a tip, and the most lines.
const tipWidth, tipRows = 60, 12

// inLines breaks a text at spaces. It cuts a long text.
func inLines(text string) string {
	var b strings.Builder
	used, rows := 0, 1
	for _, word := range strings.Fields(text) {
		letters := []rune(word)
		letters = letters[:min(len(letters), tipWidth)]
		if used > 0 && used+len(letters) >= tipWidth {
			if rows++; rows > tipRows {
				b.WriteString(" …")
				break
			}
			b.WriteByte('\n')
			used = 0
		}
		if used > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(string(letters))
		used += len(letters) + 1
	}
	return b.String()
}

// Flag draws the flag of a comment, with a line down from it.
func Flag(c *canvas.Canvas, x, y0, y1 float32) {
	x = draw.Snap(x)
	c.Rect(x, y0, x+draw.Hairline(c.Em), y1, draw.Fade(c.Accent, 0.5))
	c.Fill(x, y0, x+9*c.Em, y0+7*c.Em, c.Accent)
}
