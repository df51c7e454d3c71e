package strip

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// The least height of a line of the legend, and the width of a column of it, in nominal pixels.
const leastLine, legendColumn = 13, 190

// legendColumns returns the number of columns of the legend in a place: more than one only if the zones need it.
func (s *Strip) legendColumns(c *canvas.Canvas, in canvas.Rect) int {
	lines := max(int((in.Height()-4*c.Em)/(leastLine*c.Em)), 1)
	most := 1
	if in.Width() >= 900*c.Em {
		most = 2
	}
	if in.Width() >= 1600*c.Em {
		most = 3
	}
	s.room = min(max(lines*most-2, 1), stackedMost) // two lines are for other zones, and for words
	return min((len(s.Layers)+2+lines-1)/lines, most)
}

// legendWidth returns the width of the legend.
func (s *Strip) legendWidth(c *canvas.Canvas, in canvas.Rect) float32 {
	return float32(s.legendColumns(c, in)) * legendColumn * c.Em
}

// legend names the layers in the order of the columns, with their times in the frames of the report. It names all
// layers if there is room. Otherwise it names the lowest layers, which are the greatest, and names the others in a tip.
func (s *Strip) legend(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	columns := max(int((r.Width()+26*c.Em)/(legendColumn*c.Em)+0.5), 1)
	g := legend{c: c, in: r, rows: (len(s.Layers) + 2 + columns - 1) / columns, columns: columns}
	g.line = max(min(r.Height()/float32(g.rows), 20*c.Em), leastLine*c.Em)
	g.rows = max(int(r.Height()/g.line+0.01), 1)
	s.weigh(d)
	words, rest := s.parallel && !s.Lines && g.rows > 4, s.meanRest(d)
	g.balance(len(s.Layers), words, rest > leastRest)
	if words {
		row := g.nextLine()
		c.Explain(row, "ms per frame", "the zones' own times are sums over goroutines that ran at once,\n"+
			"so they are more than the frame's length")
		c.Left(row.X0, row.Width(), row, draw.FaceSmall, "ms per frame", c.TextFaint)
	}
	if rest > leastRest {
		row := g.nextLine()
		c.Explain(row, "other zones", "the time of all zones that are too small for a colour of their own")
		c.Entry(row, "", "other zones", draw.Mix(c.Grey, c.Surface, 0.35), rest, s.decimals(c))
	}
	over := d.ZoneUnderMouse()
	for i := s.name(&g) - 1; i >= 0; i-- {
		l := &s.Layers[i]
		row := g.nextLine()
		around := canvas.Box(row.X0-6*c.Em, row.Y0, row.X1+6*c.Em, row.Y1)
		if l.Zone == over {
			c.Round(around.X0, row.Y0, around.X1, row.Y1, 4*c.Em, c.Hovered)
		}
		h := hit.Of(hit.Legend, 0)
		h.Zone = l.Zone
		c.Add(around, h)
		c.Entry(row, l.sign, d.Label(l.Zone, l.Name), d.ZoneColor(c, l.Zone, l.Name), s.Mean(l), s.decimals(c))
	}
}

// leastRest is the least time in ms of the other zones that have a line.
const leastRest = 0.005

// weigh computes the weight of each frame in the table's values. So the legend has the same values as the table.
func (s *Strip) weigh(d *scene.Scene) {
	s.averaged = d.Info.Averaged()
	s.weights = d.Weights(s.weights[:0], scene.HistoryFrames)
	if d.Info.Lens.Kind != report.LensOff && chosen(s.weights) < d.Info.LensFrames {
		s.weights = s.weights[:0] // older frames have their parts, too
	}
	s.values = s.values[:0]
	for i := range s.Layers {
		s.values = append(s.values, s.Layers[i].values)
	}
}

// chosen returns the number of frames that have a weight.
func chosen(w report.Weights) (n int) {
	for _, share := range w {
		if share > 0 {
			n++
		}
	}
	return n
}

// Mean returns a layer's time with the weights of weigh, ms. It is NaN if none of the frames has a value.
func (s *Strip) Mean(l *layer) float64 {
	if len(s.weights) == 0 { // the layers hold their times in the shown frame, and in the frames of a lens
		return float64(l.frameTime)
	}
	return s.weights.Mean(l.values)
}

// decimals returns the decimals of Mean.
func (s *Strip) decimals(c *canvas.Canvas) int { return c.Of(s.averaged) }

// meanRest returns the time of the zones without a layer, with the weights of weigh, ms.
func (s *Strip) meanRest(d *scene.Scene) float64 {
	if len(s.weights) > 0 {
		return d.MeanRest(s.weights, s.values)
	}
	rest := d.Info.Busy
	for i := range s.Layers {
		rest -= max(float64(s.Layers[i].frameTime), 0)
	}
	return max(rest, 0)
}

