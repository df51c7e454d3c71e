package strip

import (
	"image/color"
	"math"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// axis draws the grid and its numbers at the left. Of numbers in ms only the lowest has the unit: the others have no
// room.
func (s *Strip) axis(c *canvas.Canvas, plot canvas.Rect) {
	top, unit, _ := draw.TimeInUnit(float64(s.Top), 0)
	of := s.Top / float32(top) // the unit, ms
	step, decimals := tickStep(float32(top)), 0
	for unit := step; decimals < 3 && unit != draw.Snap(unit); unit *= 10 {
		decimals++
	}
	last := plot.Y1 + plot.Height()
	for v := float32(0); v <= float32(top)*1.001; v += step {
		y := draw.Snap(s.y(plot, v*of))
		c.Rect(plot.X0, y, plot.X1, y+draw.Hairline(c.Em), c.GridLine)
		if last-y < 11*c.Em { // no number on another
			continue
		}
		last = y
		c.Buffer = draw.AppendFixed(c.Buffer[:0], float64(v), decimals)
		switch {
		case unit != draw.Milliseconds:
			c.Buffer = append(c.Buffer, unit...) // without a space: there is little room
		case v == 0:
			c.Buffer = append(append(c.Buffer, ' '), unit...)
		}
		c.ASCIIRight(plot.X0-8*c.Em, c.Baseline(y, y, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextFaint)
	}
	c.Explain(canvas.Box(plot.X0-36*c.Em, plot.Y0-6*c.Em, plot.X0, plot.Y1+4*c.Em), "milliseconds",
		"how long a frame was busy. The higher its column, the slower\nthe frame. S locks this scale")
}

// remark writes unusual states of the history at the upper right: it stands still, or its scale is locked.
func (s *Strip) remark(c *canvas.Canvas, plot canvas.Rect) {
	col := c.Accent
	switch {
	case s.Behind > 0:
		c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "held by the mouse, "...), float64(s.Behind), 0)
		c.Buffer = append(c.Buffer, " frame"...)
		if s.Behind > 1 {
			c.Buffer = append(c.Buffer, 's')
		}
		c.Buffer = append(c.Buffer, " behind"...)
		col = c.Amber
	case s.Locked:
		c.Buffer = append(c.Buffer[:0], "scale locked"...)
	default:
		return
	}
	width := c.ASCIIWidth(draw.FaceSmall, c.Buffer)
	at := canvas.Box(draw.Snap(plot.X1-width-14*c.Em), plot.Y0-4*c.Em, plot.X1, plot.Y0+14*c.Em)
	if at.X0 < plot.X0 {
		return
	}
	c.Round(at.X0, at.Y0, at.X1, at.Y1, 4*c.Em, draw.Mix(c.Surface, col, 0.2))
	c.ASCII(at.X0+7*c.Em, c.Baseline(at.Y0, at.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, col)
}

// ages writes the ages below the columns, except under the flag of the baseline.
func (s *Strip) ages(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	most := 5
	if plot.Width() < 300*c.Em {
		most = 2
	}
	every := ageStep(d.Past.Frames, most)
	below := canvas.Box(0, plot.Y1+6*c.Em, 0, plot.Y1+21*c.Em)
	end, flag := plot.X1, s.flagAt(c, d, plot)
	if d.Past.Skip+d.Past.Behind == 0 && flag.X1 < plot.X1-9*c.Em-c.Width(draw.FaceTiny, "newest") {
		end -= c.Right(plot.X1-9*c.Em, below, draw.FaceTiny, "newest", c.TextFaint) + 21*c.Em
	}
	for age := (d.Past.Skip/every + 1) * every; age <= d.Past.Skip+d.Past.Frames; age += every {
		c.Buffer = draw.AppendFixed(c.Buffer[:0], -float64(age+d.Past.Behind), 0)
		width := c.ASCIIWidth(draw.FaceTiny, c.Buffer)
		x0, _ := d.Edges(plot, age-1, age-1)
		if x := max(x0-width/2, plot.X0); x+width < end && (x >= flag.X1 || x+width <= flag.X0) {
			c.ASCII(x, c.Baseline(below.Y0, below.Y1, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextFaint)
			end = x - 12*c.Em
		}
	}
}

// ageStep returns the distance between the ages below a history: 1, 2, 3 or 6 times a power of ten, such that there are
// at most most ages.
func ageStep(frames, most int) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range [...]int{1, 2, 3, 6} {
			if m*unit*most >= frames {
				return m * unit
			}
		}
	}
}

