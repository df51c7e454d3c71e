package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// table is the report as rows: one zone a row.
type table struct {
	top       int // first row in sight
	visible   int
	cursor    int // of the last Draw, to see that it moved
	cursorKey rowKey
	chosen    columnSet
	extra     bool // the report is of what is extra in slow frames
	rows      rowOrder
	lanes     []lane // where the columns lie, left to right
	idleInk   color.NRGBA
}

// heights of rows in nominal pixels.
const (
	rowHeight     = 20
	headingHeight = 28
)

// heightFor is the height that all rows need.
func (t *table) heightFor(c *canvas, d *shown) float32 {
	return float32(headingHeight+12+rowHeight*max(len(d.report.Records), 3)) * c.em
}

// scroll moves the rows in sight.
func (t *table) scroll(rows int) { t.top = max(t.top+rows, 0) }

// draw draws the table in r.
func (t *table) draw(c *canvas, d *shown, base *baseline, r rect) {
	if r.height() < float32(headingHeight+rowHeight)*c.em {
		return
	}
	in := c.card(r)
	t.rows.arrange(d, base)
	t.extra = d.view.Mode == process.Extra
	t.arrange(c, in)
	t.headings(c, d, rect{in.x0, in.y0, in.x1, in.y0 + 22*c.em})
	in.y0 += 24 * c.em
	if len(d.report.Records) == 0 {
		n := noticeNone
		if d.info.Gone {
			n = noticeGone
		}
		c.notice(in, n)
		return
	}
	t.visible = int((in.height() + 2*c.em) / (rowHeight * c.em))
	t.follow(d)
	most := mostHier(d.report.Records)
	if t.rows.len() == 0 {
		c.notice(in, noticeFiltered)
	}
	for line := range min(t.visible, t.rows.len()-t.top) {
		y := snap(in.y0 + float32(line*rowHeight)*c.em)
		row := rect{r.x0 + 5*c.em, y, r.x1 - 5*c.em, snap(in.y0 + float32((line+1)*rowHeight)*c.em)}
		t.row(c, d, row, in, t.top+line, most)
	}
	t.scrollbar(c, rect{r.x1 - 5*c.em, in.y0, r.x1 - 2*c.em, in.y1}, t.rows.len())
}

// headings draws the names of the columns; the one sorted by has a sign.
func (t *table) headings(c *canvas, d *shown, r rect) {
	if !t.drawFilter(c, r) {
		t.heading(c, d, r, rect{r.x0, r.y0, r.x0 + 60*c.em, r.y1}, r.x0+18*c.em+c.Width(FaceSmall, "zone"), ColumnName)
	}
	for _, l := range t.lanes {
		switch l.column {
		case ColumnBar:
			c.explainColumn(rect{l.x0 + 20*c.em, r.y0, l.x1, r.y1}, l.column)
		case ColumnSpark:
			c.explainColumn(rect{l.x0 + 60*c.em, r.y0, l.x1, r.y1}, l.column)
			c.right(l.x1, r, FaceSmall, columns[ColumnSpark].heading, c.textFaint)
		default:
			t.heading(c, d, r, rect{l.x0 + 10*c.em, r.y0, l.x1 + 6*c.em, r.y1}, l.x1, l.column)
		}
	}
	c.Rect(r.x0, r.y1, r.x1, r.y1+ringWidth(c.em), c.gridLine)
}

// heading draws the name of a column so that it ends at x.
func (t *table) heading(c *canvas, d *shown, r, box rect, x float32, column process.Column) {
	c.add(box, hitOf(HitHeader, int(column)))
	c.explainColumn(box, column)
	col := c.textDim
	if c.hovers(box) {
		col = c.textBright
	}
	if t.sortedBy(d, column) {
		col = c.accent
		sign := iconDown
		if t.rows.by.on && t.rows.by.up {
			sign = iconUp
		}
		c.icon(sign, x+4*c.em, (r.y0+r.y1)/2-5*c.em, c.accent)
	}
	c.right(x, r, FaceSmall, columns[column].heading, col)
}

