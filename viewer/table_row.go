package viewer

import (
	"image/color"
	"slices"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// row draws the row of a line.
func (t *table) row(c *canvas, d *shown, row, in rect, line int, most float64) {
	if p := d.Report.Package(line); p != nil {
		t.packageRow(c, d, row, in, p, most)
		return
	}
	r, index := d.Report.Line(line)
	switch {
	case index == d.Report.Cursor:
		c.cursorRow(row)
	case d.zoneUnderMouse() == r.Zone:
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.Hovered)
	case line%2 == 1:
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.Stripe)
	}
	if line > t.top && d.newGroup(line) {
		c.Rect(in.x0, row.y0, in.x1, row.y0+draw.Hairline(c.em), draw.Mix(c.Outline, c.TextFaint, 0.6))
	}
	c.add(row, Hit{Kind: HitRecord, Index: index, Zone: r.Zone, Path: r.Path})
	t.name(c, d, row, in, r, index)
	col := c.ColorOf(r.Name, r.Idle)
	for _, l := range t.lanes {
		switch l.column {
		case ColumnBar:
			drawBar(c, rect{l.x0 + 24*c.em, row.y0, l.x1 - 2*c.em, row.y1}, r, col, most)
		case ColumnSpark:
			drawSpark(c, rect{l.x0 + 72*c.em, row.y0 + 3*c.em, l.x1, row.y1 - 3*c.em}, d.History(index), col)
		case ColumnDelta, ColumnDeltaPercent:
			c.delta(l.x1, row, &r.Delta, l.column == ColumnDeltaPercent)
		default:
			t.value(c, d, row, l, r)
		}
	}
}

// newGroup reports whether a line begins another group of a call graph.
func (d *shown) newGroup(line int) bool {
	above, _ := d.Report.Line(line - 1)
	r, _ := d.Report.Line(line)
	return d.Report.Package(line-1) == nil && above.Group != r.Group
}

// cursorRow draws the ground of the cursor's row.
func (c *canvas) cursorRow(row rect) {
	c.Rect(row.x0, row.y0, row.x1, row.y1, c.Selected)
	c.Rect(row.x0, row.y0+3*c.em, row.x0+3*c.em, row.y1-3*c.em, c.Accent)
}

// name draws the caret, the bullet and the name of a record, and the remarks after the name.
func (t *table) name(c *canvas, d *shown, row, in rect, r *process.Record, index int) {
	indent := min(r.Indent, 24)
	if d.Report.Grouped() {
		indent++
	}
	x, end := in.x0+(4+16*float32(indent))*c.em, t.namesEnd(in)
	y := (row.y0 + row.y1) / 2
	switch {
	case r.Costly:
		c.left(x+2*c.em, 20*c.em, row, draw.FaceBold, "!", c.Amber)
	case r.Mark == process.MarkOpen:
		c.Icon(draw.IconRight, x, y-5*c.em, c.TextFaint)
	case r.Mark == process.MarkFocus:
		c.Icon(draw.IconDown, x, y-5*c.em, c.TextDim)
	}
	if r.Mark != process.MarkNone {
		hit := Hit{Kind: HitCaret, Index: index, Zone: r.Zone, Path: r.Path}
		c.add(rect{x - 4*c.em, row.y0, x + 14*c.em, row.y1}, hit)
	}
	x += 14 * c.em
	c.Round(x, y-4*c.em, x+8*c.em, y+4*c.em, 3*c.em, c.ColorOf(r.Name, r.Idle))
	x += 15 * c.em
	face, col := draw.FaceText, c.TextNormal
	root := d.view.Mode == process.ReportCallTree && r.Indent == 0 && r.Mark != process.MarkNone
	if r.Mark == process.MarkFocus || root {
		face, col = draw.FaceBold, c.TextBright
	}
	if t.idleInk = c.TextFaint; index == d.Report.Cursor {
		t.idleInk = c.TextDim // for contrast with the cursor's ground
	}
	if r.Idle {
		col = t.idleInk
	}
	x += c.left(x, end-x, row, face, r.Estimated.Sign(), c.TextDim)
	name := c.label(d, r.Zone, r.Name)
	width := c.tail(x, end-x, row, face, name, col)
	if c.hovers(row) && (name != r.Name || width > end-x-30*c.em && c.Width(face, name) > end-x) {
		c.explain(rect{x, row.y0, end, row.y1}, r.Name, hitTips[HitRecord].words)
	}
	x += width
	if r.Depth > 0 {
		c.buffer = draw.AppendDepth(c.buffer[:0], r.Depth)
		if x+c.ASCIIWidth(draw.FaceText, c.buffer) < end {
			x += c.ASCII(x, c.baseline(row.y0, row.y1, draw.FaceText), draw.FaceText, c.buffer, c.TextDim)
		}
	}
	if r.OverBudget() {
		x = c.remark(x, end, row, true, overBudgetRemark(r.Budget), c.Red)
	}
	x = c.remark(x, end, row, r.Open, "open", c.Amber)
	x = c.remark(x, end, row, r.Idle, "idle", c.TextFaint)
	c.remark(x, end, row, r.Site != "", r.Site, c.TextFaint)
}

// remark draws a small word after a name, if it is due and has room. It returns the x where the next remark begins.
func (c *canvas) remark(x, end float32, row rect, due bool, s string, col color.NRGBA) float32 {
	if !due || x+40*c.em > end {
		return x
	}
	return x + 7*c.em + c.left(x+7*c.em, end-x-7*c.em, row, draw.FaceSmall, s, col)
}

// overBudgetRemark returns the remark of a row over its zone's budget. Menus choose among a few, which cost no memory.
func overBudgetRemark(budget time.Duration) string {
	if at := slices.Index(zoneBudgetSteps[:], budget); at > 0 {
		return overRemarks[at]
	}
	return "over " + budget.String()
}

// overBudget reports whether a time is longer than a whole frame may be.
func (d *shown) overBudget(ms float64) bool {
	budget := d.info.Budget.Seconds() * 1000
	return budget > 0 && ms > budget
}

// standsOut reports whether a zone's longest frame is far above its mean.
func (d *shown) standsOut(most, mean float64) bool {
	return most > farAbove*mean && most-mean > farEnough*d.info.Budget.Seconds()*1000
}

// value draws a number.
func (t *table) value(c *canvas, d *shown, row rect, l lane, r *process.Record) {
	c.buffer = draw.AppendValue(c.buffer[:0], r, l.column, c.precision)
	mean := r.Values[process.ColumnMean]
	col := c.TextDim
	switch {
	case r.Idle:
		col = t.idleInk
	case l.column == process.ColumnHier && r.OverBudget():
		col = c.Red
	case l.column == process.ColumnMax && d.overBudget(r.Values[process.ColumnMax]):
		col = c.Red
	case l.column == process.ColumnMax && mean > 0 && d.standsOut(r.Values[process.ColumnMax], mean):
		col = c.TextBright
	case t.sortedBy(d, l.column):
		if col = c.TextBright; !t.cool && r.Heat > 0.1 && r.Values[l.column] >= 0.005 {
			col = draw.Mix(c.TextBright, c.Amber, min(r.Heat*1.5, 1))
		}
	}
	c.ASCIIRight(l.x1, c.baseline(row.y0, row.y1, draw.FaceMono), draw.FaceMono, c.buffer, col)
	if l.column == process.ColumnWaiting || l.column == process.ColumnRunnable {
		c.explainStates(rect{l.x0, row.y0, l.x1, row.y1}, r)
	}
}