// limits draws lines at the frame lengths of 60 and 30 frames per second, and at the budget if that differs. Where
// frames are only pieces of the time, it draws a budget that the user chose. The labels stand side by side if the lines
// are too close to put one above the other.
func (s *Strip) limits(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	budget := d.Info.Budget.Seconds() * 1000
	all := [...]limit{
		{scene.Length60, "16.7 ms · 60 fps", c.Green},
		{scene.Length30, "33.3 ms · 30 fps", c.Amber},
		{budget, "", c.Accent},
	}
	lines := all[:]
	switch {
	case !d.Info.Kind.HasFrames():
		if lines = all[2:]; !(budget > 0) {
			return
		}
	case !(budget > 0) || near(budget, scene.Length60) || near(budget, scene.Length30):
		lines = all[:2]
	}
	for i := len(lines) - 1; i > 0 && lines[i].ms < lines[i-1].ms; i-- {
		lines[i], lines[i-1] = lines[i-1], lines[i]
	}
	for i := range lines {
		s.limitLine(c, plot, float32(lines[i].ms), lines[i].color)
	}
	l := labels{c: c, plot: plot, x: plot.X0 + 12*c.Em, bottom: plot.Y1}
	for i := range lines {
		if y, ok := s.limitAt(c, plot, float32(lines[i].ms)); ok && plot.Width() >= 200*c.Em {
			l.draw(y, &lines[i])
		}
	}
}

// limit is a line at a frame length.
type limit struct {
	ms    float64
	label string // "" is the budget's label
	color color.NRGBA
}

// near reports whether two lengths look the same.
func near(a, b float64) bool { return a > b*0.98 && a < b*1.02 }

// labels places the names of lines, from the lowest line up, so that they do not overlap.
type labels struct {
	c      *canvas.Canvas
	plot   canvas.Rect
	x      float32 // x of the next label if it must stand beside the last one
	bottom float32 // upper edge of the last label
}

// draw draws the label of a line.
func (l *labels) draw(y float32, of *limit) {
	c := l.c
	if of.label != "" {
		if x, ok := l.place(y, c.Width(draw.FaceSmall, of.label)); ok {
			c.Text(x, y-5*c.Em, draw.FaceSmall, of.label, of.color)
		}
		return
	}
	c.Buffer = append(draw.AppendTime(c.Buffer[:0], of.ms, 1), " budget"...)
	if x, ok := l.place(y, c.ASCIIWidth(draw.FaceSmall, c.Buffer)); ok {
		c.ASCII(x, y-5*c.Em, draw.FaceSmall, c.Buffer, of.color)
	}
}

// place finds room above a line for a label of a width in pixels, and draws its background.
func (l *labels) place(y, width float32) (x float32, ok bool) {
	c := l.c
	x = l.plot.X0 + 12*c.Em
	if y-2*c.Em > l.bottom {
		x = l.x
	}
	if x+width+8*c.Em > l.plot.X1 {
		return 0, false
	}
	c.Round(x-5*c.Em, y-16*c.Em, x+width+5*c.Em, y-2*c.Em, 3*c.Em, draw.Fade(c.Surface, 0.78))
	c.Explain(canvas.Box(x-5*c.Em, y-16*c.Em, x+width+5*c.Em, y-2*c.Em), "frame length",
		"columns below this line are of frames on time for so many\nframes a second")
	l.x, l.bottom = x+width+18*c.Em, y-16*c.Em
	return x, true
}

// limitAt returns the y of a line. ok reports whether the line is within the scale and the label has room.
func (s *Strip) limitAt(c *canvas.Canvas, plot canvas.Rect, ms float32) (y float32, ok bool) {
	y = draw.Snap(s.y(plot, ms))
	return y, ms < s.Top && y-16*c.Em >= plot.Y0-8*c.Em
}

// limitLine draws a dashed line.
func (s *Strip) limitLine(c *canvas.Canvas, plot canvas.Rect, ms float32, col color.NRGBA) {
	if y, ok := s.limitAt(c, plot, ms); ok {
		c.Dashes(plot.X0, plot.X1, y, 6*c.Em, 4*c.Em, draw.Fade(col, 0.9))
	}
}

