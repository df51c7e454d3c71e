package strip

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// tipZones is the greatest number of zones in the tip.
const tipZones = 4

// Tip draws the tip of the frame under the mouse, or of the selected frame while the session is paused. It runs after
// the drawing of the parts around the history, because tips lie above them. The tip of the selected frame covers a part
// of the history, so it disappears at the user's next action.
func (s *Strip) Tip(c *canvas.Canvas, d *scene.Scene, screen canvas.Rect) {
	plot := s.Plot
	if plot.Width() < 20 || plot.Height() < 10 {
		return
	}
	age, mouse := d.Pointed()
	i := d.Past.At(age)
	shown := !s.ranged && !d.Info.Kept && !d.Info.Lens.Sums() // one frame
	if i < 0 || !mouse && (age == 0 && !d.Info.Paused || !shown || !s.isNew(c, d)) {
		return
	}
	width, height := 192*c.Em, 46*c.Em
	marks := marksIn(d, &d.Past.Columns[i])
	if len(marks) > 0 {
		width, height = 280*c.Em, height+float32(4+16*lines(marks))*c.Em
	}
	f := &d.Past.Columns[i]
	writeParts(c, &f.FrameSummary)
	width = max(width, c.BytesWidth(draw.FaceSmall, c.Buffer)+27*c.Em)
	if f.OtherLanes > 0 {
		writeOthers(c, &f.FrameSummary)
		width, height = max(width, c.BytesWidth(draw.FaceSmall, c.Buffer)+27*c.Em), height+16*c.Em
	}
	if f.Collector.Any() {
		width, height = max(width, 280*c.Em), height+16*c.Em
	}
	zones := s.zonesWithin(s.Place.Y1-s.Place.Y0-height, 19*c.Em)
	height += float32(19*zones) * c.Em
	x0, x1 := d.ColumnEdges(plot, age)
	width = min(width, screen.Width()-6*c.Em)
	x := min(max(s.beside(c, d, canvas.Box(x0, 0, x1, 0), width), plot.X0), screen.X1-4*c.Em-width)
	y := min(plot.Y0+4*c.Em, plot.Y1-height)
	if s.ranged {
		y = plot.Y0 + 20*c.Em // below the words of the range
	}
	y = max(min(max(y, plot.Y0-8*c.Em), screen.Y1-4*c.Em-height), screen.Y0+2*c.Em)
	box := canvas.Box(draw.Snap(x), draw.Snap(y), 0, 0)
	box.X1, box.Y1 = box.X0+draw.Snap(width), box.Y0+draw.Snap(height)
	c.Float(box)
	in := box.Inset(13*c.Em, 6*c.Em)
	s.tipText(c, d, in, i, zones)
	drawMarks(c, marks, canvas.Box(in.X0, in.Y1-float32(16*lines(marks))*c.Em, in.X1, in.Y1))
}

// tipFrame identifies the frame of a tip, and the time of its choice.
type tipFrame struct {
	frame  uint64
	paused bool
	acts   int // canvas.Tip.Acts at that time
}

// isNew reports whether the choice of the frame was the user's last action.
func (s *Strip) isNew(c *canvas.Canvas, d *scene.Scene) bool {
	if s.tipFrame.frame != d.Info.Index || s.tipFrame.paused != d.Info.Paused {
		s.tipFrame.frame, s.tipFrame.paused, s.tipFrame.acts = d.Info.Index, d.Info.Paused, c.Tip.Acts
	}
	return s.tipFrame.acts == c.Tip.Acts
}

// beside returns the x of the tip of a column: at some distance from it, on the side with the lower columns.
func (s *Strip) beside(c *canvas.Canvas, d *scene.Scene, column canvas.Rect, width float32) float32 {
	gap := 30 * c.Em
	right, left := column.X1+gap, column.X0-gap-width
	switch {
	case left < s.Plot.X0:
		return right
	case right+width > s.Plot.X1:
		return left
	}
	var highest [2]float32
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(s.Plot, f.Oldest, f.Newest)
		if x1 > left && x0 < left+width {
			highest[0] = max(highest[0], f.Judged())
		}
		if x1 > right && x0 < right+width {
			highest[1] = max(highest[1], f.Judged())
		}
	}
	if highest[0] < highest[1] {
		return left
	}
	return right
}

