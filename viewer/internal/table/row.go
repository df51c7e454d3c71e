package table

import (
	"image/color"
	"math"
	"path"
	"slices"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// BudgetSteps are the budgets of a zone that the menu cycles through. 0 means no budget.
var BudgetSteps = [...]time.Duration{0, time.Millisecond, 2 * time.Millisecond, 4 * time.Millisecond,
	8 * time.Millisecond}

// overRemarks are the remarks of rows over these budgets.
var overRemarks = [len(BudgetSteps)]string{"", "over 1 ms", "over 2 ms", "over 4 ms", "over 8 ms"}

// delta draws a difference from the baseline, in the unit of its column or in percent.
func (t *Table) delta(c *canvas.Canvas, x float32, row canvas.Rect, v *report.Delta, of report.Column) {
	if v.New {
		c.Right(x, row, draw.FaceSmall, "new", c.Amber)
		return
	}
	c.Buffer = t.appendDelta(c.Buffer[:0], v, of, c.Averages)
	if v.Noise {
		c.Buffer = slices.Insert(c.Buffer, 1, ' ') // ~ and - side by side look like one sign
	}
	c.ASCIIRight(x, c.Baseline(row.Y0, row.Y1, draw.FaceMono), draw.FaceMono, c.Buffer, changeColor(c.Palette, v))
}

// changeColor returns grey for noise, else green or red. The colour is stronger for a larger change.
func changeColor(p *draw.Palette, v *report.Delta) color.NRGBA {
	if v.Noise || !v.Known {
		return p.TextFaint
	}
	to := p.Amber
	if v.MS < 0 {
		to = p.Green
	}
	return draw.Mix(p.TextNormal, to, float32(min(0.45+math.Abs(v.Percent)/100, 1)))
}

// rowKey identifies a row across reports.
type rowKey struct {
	zone  report.ZoneID
	path  int32
	depth int
	group report.Group
}

// cursorKey returns the key of the cursor's record, or the zero key without one.
func cursorKey(d *scene.Scene) (k rowKey) {
	if r := d.Report.CursorRecord(); r != nil {
		k = rowKey{r.Zone, r.Path, r.Depth, r.Group}
	}
	return k
}

// packageRow draws the row of a package.
func (t *Table) packageRow(c *canvas.Canvas, d *scene.Scene, row, in canvas.Rect, p *report.PackageRow, most float64) {
	r := &p.Record
	sign := draw.IconDown
	if p.Folded {
		sign = draw.IconRight
	}
	switch {
	case p == d.CursorFold():
		cursorRow(c, row)
	case c.Hovers(row):
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Hovered)
	}
	c.Add(row, hit.Of(hit.Package, p.ID))
	x := in.X0 + 4*c.Em
	c.Icon(sign, x, (row.Y0+row.Y1)/2-5*c.Em, c.TextDim)
	x += 14 * c.Em
	end := t.namesEnd(in)
	name := r.Name
	if c.Width(draw.FaceBold, name) > end-x {
		name = path.Base(name)
	}
	face, col := draw.FaceBold, c.TextBright
	if !d.Report.Grouped() { // idle rows
		face, col = draw.FaceText, c.TextFaint
	}
	x += c.Left(x, end-x, row, face, name, col)
	c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(p.Rows), 0), " zone"...)
	if p.Rows != 1 {
		c.Buffer = append(c.Buffer, 's')
	}
	if width := c.ASCIIWidth(draw.FaceSmall, c.Buffer); x+width+8*c.Em < end {
		c.ASCII(x+8*c.Em, c.Baseline(row.Y0, row.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextFaint)
	}
	for _, l := range t.placedColumns {
		switch l.column {
		case ColumnSpark:
		case ColumnBar:
			t.drawBar(c, canvas.Box(l.x0+24*c.Em, row.Y0, l.x1-2*c.Em, row.Y1), r, c.TextDim, most)
		case ColumnDelta, ColumnDeltaPercent:
			if p.Delta.Known && l.column == ColumnDelta {
				t.delta(c, l.x1, row, &p.Delta, ColumnDelta)
			}
		default:
			t.value(c, d, row, l, r)
		}
	}
}

// RecordTip explains the row of a zone.
const RecordTip = "a zone, with its numbers in the frame shown.\nA double click or Enter opens its call graph"