// collections names the marks of garbage collections, if there are any.
func (s *Strip) collections(c *canvas.Canvas, plot canvas.Rect) {
	if !s.collected || s.Lines {
		return
	}
	at := canvas.Box(plot.X0-30*c.Em, plot.Y1+6*c.Em, plot.X0-8*c.Em, plot.Y1+21*c.Em)
	if o := s.Others.Plot; o.Height() > 0 && o.Y1-7*c.Em < at.Y1 { // the scale of the other goroutines is at that place
		return
	}
	c.Right(at.X1, at, draw.FaceTiny, "GC", c.Collection)
	c.Explain(at, "GC", "a mark below a frame: garbage was collected in it.\nO shows the memory strip")
}

// marker marks the shown frame: a sign below the axis, and a light column if the frames do not move.
func (s *Strip) marker(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	age := d.Info.Age
	cross(c, d, plot)
	if !d.Visible(age) || d.Info.Gone || d.Info.Kept {
		return
	}
	x0, x1 := d.ColumnEdges(plot, age)
	if s.ranged {
		return // the range has its own edges
	}
	if age > 0 || d.Info.Paused {
		c.Rect(x0, plot.Y0, max(x1, x0+1), plot.Y1, draw.Fade(c.Strong, 0.14))
	}
	side := c.IconSize()
	c.Icon(draw.IconUp, draw.Snap((x0+x1-side)/2), plot.Y1, c.Strong)
}

// tallest is the upper end of the scale in frame budgets, as long as few frames are longer.
const tallest = 3

// ease moves the scale toward the one that fits the frames in sight. It cuts the columns of a few very long frames, so
// that the others stay readable.
func (s *Strip) ease(d *scene.Scene) {
	longest := float32(0)
	for i := range d.Past.Columns {
		if v := s.height(&d.Past.Columns[i], i); v > longest && canvas.Finite(v) {
			longest = v
		}
	}
	s.longest = longest
	if s.Lines {
		s.lower(d, RoundUp(max(s.longestLine()*1.06, 0.1)*100)/100)
		return
	}
	if least := tallest * budgetOf(d); longest > 1.2*least {
		if most := max(least, s.ordinary(d)); longest > 1.2*most {
			longest = most
		}
	}
	s.lower(d, RoundUp(max(longest*1.06, 20)))
}

// lower moves the scale toward a goal. While frames come in, it waits before it lowers the scale, because each change
// of the scale moves the whole history.
func (s *Strip) lower(d *scene.Scene, goal float32) {
	if !d.Info.Live || s.released || goal >= s.Top {
		s.waited, s.released = 0, false
	} else if s.waited += s.places.last; s.waited < steadyMS {
		goal = s.Top
	}
	s.Toward(goal)
}

// ToggleLock locks the scale, or unlocks it. It reports whether it is locked now.
func (s *Strip) ToggleLock() bool {
	s.Locked = !s.Locked
	return s.Locked
}

// release lets the scale follow at once, because the user has changed the shown data.
func (s *Strip) release() { s.released = true }

// budgetOf returns the frame budget in ms. Without one it returns that of 60 frames a second.
func budgetOf(d *scene.Scene) float32 {
	if budget := float32(d.Info.Budget.Seconds() * 1000); budget > 0 {
		return budget
	}
	return scene.Length60
}

// ordinary returns 1.5 times the 90th percentile of the columns, in ms, 0 without columns.
func (s *Strip) ordinary(d *scene.Scene) float32 {
	s.lengths = s.lengths[:0]
	for i := range d.Past.Columns {
		if v := s.worked(&d.Past.Columns[i], i); canvas.Finite(v) {
			s.lengths = append(s.lengths, v)
		}
	}
	if len(s.lengths) == 0 {
		return 0
	}
	slices.Sort(s.lengths)
	return 1.5 * s.lengths[len(s.lengths)*9/10]
}

// RoundUp returns the next of 20, 40, 50, 80, 100, 200 and so on.
func RoundUp(v float32) float32 {
	for unit := float32(10); unit < 1e9; unit *= 10 {
		for _, m := range [...]float32{2, 4, 5, 8, 10} {
			if v <= m*unit {
				return m * unit
			}
		}
	}
	return 1e10
}

// y returns the y of a time in ms.
func (s *Strip) y(plot canvas.Rect, ms float32) float32 {
	return plot.Y1 - min(ms/s.Top, 1)*plot.Height()
}

// tickStep returns the distance between the lines of an axis up to top. There are about five lines.
func tickStep(top float32) float32 {
	unit := float32(math.Pow(10, math.Floor(math.Log10(float64(top)/2))))
	for _, m := range [...]float32{0.5, 1, 2, 2.5} {
		if top/(m*unit) <= 5.01 {
			return m * unit
		}
	}
	return 5 * unit
}