// sortedBy reports whether the rows are sorted by a column.
func (t *table) sortedBy(d *shown, column process.Column) bool {
	if t.rows.by.on {
		return t.rows.by.column == column
	}
	if len(d.report.Columns) > 0 {
		return d.report.Sorted == column
	}
	return column == process.ColumnSelf
}

// follow scrolls the cursor's row into sight when the cursor moved, not when its row did, and never beyond the ends.
func (t *table) follow(d *shown) {
	cursor, key := d.report.Cursor, d.cursorKey()
	moved := cursor != t.cursor && key != t.cursorKey
	if t.cursor, t.cursorKey = cursor, key; moved {
		if line := t.rows.lineOf(cursor); line >= 0 {
			t.top = min(max(t.top, line-t.visible+1), line)
		}
	}
	t.top = max(min(t.top, t.rows.len()-t.visible), 0)
}

// mostHier is the greatest hierarchical time of a record: the length of a full bar.
func mostHier(r []process.Record) float64 {
	most := 0.0
	for i := range r {
		if v := r[i].Values[process.ColumnHier]; v > most && !r[i].Idle {
			most = v
		}
	}
	return most
}

// row draws the record of a line.
func (t *table) row(c *canvas, d *shown, row, in rect, line int, most float64) {
	if at := t.rows.packageAt(line); at >= 0 {
		t.packageRow(c, d, row, in, at, most)
		return
	}
	index := t.rows.record(line)
	r := &d.report.Records[index]
	switch {
	case index == d.report.Cursor:
		c.cursorRow(row)
	case d.zoneUnderMouse() == r.Zone:
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.hovered)
	case line%2 == 1:
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.stripe)
	}
	if line > t.top && d.report.Records[t.rows.record(line-1)].Group != r.Group {
		c.Rect(in.x0, row.y0, in.x1, row.y0+ringWidth(c.em), mix(c.outline, c.textFaint, 0.6))
	}
	c.add(row, Hit{Kind: HitRecord, Index: index, Zone: r.Zone, Path: r.Path})
	t.name(c, d, row, in, r, index)
	col := c.colorOf(r.Name, r.Idle)
	for _, l := range t.lanes {
		switch l.column {
		case ColumnBar:
			drawBar(c, rect{l.x0 + 24*c.em, row.y0, l.x1 - 2*c.em, row.y1}, r, col, most)
		case ColumnSpark:
			drawSpark(c, d, rect{l.x1 - 150*c.em, row.y0 + 3*c.em, l.x1, row.y1 - 3*c.em}, r, col)
		case ColumnDelta, ColumnDeltaPercent:
			c.delta(l.x1, row, t.rows.changes[index], l.column == ColumnDeltaPercent)
		default:
			t.value(c, d, row, l, r)
		}
	}
}

// cursorRow is the ground of the cursor's row.
func (c *canvas) cursorRow(row rect) {
	c.Rect(row.x0, row.y0, row.x1, row.y1, c.selected)
	c.Rect(row.x0, row.y0+3*c.em, row.x0+3*c.em, row.y1-3*c.em, c.accent)
}