// row draws the row of a line.
func (t *Table) row(c *canvas.Canvas, d *scene.Scene, row, in canvas.Rect, line int, most float64) {
	if p := d.Report.Package(line); p != nil {
		t.packageRow(c, d, row, in, p, most)
		return
	}
	r, index := d.Report.Line(line)
	switch {
	case index == d.Report.Cursor:
		cursorRow(c, row)
	case d.ZoneUnderMouse() == r.Zone:
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Hovered)
	case line%2 == 1:
		c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Stripe)
	}
	if line > t.top && newGroup(d, line) {
		c.Rect(in.X0, row.Y0, in.X1, row.Y0+draw.Hairline(c.Em), draw.Mix(c.Outline, c.TextFaint, 0.6))
	}
	c.Add(row, hit.Hit{Kind: hit.Record, Index: index, Zone: r.Zone, Path: r.Path})
	t.name(c, d, row, in, r, index)
	col := d.ColorOf(c, r.Zone, r.Name, r.Idle)
	for _, l := range t.placedColumns {
		switch l.column {
		case ColumnBar:
			t.drawBar(c, canvas.Box(l.x0+24*c.Em, row.Y0, l.x1-2*c.Em, row.Y1), r, col, most)
		case ColumnSpark:
			h := d.History(index)
			t.Missing = t.Missing || h == nil && d.HistoryFrames > 0
			drawSpark(c, canvas.Box(l.x0+24*c.Em, row.Y0+3*c.Em, l.x1, row.Y1-3*c.Em), h, col)
		case ColumnDelta, ColumnDeltaPercent:
			t.delta(c, l.x1, row, &r.Delta, l.column)
		default:
			t.value(c, d, row, l, r)
		}
	}
}

// newGroup reports whether a line begins another group of a call graph.
func newGroup(d *scene.Scene, line int) bool {
	above, _ := d.Report.Line(line - 1)
	r, _ := d.Report.Line(line)
	return d.Report.Package(line-1) == nil && above.Group != r.Group
}

// cursorRow draws the background of the cursor's row.
func cursorRow(c *canvas.Canvas, row canvas.Rect) {
	c.Rect(row.X0, row.Y0, row.X1, row.Y1, c.Selected)
	c.Rect(row.X0, row.Y0+3*c.Em, row.X0+3*c.Em, row.Y1-3*c.Em, c.Accent)
}

// name draws the caret, the bullet and the name of a record, and the remarks after the name.
func (t *Table) name(c *canvas.Canvas, d *scene.Scene, row, in canvas.Rect, r *report.Record, index int) {
	indent := min(r.Indent, 24)
	if d.Report.Grouped() {
		indent++
	}
	x, end := in.X0+(4+16*float32(indent))*c.Em, t.namesEnd(in)
	y := (row.Y0 + row.Y1) / 2
	switch {
	case r.Costly:
		c.Left(x+2*c.Em, 20*c.Em, row, draw.FaceBold, "!", c.Amber)
	case r.Sign == report.SignOpen:
		c.Icon(draw.IconRight, x, y-5*c.Em, c.TextFaint)
	case r.Sign == report.SignFocus:
		c.Icon(draw.IconDown, x, y-5*c.Em, c.TextDim)
	}
	if r.Sign != report.SignNone {
		caret := hit.Hit{Kind: hit.Caret, Index: index, Zone: r.Zone, Path: r.Path}
		c.Add(canvas.Box(x-4*c.Em, row.Y0, x+14*c.Em, row.Y1), caret)
	}
	x += 14 * c.Em
	c.Swatch(x, y, 8, d.ColorOf(c, r.Zone, r.Name, r.Idle))
	x += 15 * c.Em
	face, col := draw.FaceText, c.TextNormal
	root := d.View.Mode == report.ReportCallTree && r.Indent == 0 && r.Sign != report.SignNone
	if r.Sign == report.SignFocus || root {
		face, col = draw.FaceBold, c.TextBright
	}
	t.idleInk = c.TextFaint
	if index == d.Report.Cursor {
		t.idleInk = c.TextDim // for contrast with the cursor's background
	}
	if r.Idle {
		col = t.idleInk
	}
	x += c.Left(x, end-x, row, face, r.Estimated.Sign(), c.TextDim)
	name := d.Label(r.Zone, r.Name)
	width := c.Cut(x, end-x, row, face, name, col)
	if c.Hovers(row) && (name != r.Name || width > end-x-30*c.Em && c.Width(face, name) > end-x) {
		c.Explain(canvas.Box(x, row.Y0, end, row.Y1), r.Name, RecordTip)
	}
	x += width
	if r.Depth > 0 {
		c.Buffer = report.AppendDepth(c.Buffer[:0], r.Depth)
		if x+c.ASCIIWidth(draw.FaceText, c.Buffer) < end {
			x += c.ASCII(x, c.Baseline(row.Y0, row.Y1, draw.FaceText), draw.FaceText, c.Buffer, c.TextDim)
		}
	}
	if r.OverBudget() {
		x = remark(c, x, end, row, true, overBudgetRemark(r.Budget), c.Red)
	}
	x = remark(c, x, end, row, r.Open, "open", c.Amber)
	x = remark(c, x, end, row, r.Idle, "idle", c.TextFaint)
	x = remark(c, x, end, row, slices.Contains(t.Arranger.First, r.Name), "kept here", c.Accent)
	remark(c, x, end, row, r.Site != "", r.Site, c.TextFaint)
}