// zonesWithin returns the number of zones for which a tip within the strip has room, at least 1.
func (s *Strip) zonesWithin(room, each float32) int {
	n := min(tipZones, len(s.Layers))
	for n > 1 && float32(n)*each > room {
		n--
	}
	return n
}

// tipText writes the tip: the frame, and its longest zones.
func (s *Strip) tipText(c *canvas.Canvas, d *scene.Scene, in canvas.Rect, at, zones int) {
	f := &d.Past.Columns[at]
	head := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+18*c.Em)
	title := "Frame "
	if !d.Info.Kind.HasFrames() {
		title = "Interval "
	}
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], title...), float64(f.Index), 0)
	if f.Cycles > 0 {
		c.Buffer = append(c.Buffer, "  GC"...)
	}
	x := in.X0 + c.ASCII(in.X0, c.Baseline(head.Y0, head.Y1, draw.FaceBold), draw.FaceBold, c.Buffer, c.TextBright)
	number := c.Time(in.X1, head, draw.FaceMono, float64(f.Length), c.Precision, c.TextBright, c.TextDim)
	parts(c, &f.FrameSummary, canvas.Box(in.X0, in.Y0+18*c.Em, in.X1, in.Y0+34*c.Em))
	in.Y0 += 16 * c.Em
	if f.OtherLanes > 0 {
		othersWords(c, &f.FrameSummary, canvas.Box(in.X0, in.Y0+18*c.Em, in.X1, in.Y0+34*c.Em))
		in.Y0 += 16 * c.Em
	}
	if f.Collector.Any() {
		collectorWords(c, &f.Collector, canvas.Box(in.X0, in.Y0+18*c.Em, in.X1, in.Y0+34*c.Em))
		in.Y0 += 16 * c.Em
	}
	if room := in.X1 - number - x - 16*c.Em; f.Label != "" && room > 20*c.Em {
		c.Left(x+8*c.Em, room, head, draw.FaceSmall, f.Label, c.TextDim)
	}
	var done [tipZones]*layer
	for n := range zones {
		l := s.greatest(at, done[:n])
		done[n] = l
		y := in.Y0 + float32(20+19*n)*c.Em
		ms := float64(valueAt(l.columns, at))
		row := canvas.Box(in.X0, y, in.X1, y+19*c.Em)
		c.Entry(row, l.sign, d.Label(l.Zone, l.Name), d.ZoneColor(c, l.Zone, l.Name), ms, c.Precision)
	}
}

// parts writes the busy, the blocked and the waiting part of a frame.
func parts(c *canvas.Canvas, f *report.FrameSummary, r canvas.Rect) {
	if !canvas.Finite(f.Busy) {
		c.Left(r.X0, r.Width(), r, draw.FaceSmall, "its numbers are no longer kept", c.TextDim)
		return
	}
	writeParts(c, f)
	c.ASCII(r.X0, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
}

// writeParts writes these words into the buffer.
func writeParts(c *canvas.Canvas, f *report.FrameSummary) {
	i := report.FrameInfo{Length: float64(f.Length), Busy: float64(f.Busy), Blocked: float64(f.Blocked)}
	c.Buffer = scene.AppendParts(c.Buffer[:0], &i, c.Precision)
}

// greatest returns the layer with the most time in a column, except those already taken.
func (s *Strip) greatest(at int, taken []*layer) (best *layer) {
	for i := range s.Layers {
		l := &s.Layers[i]
		free := true
		for _, t := range taken {
			free = free && t != l
		}
		if free && (best == nil || valueAt(l.columns, at) > valueAt(best.columns, at)) {
			best = l
		}
	}
	return best
}
