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
	index      uint64 // of its frame
	label      string // "vs frame 42"
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
	noise       bool // no more than the zone's deviation from frame to frame
}

// PinBaseline keeps the frame or average shown now, of the lane shown, to compare with, and begins to compare.
func (p *Panel) PinBaseline() {
	p.change(func() { p.base.pin(p.source) })
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
func (b *baseline) pin(s source) {
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
	b.pinned, b.on, b.index = true, true, b.report.Frame.Index
	b.label = "vs frame " + strconv.FormatUint(b.index, 10)
}

func byID(a, b baseZone) int { return int(a.id) - int(b.id) }

// appendChanges compares all records: self time where the report is sorted by it, else hierarchical time.
func (b *baseline) appendChanges(dst []change, d *shown) []change {
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
		noise = max(noise, r.Values[process.ColumnDeviation])
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

// compareChip says what is compared with, and returns where it ends.
func compareChip(c *canvas, b *baseline, r rect, x, limit float32) float32 {
	width := c.Width(FaceSmall, b.label) + 14*c.em
	if !b.on || x+width > limit {
		return x
	}
	y := (r.y0 + r.y1) / 2
	box := rect{x, y - 10*c.em, x + width, y + 10*c.em}
	ground := c.tab
	if c.hovers(box) {
		ground = c.raised
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(x+7*c.em, width, r, FaceSmall, b.label, c.textBright)
	c.add(box, hitOf(HitCompare, 0))
	return box.x1 + 5*c.em
}

// flag marks the baseline's frame under the history.
func (b *baseline) flag(c *canvas, d *shown, plot rect) {
	n := len(d.frames)
	if !b.on || n == 0 || b.index > d.frames[n-1].Index || d.frames[n-1].Index-b.index >= uint64(min(n, historyFrames)) {
		return
	}
	step := plot.width() / historyFrames
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