// remark draws a small word after a name, if it is due and has room. It returns the x of the next remark.
func remark(c *canvas.Canvas, x, end float32, row canvas.Rect, due bool, s string, col color.NRGBA) float32 {
	if !due || x+40*c.Em > end {
		return x
	}
	return x + 7*c.Em + c.Left(x+7*c.Em, end-x-7*c.Em, row, draw.FaceSmall, s, col)
}

// overBudgetRemark returns the remark of a row over its zone's budget. The budgets of the menu have constant words,
// which cost no memory.
func overBudgetRemark(budget time.Duration) string {
	if at := slices.Index(BudgetSteps[:], budget); at > 0 {
		return overRemarks[at]
	}
	return "over " + budget.String()
}

// overBudget reports whether a time exceeds the budget of a whole frame.
func overBudget(d *scene.Scene, ms float64) bool {
	budget := d.Info.Budget.Seconds() * 1000
	return budget > 0 && ms > budget
}

// standsOut reports whether a zone's longest frame is far above its mean.
func standsOut(d *scene.Scene, most, mean float64) bool {
	return most > farAbove*mean && most-mean > farEnough*d.Info.Budget.Seconds()*1000
}

// value draws a number.
func (t *Table) value(c *canvas.Canvas, d *scene.Scene, row canvas.Rect, l column, r *report.Record) {
	decimals := c.Of(!report.MeasuredColumns.Has(l.column) || d.Report.Averages(l.column))
	c.Buffer = draw.AppendValue(c.Buffer[:0], r, l.column, t.unitOf(l.column), decimals)
	mean := r.Values[report.ColumnMean]
	col := c.TextDim
	switch {
	case r.Idle:
		col = t.idleInk
	case l.column == report.ColumnHier && r.OverBudget():
		col = c.Red
	case l.column == report.ColumnMax && overBudget(d, r.Values[report.ColumnMax]) && !overBudget(d, mean):
		col = c.Red
	case l.column == report.ColumnMax && mean > 0 && standsOut(d, r.Values[report.ColumnMax], mean):
		col = c.TextBright
	case t.sortedBy(d, l.column):
		col = c.TextBright
		if !t.Cool && r.Heat > 0.1 && r.Values[l.column] >= 0.005 {
			col = draw.Mix(c.TextBright, c.Amber, min(r.Heat*1.5, 1))
		}
	}
	c.ASCIIRight(l.x1, c.Baseline(row.Y0, row.Y1, draw.FaceMono), draw.FaceMono, c.Buffer, col)
	switch cell := canvas.Box(l.x0, row.Y0, l.x1, row.Y1); {
	case l.column == report.ColumnWaiting, l.column == report.ColumnRunnable:
		explainStates(c, cell, r, d.Decimals(c))
	case leadsToCalls(l.column) && r.Zone > 0 && c.Hovers(cell):
		c.Rect(l.x1-c.ASCIIWidth(draw.FaceMono, c.Buffer), row.Y1-3*c.Em, l.x1, row.Y1-2*c.Em, c.Accent)
		c.Explain(cell, Describe(l.column).Heading, "of the zone's single calls. A click lists the slow ones")
	}
}

