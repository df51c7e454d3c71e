package draw

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"example.com/iprof/process"
)

// baseline is what the user compares with: the zones and paths of one frame or average.
type baseline struct {
	pinned, on bool
	index      uint64 // of its frame, or of the newest of its frames
	oldest     uint64
	frames     float64 // that it is the mean of
	label      string  // "vs frame 42"
	doubt      float64 // how much of a zone's deviation means of so many frames may differ by
	zones      []baseZone
	paths      []baseZone
	report     process.Report
	tree       []process.TreeNode
}

// baseZone is the times of a zone, or of a path, in the baseline.
type baseZone struct {
	id         int32
	self, hier float64 // ms
}

// change is how much a record differs from the baseline.
type change struct {
	ms, percent float64
	known       bool // the baseline has the zone
	noise       bool // no more than the zone's deviation from frame to frame, less where both are means of many
}

// PinBaseline keeps the frame or average shown now, of the lane shown, to compare with, and begins to compare.
func (p *Panel) PinBaseline() {
	p.change(func() { p.base.pin(p.source, &p.shown) })
}

// ToggleCompare shows or hides how rows differ from the baseline; without one it does nothing.
func (p *Panel) ToggleCompare() { p.change(func() { p.base.on = p.base.pinned && !p.base.on }) }

// Comparing reports whether rows are compared with a baseline.
func (p *Panel) Comparing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.base.on
}

// pin takes the baseline from what is looked at.
func (b *baseline) pin(s source, d *shown) {
	v := s.View()
	b.tree = s.AppendTree(b.tree[:0], v)
	v.Mode, v.Cursor, v.Recursion = process.SelfTime, 0, process.Flattened
	s.AppendReportOf(&b.report, v)
	if b.report.Frame.Frames == 0 {
		return
	}
	b.zones, b.paths = b.zones[:0], b.paths[:0]
	for i := range b.report.Records {
		r := &b.report.Records[i]
		b.zones = append(b.zones, baseZone{r.Zone, r.Values[process.ColumnSelf], r.Values[process.ColumnHier]})
	}
	for i := range b.tree {
		b.paths = append(b.paths, baseZone{b.tree[i].Path, b.tree[i].Self, b.tree[i].Hier})
	}
	slices.SortFunc(b.zones, byID)
	slices.SortFunc(b.paths, byID)
	b.pinned, b.on, b.index, b.oldest = true, true, b.report.Frame.Index, b.report.Frame.Index
	b.label = "vs frame " + strconv.FormatUint(b.index, 10)
	if v.Lens.Kind == process.LensRange {
		b.oldest, b.index = min(v.Lens.From, v.Lens.To), max(v.Lens.From, v.Lens.To)
		b.label = "vs frames " + strconv.FormatUint(b.oldest, 10) + " to " + strconv.FormatUint(b.index, 10)
	}
	b.frames = d.meanOf(&v)
}

// meanOf is of how many frames a view shows the mean. Of a moving average it is about as many as have most of the weight.
func (d *shown) meanOf(v *process.View) float64 {
	n := 0
	for i := range d.frames {
		f, l := &d.frames[i], &v.Lens
		switch l.Kind {
		case process.LensAll:
			n++
		case process.LensOver, process.LensWithin:
			if f.Over == (l.Kind == process.LensOver) {
				n++
			}
		case process.LensRange:
			if f.Index >= min(l.From, l.To) && f.Index <= max(l.From, l.To) {
				n++
			}
		case process.LensSlowest:
			n = l.Slowest
			if n < 1 {
				n = 16
			}
		}
	}
	if v.Lens.Kind == process.LensOff && v.Age == 0 && v.Average != process.Instant && len(d.frames) > 0 {
		seconds := [...]float64{process.Short: 0.35, process.Long: 1.1}[v.Average]
		if ms := float64(d.frames[len(d.frames)-1].Length); ms > 0 {
			n = min(int(seconds*1000/ms), len(d.frames))
		}
	}
	return float64(max(n, 1))
}

func byID(a, b baseZone) int { return int(a.id) - int(b.id) }

