package strip

import (
	"image/color"
	"math"
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// colors sets the colours of the layers. The zone under the mouse is brighter, and the others a little darker. Frames
// other than the selected one have darker colours.
func (s *Strip) colors(c *canvas.Canvas, d *scene.Scene) {
	dim := float32(0.2)
	if d.ZoneUnderMouse() < 0 {
		dim = 0.55 // found zones stay lit as long as the search text
		if !slices.ContainsFunc(s.Layers, func(l layer) bool { return d.Found.Has(l.Zone) }) {
			dim = 0
		}
	}
	for i := range s.Layers {
		l := &s.Layers[i]
		l.usual = zonecolor.Mean(l.columns)
		l.inks[0], l.inks[1] = d.ZoneColor(c, l.Zone, l.Name), d.Own(c, l.Zone, l.Name)
		if len(d.Changed) > 0 {
			l.inks[1] = l.inks[0]
		}
		for over, ink := range l.inks {
			switch d.Light(l.Zone) {
			case scene.Lit:
				ink = draw.Mix(ink, c.Strong, 0.45)
			case scene.Dimmed:
				ink = draw.Mix(ink, c.Surface, dim)
			}
			l.inks[over], l.muted[over] = ink, draw.Mix(ink, c.Surface, 0.22)
		}
	}
}

// columns draws the columns, the newest at the right. The left is empty while the history is young.
func (s *Strip) columns(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	marked := !s.ranged && (d.Info.Age > 0 || d.Info.Paused)
	s.parallel, s.collected = false, false
	s.cuts.begin()
	s.collectorBands(c, d, plot)
	s.budget, s.waitInk = d.Info.Budget.Seconds()*1000, draw.Fade(c.TextFaint, 0.13)
	s.restInk = draw.Mix(c.Grey, c.Surface, 0.35)
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		x0, x1 := d.Edges(plot, f.Oldest, f.Newest)
		here := d.Info.Age <= f.Oldest && d.Info.Age >= f.Newest
		s.column(c, f, i, canvas.Box(x0, plot.Y0, x1, plot.Y1), s.within(f.Age) && (!marked || here))
	}
	s.cuts.flags = s.appendFlags(s.cuts.flags, d, plot)
	s.cuts.draw(c, plot)
}

// column draws one column: the layers from the bottom, the other zones, and the marks.
func (s *Strip) column(c *canvas.Canvas, f *report.PastColumn, at int, box canvas.Rect, bright bool) {
	if !canvas.Finite(f.Busy) {
		return // unknown
	}
	shrink, rest := s.shares(s.worked(f, at), at)
	s.parallel = s.parallel || shrink < 0.98
	perMs := box.Height() / s.Top
	y, ms, drawn := box.Y1, float32(0), float32(0) // drawn is the height up to y
	for i := range s.Layers {
		l := &s.Layers[i]
		if at >= len(l.columns) {
			continue
		}
		v := l.columns[at]
		if !(v > 0 && v <= math.MaxFloat32) { // also NaN
			continue
		}
		ms += v * shrink
		if ms*perMs < drawn+0.49 { // its top is on the same pixel
			continue
		}
		top := draw.Snap(box.Y1 - ms*perMs)
		if top < box.Y0 { // max is slow in WebAssembly
			top = box.Y0
		}
		if top >= y {
			continue
		}
		c.Fill(box.X0, top, box.X1, y, l.inkOf(bright, zonecolor.Over(v, l.usual, s.Top)))
		y, drawn = top, box.Y1-top
	}
	if rest > 0 {
		top := max(draw.Snap(box.Y1-(ms+rest)*perMs), box.Y0)
		c.Rect(box.X0, top, box.X1, y, s.restInk)
		y = top
	}
	if f.Blocked > 0 && !s.all { // blocked time counts against the budget like the layers, but is no work
		top := max(draw.Snap(box.Y1-f.Judged()*perMs), box.Y0)
		c.Rect(box.X0, top, box.X1, y, draw.Fade(c.Amber, 0.55))
		y = min(y, top)
	}
	if f.Over {
		c.Rect(box.X0, y-max(1, 2*c.Em), box.X1, y, c.Red)
	}
	if !s.all {
		s.drawWaits(c, &f.FrameSummary, box, y)
	}
	if v := s.height(f, at); v > s.Top && !s.Moving {
		s.cuts.add(c, box, v, false)
	}
	if f.Cycles > 0 && !s.NoCollector {
		c.Rect(box.X0, box.Y1+c.Em, max(box.X1, box.X0+2*c.Em), box.Y1+6*c.Em, c.Collection)
		s.collected = true
	}
}