// name draws the caret, the bullet and the name of a record, and what there is to say about it.
func (t *table) name(c *canvas, d *shown, row, in rect, r *process.Record, index int) {
	indent := min(r.Indent, 24)
	if t.rows.packages.grouped(d) {
		indent++
	}
	x, end := in.x0+(4+16*float32(indent))*c.em, t.namesEnd(in)
	y := (row.y0 + row.y1) / 2
	switch {
	case r.Costly:
		c.left(x+2*c.em, 20*c.em, row, FaceBold, "!", c.red)
	case r.Mark == process.MarkOpen:
		c.icon(iconRight, x, y-5*c.em, c.textFaint)
	case r.Mark == process.MarkFocus:
		c.icon(iconDown, x, y-5*c.em, c.textDim)
	}
	if r.Mark != process.MarkNone {
		c.add(rect{x - 4*c.em, row.y0, x + 14*c.em, row.y1}, Hit{Kind: HitCaret, Index: index, Zone: r.Zone, Path: r.Path})
	}
	x += 14 * c.em
	c.Round(x, y-4*c.em, x+8*c.em, y+4*c.em, 3*c.em, c.colorOf(r.Name, r.Idle))
	x += 15 * c.em
	face, col := FaceText, c.textNormal
	if r.Mark == process.MarkFocus || d.view.Mode == process.CallTree && r.Indent == 0 && r.Mark != process.MarkNone {
		face, col = FaceBold, c.textBright
	}
	if t.idleInk = c.textFaint; index == d.report.Cursor {
		t.idleInk = c.textDim // which the cursor's ground asks for
	}
	if r.Idle {
		col = t.idleInk
	}
	x += c.left(x, end-x, row, face, r.Estimated.Sign(), c.textDim)
	if shown := c.left(x, end-x, row, face, r.Name, col); shown > end-x-30*c.em && c.hovers(row) && c.Width(face, r.Name) > end-x {
		c.explain(rect{x, row.y0, end, row.y1}, r.Name, "")
		x += shown
	} else {
		x += shown
	}
	if r.Depth > 0 {
		c.buffer = appendDepth(c.buffer[:0], r.Depth)
		if x+c.asciiWidth(FaceText, c.buffer) < end {
			x += c.ascii(x, c.baseline(row.y0, row.y1, FaceText), FaceText, c.buffer, c.textDim)
		}
	}
	x = c.remark(x, end, row, r.Open, "open", c.amber)
	x = c.remark(x, end, row, r.Idle, "idle", c.textFaint)
	c.remark(x, end, row, r.Site != "", r.Site, c.textFaint)
}

// remark draws a small word after a name, if it is due and has room.
func (c *canvas) remark(x, end float32, row rect, due bool, s string, col color.NRGBA) float32 {
	if !due || x+40*c.em > end {
		return x
	}
	return x + 7*c.em + c.left(x+7*c.em, end-x-7*c.em, row, FaceSmall, s, col)
}

// farAbove is how many times the mean a maximum must be to stand out, and farEnough how much of the frame budget it must be
// above: what no one would feel is not worth a colour.
const (
	farAbove  = 2.5
	farEnough = 0.1
)

// standsOut reports whether a zone's longest frame is one to look into.
func (d *shown) standsOut(most, mean float64) bool {
	return most > farAbove*mean && most-mean > farEnough*d.info.Budget.Seconds()*1000
}

// value draws a number.
func (t *table) value(c *canvas, d *shown, row rect, l lane, r *process.Record) {
	c.buffer = appendValue(c.buffer[:0], r, l.column, c.precision)
	mean := r.Values[process.ColumnMean]
	col := c.textDim
	switch {
	case r.Idle:
		col = t.idleInk
	case l.column == process.ColumnMax && mean > 0 && d.standsOut(r.Values[process.ColumnMax], mean):
		col = c.red
	case t.sortedBy(d, l.column):
		if col = c.textBright; r.Heat > 0.1 && r.Values[l.column] >= 0.005 {
			col = mix(c.textBright, c.heat(r.Heat), min(r.Heat*1.5, 1))
		}
	}
	c.asciiRight(l.x1, c.baseline(row.y0, row.y1, FaceMono), FaceMono, c.buffer, col)
}

// scrollbar shows which part of the rows is in sight.
func (t *table) scrollbar(c *canvas, r rect, rows int) {
	if rows <= t.visible || rows == 0 {
		return
	}
	per := r.height() / float32(rows)
	y := r.y0 + float32(t.top)*per
	c.Rect(r.x0, y, r.x1, max(y+float32(t.visible)*per, y+8*c.em), fade(c.textFaint, 0.6))
}