// drawBar draws the self time as a part of the hierarchical time, and the latter as a part of the greatest hierarchical
// time.
func (t *Table) drawBar(c *canvas.Canvas, r canvas.Rect, record *report.Record, col color.NRGBA, most float64) {
	if most <= 0 || t.OnlyWork && record.Idle {
		return
	}
	half := 3.5 * c.Em
	if record.Idle {
		half = 1.5 * c.Em
	}
	y := draw.Snap((r.Y0+r.Y1)/2 - half)
	bottom := y + draw.Snap(2*half)
	x1 := draw.Snap(r.X1)
	c.Round(r.X0, y, x1, bottom, 3.5*c.Em, c.Raised)
	end := func(ms float64) float32 { return r.X0 + r.Width()*float32(min(ms/most, 1)) }
	hier, self := record.Values[report.ColumnHier], record.Values[report.ColumnSelf]
	if hier > 0 {
		c.Round(r.X0, y, max(end(hier), r.X0+2*c.Em), bottom, 3.5*c.Em, draw.Mix(c.Raised, col, 0.42))
	}
	if self > 0 {
		c.Round(r.X0, y, max(end(self), r.X0+2*c.Em), bottom, 3.5*c.Em, col)
	}
	if v := &record.Delta; v.Known { // the baseline with its noise is a band
		was := hier - v.MS
		if t.mode == report.ReportSelfTime {
			was = self - v.MS
		}
		x0, x1 := end(max(was-v.Within, 0)), end(was+v.Within)
		c.Rect(x0, y-3*c.Em, max(x1, x0+2*c.Em), bottom+3*c.Em, draw.Fade(c.Accent, 0.6))
	}
}

// SparkFrames is the number of frames of a sparkline. Two frames share a point with the greater of their values, so
// that no spike is lost.
const SparkFrames = 60

// drawSpark draws a record's times in the frames up to the shown one. The scale ends at the greatest of them.
func drawSpark(c *canvas.Canvas, r canvas.Rect, v []float32, col color.NRGBA) {
	top := float32(0)
	for _, x := range v {
		if x > top && canvas.Finite(x) { // max is slow in WebAssembly
			top = x
		}
	}
	if len(v) < 2 || top <= 0 {
		return
	}
	var g spark
	perMs := r.Height() / (top * 1.1)
	step := r.Width() / SparkFrames
	x := r.X1 - float32(len(v))*step
	for i := 0; i+1 < len(v); i += 2 {
		if canvas.Finite(v[i]) || canvas.Finite(v[i+1]) {
			g.points[g.n] = canvas.At(x+(float32(i)+1)*step, r.Y1-greater(v[i], v[i+1])*perMs, true)
		}
		g.n++
	}
	g.ground(c, r.Y1, draw.Mix(c.Surface, col, 0.22))
	g.line(c, col)
}

// spark is the points of a sparkline. A point that is not here is a gap.
type spark struct {
	points [SparkFrames/2 + 1]canvas.Point // the last one is always a gap
	n      int
}

// ground fills the area under the line with as few rectangles as its steps allow.
func (g *spark) ground(c *canvas.Canvas, bottom float32, col color.NRGBA) {
	from, level, open := float32(0), float32(0), false
	for i := range g.n {
		a, b := g.points[i], g.points[i+1]
		lower, joined := a.Y, a.Here && b.Here
		if b.Y > lower {
			lower = b.Y
		}
		height := draw.Snap(lower)
		if open && (!joined || height != level) {
			c.Rect(from, level, a.X, bottom, col)
			open = false
		}
		if joined && !open {
			from, level, open = a.X, height, true
		}
	}
}

// line draws the line.
func (g *spark) line(c *canvas.Canvas, col color.NRGBA) {
	for i := range g.n {
		a := &g.points[i]
		b := &g.points[i+1]
		if a.Here && b.Here {
			c.Segment(a.X, a.Y, b.X, b.Y, 1.5*c.Em, 0.5, col)
		}
	}
}

// greater returns the greater of two values. One of them may be NaN.
func greater(a, b float32) float32 {
	if !(a >= b || !canvas.Finite(b)) {
		a = b
	}
	if a < 0 {
		return 0
	}
	return a
}