// inkOf returns the colour of a layer in a column.
func (l *layer) inkOf(bright, over bool) color.NRGBA {
	inks, i := &l.muted, 0
	if bright {
		inks = &l.inks
	}
	if over {
		i = 1
	}
	return inks[i]
}

// worked returns the busy time of a column in ms: of the lane that ends the frames, or of all. In a trace, the time
// outside zones is not known to be work.
func (s *Strip) worked(f *report.PastColumn, at int) float32 {
	switch {
	case !s.all:
		return f.Busy
	case s.kind == report.KindTrace:
		return s.sums[at]
	}
	return f.Busy + f.Others
}

// height returns the height of a column without waits, in ms.
func (s *Strip) height(f *report.PastColumn, at int) float32 {
	if s.all {
		return s.worked(f, at)
	}
	return f.Judged()
}

// shares scales a column to the frame's busy time. Time outside of layers is the rest; shares notes its greatest share.
// If several lanes were busy at once, the layers shrink in proportion.
func (s *Strip) shares(busy float32, at int) (shrink, rest float32) {
	sum := s.sums[at]
	if sum > busy*1.001 && sum > 0 {
		return busy / sum, 0
	}
	rest = busy - sum
	s.Rest = max(s.Rest, rest/max(busy, s.longest/20, 1e-6))
	return 1, rest
}

// sumLayers sums the layers of each column, layer by layer, in the order of memory.
func (s *Strip) sumLayers(columns int) {
	sums := slices.Grow(s.sums[:0], columns)[:columns]
	clear(sums)
	for i := range s.Layers {
		values := s.Layers[i].columns
		values = values[:min(len(values), columns)]
		for at, ms := range sums[:len(values)] {
			if v := values[at]; v > 0 && v <= math.MaxFloat32 { // not NaN
				sums[at] = ms + v
			}
		}
	}
	s.sums = sums
}

// valueAt returns a value above 0, or 0 without one.
func valueAt(v []float32, i int) float32 {
	if i < 0 || i >= len(v) {
		return 0
	}
	return positive(v[i])
}

// drawWaits draws the waiting part of a frame faintly above the part judged by the budget, up to the frame's whole
// length. If the wait made the frame late, its end has the colour of lateness. It cuts the part above the scale.
func (s *Strip) drawWaits(c *canvas.Canvas, f *report.FrameSummary, box canvas.Rect, busy float32) {
	top := draw.Snap(max(box.Y1-f.Length*box.Height()/s.Top, box.Y0))
	if !canvas.Finite(f.Length) || top >= busy {
		return
	}
	c.Rect(box.X0, top, box.X1, busy, s.waitInk)
	if f.Pace(s.budget) == report.PaceWaited {
		c.Rect(box.X0, top, box.X1, top+max(1, 2*c.Em), draw.Fade(c.Amber, 0.8))
	}
	if f.Length > s.Top && f.Judged() <= s.Top && !s.Moving {
		s.cuts.add(c, box, f.Length, true)
	}
}

// collectorBands draws the work of the garbage collector known from an execution trace: a light background behind the
// columns of frames in which it marked, and a line below them, red for frames in which it stopped all goroutines.
func (s *Strip) collectorBands(c *canvas.Canvas, d *scene.Scene, plot canvas.Rect) {
	if s.NoCollector {
		return
	}
	for i := range d.Past.Columns {
		f := &d.Past.Columns[i]
		if !f.Collector.Any() {
			continue
		}
		x0, x1 := d.Edges(plot, f.Oldest, f.Newest)
		x1 = max(x1, x0+1)
		s.collected = true
		c.Rect(x0, plot.Y0, x1, plot.Y1, draw.Fade(c.Collection, 0.22))
		line := canvas.Box(x0, plot.Y1+c.Em, x1, plot.Y1+6*c.Em)
		c.Rect(line.X0, line.Y0, line.X1, line.Y1, draw.Fade(c.Collection, 0.55))
		if f.Collector.Stopped >= 0.1*f.Length {
			c.Rect(line.X0, line.Y0, line.X1, line.Y1, c.Red)
		}
	}
}