// appendChanges compares all records: self time where the report is sorted by it, else hierarchical time.
func (b *baseline) appendChanges(dst []change, d *shown) []change {
	now := d.meanOf(&d.view)
	b.doubt = math.Sqrt((1/now + 1/max(b.frames, 1)) / 2)
	for i := range d.report.Records {
		dst = append(dst, b.changeOf(&d.report.Records[i], d.view.Mode == process.SelfTime))
	}
	return dst
}

// changeOf compares a record with its path in the baseline, or with its zone where it sums several.
func (b *baseline) changeOf(r *process.Record, self bool) change {
	of, id := b.zones, r.Zone
	if r.Path >= 0 {
		of, id = b.paths, r.Path
	}
	at, found := slices.BinarySearchFunc(of, baseZone{id: id}, byID)
	if !found {
		return change{}
	}
	was, is := of[at].hier, r.Values[process.ColumnHier]
	if self {
		was, is = of[at].self, r.Values[process.ColumnSelf]
	}
	c := change{ms: is - was, known: true}
	switch {
	case was > 0:
		c.percent = 100 * c.ms / was
	case c.ms > 0:
		c.percent = math.Inf(1)
	}
	noise := 0.005 // what is shown as 0.00
	if r.Mask&(1<<process.ColumnDeviation) != 0 {
		noise = max(noise, r.Values[process.ColumnDeviation]*b.doubt)
	}
	c.noise = math.Abs(c.ms) <= noise
	return c
}

// delta draws a change, in ms or percent: signed, with ~ before what may be noise, so that the colour tells nothing alone.
func (c *canvas) delta(x float32, row rect, v change, percent bool) {
	if !v.known {
		c.right(x, row, FaceSmall, "new", c.amber)
		return
	}
	c.buffer = v.append(c.buffer[:0], percent, c.precision)
	if v.noise {
		c.buffer = slices.Insert(c.buffer, 1, ' ') // ~ and - are one to the eye side by side
	}
	c.asciiRight(x, c.baseline(row.y0, row.y1, FaceMono), FaceMono, c.buffer, c.changeColor(v))
}

// append appends a change as text.
func (v change) append(b []byte, percent bool, decimals int) []byte {
	value := v.ms
	if percent {
		value, decimals = v.percent, 1
	}
	if v.noise {
		b = append(b, '~')
	}
	if percent && value > 999.9 && !math.IsInf(value, 1) {
		return append(b, "> 999"...) // of next to nothing: how many times it is tells nothing
	}
	if value > 0 && !math.IsInf(value, 1) {
		b = append(b, '+')
	}
	return appendFixed(b, value, decimals)
}

// changeColor is grey for noise, else green or red, the stronger the larger the change.
func (p *palette) changeColor(v change) color.NRGBA {
	if v.noise {
		return p.textFaint
	}
	to := p.red
	if v.ms < 0 {
		to = p.green
	}
	return mix(p.textNormal, to, float32(min(0.45+math.Abs(v.percent)/100, 1)))
}

// flag marks the baseline's frame under the history.
func (b *baseline) flag(c *canvas, d *shown, plot rect) {
	n := len(d.frames)
	if !b.on || n == 0 || b.index > d.frames[n-1].Index || d.frames[n-1].Index-b.index >= uint64(min(n, historyFrames)) {
		return
	}
	step := plot.width() / historyFrames
	if b.oldest < b.index {
		from := max(plot.x1-float32(d.frames[n-1].Index-b.oldest+1)*step, plot.x0)
		c.Rect(from, plot.y1+7*c.em, plot.x1-float32(d.frames[n-1].Index-b.index)*step, plot.y1+10*c.em, c.accent)
	}
	x := plot.x1 - (float32(d.frames[n-1].Index-b.index)+0.5)*step
	c.dashesDown(snap(x), plot.y0, plot.y1, c.accent)
	c.Round(x-6*c.em, plot.y1+2*c.em, x+6*c.em, plot.y1+15*c.em, 3*c.em, c.accent)
	c.Text(x-c.Width(FaceSmall, "B")/2, c.baseline(plot.y1+2*c.em, plot.y1+15*c.em, FaceSmall), FaceSmall, "B", onColor)
}

// dashesDown draws a dashed vertical line.
func (c *canvas) dashesDown(x, y0, y1 float32, col color.NRGBA) {
	for y := y0; y < y1; y += 8 * c.em {
		c.Rect(x, y, x+ringWidth(c.em), min(y+4*c.em, y1), col)
	}
}