// legend places the lines of a legend, column by column.
type legend struct {
	c             *canvas.Canvas
	in            canvas.Rect
	line          float32
	rows, columns int
	n             int
}

// balance shares the lines equally among the columns if the last line would have a column for itself.
func (g *legend) balance(lines int, others ...bool) {
	for _, there := range others {
		if there {
			lines++
		}
	}
	if lines > g.rows && lines <= g.rows*g.columns && lines%g.rows == 1 {
		g.rows = (lines + g.columns - 1) / g.columns
	}
}

// nextLine returns the place of the next line.
func (g *legend) nextLine() canvas.Rect {
	column, row := g.n/g.rows, g.n%g.rows
	g.n++
	width := (g.in.Width() + 26*g.c.Em) / float32(g.columns)
	x, y := g.in.X0+float32(column)*width, g.in.Y0+float32(row)*g.line
	return canvas.Box(x, y, x+width-28*g.c.Em, y+g.line)
}

// hiddenLayers is the legend's line for the layers without a line. A tip names them.
type hiddenLayers struct {
	at   canvas.Rect
	from int // the first of those layers
	due  bool
}

// name draws the line for the layers without one, if there are any. It returns the number of layers, from the lowest,
// with a line.
func (s *Strip) name(g *legend) int {
	fit := g.rows*g.columns - g.n
	if len(s.Layers) <= fit {
		return len(s.Layers)
	}
	c, row := g.c, g.nextLine()
	fit = max(fit-1, 0)
	sum := 0.0
	for i := fit; i < len(s.Layers); i++ {
		sum += max(s.Mean(&s.Layers[i]), 0)
	}
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(len(s.Layers)-fit), 0), " more zones"...)
	c.Bytes(row.X0+17*c.Em, row.Width(), row, draw.FaceSmall, c.Buffer, c.TextDim)
	c.EntryTime(row, sum, s.decimals(c))
	s.hidden = hiddenLayers{at: row, from: fit, due: c.Tip.Accepts(c.Hovers(row))}
	return fit
}

// drawMore draws the tip that names the layers without a line, in their order, with their colours and times.
func (s *Strip) drawMore(c *canvas.Canvas, d *scene.Scene, screen canvas.Rect) {
	if !s.hidden.due {
		return
	}
	n := len(s.Layers) - s.hidden.from
	line, width := 18*c.Em, 190*c.Em
	rows := max(min(n, int((screen.Height()-30*c.Em)/line)), 1)
	columns := (n + rows - 1) / rows
	rows = (n + columns - 1) / columns
	size := canvas.Point{X: float32(columns)*width + 8*c.Em, Y: float32(rows)*line + 14*c.Em}
	y := min(s.hidden.at.Y0, screen.Y1-4*c.Em-size.Y)
	in := c.TipGround(screen, s.hidden.at.X0-10*c.Em-size.X, y, size.X, size.Y)
	for i := range n {
		l := &s.Layers[len(s.Layers)-1-i]
		x, y := in.X0+float32(i/rows)*width, in.Y0+float32(i%rows)*line
		row := canvas.Box(x, y, x+width-16*c.Em, y+line)
		c.Entry(row, l.sign, d.Label(l.Zone, l.Name), d.ZoneColor(c, l.Zone, l.Name), s.Mean(l), s.decimals(c))
	}
}

// tipZones is the greatest number of zones in the tip.
const tipZones = 4

// Tip draws the tip of the frame under the mouse, or of the selected frame while the session is paused, and the tip of
// the legend. It runs after the drawing of the parts around the history, because tips lie above them. The tip of the
// selected frame covers a part of the history, so it disappears at the user's next action.
func (s *Strip) Tip(c *canvas.Canvas, d *scene.Scene, screen canvas.Rect) {
	s.drawMore(c, d, screen)
	plot := s.Plot
	if plot.Width() < 20 || plot.Height() < 10 {
		return
	}
	age, mouse := d.Pointed()
	i := d.Past.At(age)
	if i < 0 || !mouse && (age == 0 && !d.Info.Paused || s.ranged || d.Info.Kept || !s.isNew(c, d)) {
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
	x := min(max(s.tipX(c, d, canvas.Box(x0, 0, x1, 0), width), plot.X0), screen.X1-4*c.Em-width)
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

// tipX returns the x of the tip of a column: at some distance from it, on the side with the lower columns.
func (s *Strip) tipX(c *canvas.Canvas, d *scene.Scene, column canvas.Rect, width float32) float32 {
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
	c.Buffer = draw.AppendFixed(append(c.Buffer[:0], "Frame "...), float64(f.Index), 0)
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