// collectorWords writes a line of a frame's tip: the collector's work in it.
func collectorWords(c *canvas.Canvas, t *report.CollectorTime, r canvas.Rect) {
	c.Buffer = append(c.Buffer[:0], "GC:"...)
	for _, part := range [...]struct {
		ms    float32
		words string
	}{{t.Marking, " marking"}, {t.Assist, " assist"}, {t.Stopped, " stopped"}} {
		if part.ms > 0 {
			if len(c.Buffer) > len("GC:") {
				c.Buffer = append(c.Buffer, ',')
			}
			c.Buffer = draw.AppendFixed(append(c.Buffer, ' '), float64(part.ms), c.Precision)
			c.Buffer = append(c.Buffer, part.words...)
		}
	}
	c.ASCII(r.X0, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
}

// cuts are the columns above the scale. Each has a break mark. Their numbers are beside them, the greatest first, as
// far as there is room.
type cuts struct {
	all   []cut
	flags []float32 // left edges of flags, which lie at the same height
}

// cut is one cut column, or several side by side with only the waiting parts cut.
type cut struct {
	box       canvas.Rect
	ms        float32 // of the longest
	onlyWaits bool    // only the waiting part is cut
	x         float32 // left edge of the number
	wide      float32 // width of the number; 0 if it has no room
}

func (k *cuts) begin() { k.all, k.flags = k.all[:0], k.flags[:0] }

// mostCuts limits the columns with a break mark.
const mostCuts = 64

// add adds a column, and draws its break mark. Columns side by side share a number if only their waiting parts are cut,
// because these may be all columns.
func (k *cuts) add(c *canvas.Canvas, box canvas.Rect, ms float32, waits bool) {
	n := len(k.all)
	if last := k.all[max(n-1, 0):]; waits && n > 0 && last[0].onlyWaits && box.X0-last[0].box.X1 < 2*c.Em {
		last[0].box.X1, last[0].ms = box.X1, max(last[0].ms, ms)
	} else if n < mostCuts {
		k.all = append(k.all, cut{box: box, ms: ms, onlyWaits: waits})
	}
	x0, x1 := box.X0-1.5*c.Em, max(box.X1, box.X0+2*c.Em)+1.5*c.Em
	y := box.Y0 + 12*c.Em
	for range 2 {
		c.Segment(x0, y+2*c.Em, x1, y-2*c.Em, 2*c.Em, 0.5, c.Surface)
		y += 4 * c.Em
	}
}

// draw writes the numbers. A number is on the side of its column on which it covers no other number or column.
func (k *cuts) draw(c *canvas.Canvas, plot canvas.Rect) {
	for range k.all {
		next := -1
		for i := range k.all {
			if t := &k.all[i]; t.wide == 0 && (next < 0 || t.ms > k.all[next].ms) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		k.write(c, &k.all[next], plot)
	}
}

// labelRoom is the width of the labels of the ms lines at the left, in nominal pixels.
const labelRoom = 120

// write writes one number, or marks it as without room. The number of wide waiting parts may lie on them.
func (k *cuts) write(c *canvas.Canvas, t *cut, plot canvas.Rect) {
	c.Buffer = draw.AppendTime(c.Buffer[:0], float64(t.ms), 0)
	t.wide = c.ASCIIWidth(draw.FaceTiny, c.Buffer) + 4*c.Em
	places := [...]float32{t.box.X1 + 4*c.Em, t.box.X0 - 2*c.Em - t.wide, (t.box.X0 + t.box.X1 - t.wide) / 2}
	for i, x := range places {
		if i == 2 && t.box.Width() < 1.5*t.wide {
			break
		}
		if x < plot.X0+labelRoom*c.Em || x+t.wide > plot.X1 || !k.free(t, x, c.Em) {
			continue
		}
		t.x = x
		y := plot.Y0 + 2*c.Em
		c.Rect(x-2*c.Em, y, x+t.wide-2*c.Em, y+13*c.Em, draw.Fade(c.Surface, 0.85))
		c.ASCII(x, c.Baseline(y, y+13*c.Em, draw.FaceTiny), draw.FaceTiny, c.Buffer, c.TextBright)
		return
	}
	t.wide = -1
}

// free reports whether a number at x lies over no other cut column, no other number and no flag.
func (k *cuts) free(t *cut, x, em float32) bool {
	for i := range k.all {
		o := &k.all[i]
		if o == t {
			continue
		}
		if x < o.box.X1 && x+t.wide > o.box.X0 || o.wide > 0 && x < o.x+o.wide && x+t.wide > o.x {
			return false
		}
	}
	for _, flag := range k.flags {
		if x < flag+9*em && x+t.wide > flag {
			return false
		}
	}
	return true
}
