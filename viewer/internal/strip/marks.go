package strip

import (
	"image/color"
	"math"
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// flags draws a flag on each column with marks.
func (s *Strip) flags(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	last := plot.X0 - 1e6
	s.cuts.flags = s.appendFlags(s.cuts.flags[:0], d, plot)
	for _, x := range s.cuts.flags {
		if x > last+c.Em {
			c.Pennant(x, plot.Y0, plot.Y1)
			last = x
		}
	}
}

// appendFlags appends the left edges of the flags in sight.
func (s *Strip) appendFlags(to []float32, d *scene.Scene, plot canvas.Rect) []float32 {
	for i := range d.Marks {
		if m := &d.Marks[i]; d.Visible(m.Age) {
			x0, x1 := d.ColumnEdges(plot, m.Age)
			to = append(to, (x0+x1)/2)
		}
	}
	return to
}

// marksIn returns the marks of the frames of a column.
func marksIn(d *scene.Scene, f *report.PastColumn) []report.MarkInSight {
	from := sort.Search(len(d.Marks), func(i int) bool { return d.Marks[i].Age <= f.Oldest })
	to := sort.Search(len(d.Marks), func(i int) bool { return d.Marks[i].Age < f.Newest })
	return d.Marks[from:max(from, to)]
}

// tipMarks is the greatest number of marks in the tip of a frame.
const tipMarks = 4

// lines returns the number of lines for marks: one more if not all marks have a line.
func lines(marks []report.MarkInSight) int { return min(len(marks), tipMarks+1) }

// drawMarks writes the texts of marks, with the time since the frame's beginning at the right.
func drawMarks(c *canvas.Canvas, marks []report.MarkInSight, in canvas.Rect) {
	line := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+16*c.Em)
	for i := range lines(marks) {
		y := (line.Y0 + line.Y1) / 2
		c.Triangle(in.X0, y-4*c.Em, in.X0, y+4*c.Em, in.X0+8*c.Em, y, c.TextBright)
		if more := len(marks) - i; i == tipMarks && more > 1 {
			c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(more), 0), " more marks"...)
			c.ASCII(in.X0+14*c.Em, c.Baseline(line.Y0, line.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
			return
		}
		end := in.X1 - c.Time(in.X1, line, draw.FaceSmall, marks[i].At, c.Precision, c.TextDim, c.TextFaint)
		c.Left(in.X0+14*c.Em, end-in.X0-22*c.Em, line, draw.FaceSmall, marks[i].Text, c.TextNormal)
		line.Y0, line.Y1 = line.Y1, line.Y1+16*c.Em
	}
}

// flagAt returns the place of the baseline's flag below the history. It is empty without one.
func (s *Strip) flagAt(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) canvas.Rect {
	b := &d.Report.Baseline
	if !b.Pinned {
		return canvas.Rect{}
	}
	_, newer, ok := ages(d, &report.Lens{Kind: report.LensRange, From: b.First, To: b.Last})
	if !ok {
		return canvas.Rect{}
	}
	x0, x1 := d.Edges(plot, newer, newer)
	x := (x0 + x1) / 2
	return canvas.Box(x-6*c.Em, plot.Y1+2*c.Em, x+6*c.Em, plot.Y1+15*c.Em)
}

// flag marks the baseline's frame below the history.
func (s *Strip) flag(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	at := s.flagAt(c, d, plot)
	if at.Width() == 0 {
		return
	}
	if b := &d.Report.Baseline; b.First < b.Last {
		older, newer, _ := ages(d, &report.Lens{Kind: report.LensRange, From: b.First, To: b.Last})
		x0, x1 := d.Edges(plot, older, newer)
		c.Rect(max(x0, plot.X0), plot.Y1+7*c.Em, x1, plot.Y1+10*c.Em, c.Accent)
	}
	x := (at.X0 + at.X1) / 2
	dashesDown(c, draw.Snap(x), plot.Y0, plot.Y1, c.Accent)
	c.Round(at.X0, at.Y0, at.X1, at.Y1, 3*c.Em, c.Accent)
	y := c.Baseline(at.Y0, at.Y1, draw.FaceSmall)
	c.Text(x-c.Width(draw.FaceSmall, "B")/2, y, draw.FaceSmall, "B", canvas.OnColor)
}

// noise draws the work of the baseline's frames and how far it varies as a band over the columns. Below eight frames,
// the other columns in sight show how far.
func (s *Strip) noise(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	b := &d.Report.Baseline
	if !b.Pinned || s.Top <= 0 {
		return
	}
	var its, all spread
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		if v := float64(s.height(f, i)); v-v == 0 {
			if all.add(v); b.First <= f.Index && f.Index <= b.Last {
				its.add(v)
			}
		}
	}
	if its.n == 0 {
		return
	}
	middle, off := its.sum/its.n, its.deviation()
	if its.n < 8 {
		off = all.deviation()
	}
	y := func(ms float64) float32 {
		return draw.Snap(plot.Y1 - plot.Height()*min(max(float32(ms)/s.Top, 0), 1))
	}
	c.Rect(plot.X0, y(middle+off), plot.X1, max(y(middle-off), y(middle+off)+3*c.Em), draw.Fade(c.Accent, 0.4))
}

// spread sums values for their mean and deviation.
type spread struct{ n, sum, squares float64 }

func (s *spread) add(v float64) {
	s.n++
	s.sum += v
	s.squares += v * v
}

func (s *spread) deviation() float64 {
	mean := s.sum / max(s.n, 1)
	return math.Sqrt(max(s.squares/max(s.n, 1)-mean*mean, 0))
}

// dashesDown draws a dashed vertical line.
func dashesDown(c *canvas.Canvas, x, y0, y1 float32, col color.NRGBA) {
	for y := y0; y < y1; y += 8 * c.Em {
		c.Rect(x, y, x+draw.Hairline(c.Em), min(y+4*c.Em, y1), col)
	}
}

// listedMarks marks the frames of a list above their columns.
func (s *Strip) listedMarks(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	if len(s.Listed) == 0 {
		return
	}
	last := plot.X0 - 1e6
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		first := f.Index - min(f.Index, uint64(f.Oldest-f.Age))
		at := sort.Search(len(s.Listed), func(i int) bool { return s.Listed[i] >= first })
		if at == len(s.Listed) || s.Listed[at] > f.Index+uint64(f.Age-f.Newest) || !d.Visible(f.Age) {
			continue
		}
		x0, x1 := d.ColumnEdges(plot, f.Age)
		c.Rect(x0, plot.Y0, x1, plot.Y1, draw.Fade(c.Accent, 0.16))
		if x := (x0 + x1) / 2; x > last+3*c.Em {
			c.Triangle(x-4*c.Em, plot.Y0-6*c.Em, x+4*c.Em, plot.Y0-6*c.Em, x, plot.Y0, c.Accent)
			last = x
		}
	}
}
