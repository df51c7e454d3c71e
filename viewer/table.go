package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// table is the report as rows.
type table struct {
	top       int // first row in sight
	visible   int
	cursor    int // the cursor in the last Draw
	cursorKey rowKey
	aimed     bool // this Draw brings the cursor's row into sight
	mode      process.ReportMode
	chosen    columnSet
	extra     bool // the report is ReportExtra
	comparing bool // the report is compared with a baseline
	costly    bool // a row in sight has the sign "!"
	remarked  bool // costly has changed in this Draw: the next one has another warning
	waits     bool // the frame may have ColumnWaiting
	runnable  bool // and ColumnRunnable
	atOnce    bool // lanes were in a zone at once for longer than a frame
	typing    bool // keys are typed into the filter
	cool      bool // heat has no colour
	arranger  process.Arranger
	lanes     []lane // the columns and their places, right to left
	idleInk   color.NRGBA
	named     float32 // width of the longest name in sight so far
	widthOf   process.ReportMode
	placed    rect // place of the columns in the last Draw
	widths    widths
}

// Heights of rows in nominal pixels.
const (
	rowHeight     = 20
	headingHeight = 28
)

// heightFor returns the height that all rows need.
func (t *table) heightFor(c *canvas, d *shown) float32 {
	return float32(headingHeight+12+rowHeight*max(len(d.Report.Records), 3)) * c.em
}

// scroll moves the rows in sight. Draw clamps the lower end.
func (t *table) scroll(rows int) { t.top = max(t.top+rows, 0) }

// draw draws the table in r.
func (t *table) draw(c *canvas, d *shown, r rect) {
	if r.height() < float32(headingHeight+rowHeight)*c.em {
		return
	}
	in := c.card(r)
	t.arranger.Arrange(&d.Report, d.Tree, d.Zone)
	t.unfold(d)
	t.extra, t.comparing = d.view.Mode == process.ReportExtra, d.Report.Baseline.Pinned
	t.atOnce, t.waits, t.runnable = d.Report.AtOnce, d.Report.Waits, d.Report.Runnable
	t.arrange(c, in)
	t.visible = int((in.height() - 22*c.em) / (rowHeight * c.em))
	t.follow(d)
	t.spare(c, d, in)
	t.headings(c, d, rect{in.x0, in.y0, in.x1, in.y0 + 22*c.em})
	in.y0 += 24 * c.em
	if len(d.Report.Records) == 0 {
		n := noticeNone
		if d.info.Gone {
			n = noticeGone
		}
		c.notice(in, n)
		return
	}
	most := mostHier(d.Report.Records)
	if d.Report.Len() == 0 {
		c.notice(in, noticeFiltered)
	}
	marked := false
	for line := range min(t.visible, d.Report.Len()-t.top) {
		y := draw.Snap(in.y0 + float32(line*rowHeight)*c.em)
		row := rect{r.x0 + 5*c.em, y, r.x1 - 5*c.em, draw.Snap(in.y0 + float32((line+1)*rowHeight)*c.em)}
		t.row(c, d, row, in, t.top+line, most)
		marked = marked || d.Report.Package(t.top+line) == nil && d.costlyLine(t.top+line)
	}
	t.remarked, t.costly = t.costly != marked, marked
	t.scrollbar(c, rect{r.x1 - 5*c.em, in.y0, r.x1 - 2*c.em, in.y1}, d.Report.Len())
}

// costlyLine reports whether the row of a line has the sign "!".
func (d *shown) costlyLine(line int) bool {
	r, _ := d.Report.Line(line)
	return r.Costly
}

// headings draws the names of the columns. The column by which the rows are sorted has a sign.
func (t *table) headings(c *canvas, d *shown, r rect) {
	if !t.drawFilter(c, d, r) {
		end := r.x0 + 18*c.em + c.Width(draw.FaceSmall, "zone")
		t.heading(c, d, r, rect{r.x0, r.y0, r.x0 + 60*c.em, r.y1}, end, ColumnName)
		t.subject(c, d, r, end+18*c.em)
	}
	for _, l := range t.lanes {
		switch l.column {
		case ColumnBar:
			c.explainColumn(rect{l.x0 + 20*c.em, r.y0, l.x1, r.y1}, l.column)
		case ColumnSpark:
			c.explainColumn(rect{l.x0 + 60*c.em, r.y0, l.x1, r.y1}, l.column)
			c.right(l.x1, r, draw.FaceSmall, describe(ColumnSpark).Heading, c.TextFaint)
		default:
			t.heading(c, d, r, rect{l.x0 + 10*c.em, r.y0, l.x1 + 6*c.em, r.y1}, l.x1, l.column)
		}
	}
	t.borders(c, r)
	c.Rect(r.x0, r.y1, r.x1, r.y1+draw.Hairline(c.em), c.GridLine)
}

// subject names the zone that the rows of ReportCallGraphDescendants are about.
func (t *table) subject(c *canvas, d *shown, r rect, x float32) {
	if d.view.Mode != process.ReportCallGraphDescendants {
		return
	}
	for i := range d.Report.Records {
		if row := &d.Report.Records[i]; row.Group == process.GroupFocus {
			c.explain(rect{x, r.y0, t.namesEnd(r), r.y1}, "on behalf of", "the rows are of this zone's calls alone")
			x += c.left(x, t.namesEnd(r)-x, r, draw.FaceSmall, "on behalf of ", c.TextFaint)
			c.tail(x, t.namesEnd(r)-x, r, draw.FaceSmall, c.label(d, row.Zone, row.Name), c.TextNormal)
			return
		}
	}
}

// heading draws the name of a column so that it ends at x.
func (t *table) heading(c *canvas, d *shown, r, box rect, x float32, column process.Column) {
	c.add(box, hitOf(HitHeader, int(column)))
	c.explainColumn(box, column)
	col := c.TextDim
	if c.hovers(box) {
		col = c.TextBright
	}
	if t.sortedBy(d, column) {
		col = c.Accent
		sign := draw.IconDown
		if d.view.Order.Ascending {
			sign = draw.IconUp
		}
		c.Icon(sign, x+4*c.em, (r.y0+r.y1)/2-5*c.em, c.Accent)
	}
	width := c.right(x, r, draw.FaceSmall, describe(column).Heading, col)
	t.widths.headed[column] = width / c.em
	if d.Report.Averages(column) {
		c.right(x-width, r, draw.FaceSmall, process.AverageSign, col)
	}
}

// sortedBy reports whether the rows are sorted by a column.
func (t *table) sortedBy(d *shown, column process.Column) bool {
	if d.view.Order.Chosen {
		return d.view.Order.By == column
	}
	if len(d.Report.Columns) > 0 {
		return d.Report.Sorted == column
	}
	return column == process.ColumnSelf
}

// unfold opens the folded row with the cursor's row if that is to be brought into sight.
func (t *table) unfold(d *shown) {
	if p := d.cursorFold(); t.aimed && p != nil {
		t.arranger.Fold(p.ID)
		t.arranger.Arrange(&d.Report, d.Tree, d.Zone)
	}
}

// cursorFold returns the folded row that hides the cursor's row, or nil.
func (d *shown) cursorFold() *process.PackageRow {
	line := d.Report.LineOf(d.Report.Cursor)
	if line < 0 || line >= d.Report.Len() {
		return nil
	}
	return d.Report.Package(line)
}

// follow scrolls the cursor's row into sight if the user moved the cursor, chose another report, or went to a slow
// frame. It does not scroll if the same row merely changed its place.
func (t *table) follow(d *shown) {
	cursor, key := d.Report.Cursor, d.cursorKey()
	moved := cursor != t.cursor && key != t.cursorKey || t.aimed || d.view.Mode != t.mode
	if t.cursor, t.cursorKey, t.mode = cursor, key, d.view.Mode; moved {
		if line := d.Report.LineOf(cursor); line >= 0 {
			t.top = min(max(t.top, line-t.visible+1), line)
		}
	}
	t.top = max(min(t.top, d.Report.Len()-t.visible), 0)
}

// mostHier returns the greatest hierarchical time of a record that is not idle. It is the length of a full bar.
func mostHier(r []process.Record) float64 {
	most := 0.0
	for i := range r {
		if v := r[i].Values[process.ColumnHier]; v > most && !r[i].Idle {
			most = v
		}
	}
	return most
}

// A maximum stands out if it is farAbove times the mean, and above the mean by a share farEnough of the frame budget.
// The second condition excludes maxima that no one would notice.
const (
	farAbove  = 2.5
	farEnough = 0.1
)

// scrollbar draws the part of the rows that is in sight.
func (t *table) scrollbar(c *canvas, r rect, rows int) {
	if rows <= t.visible || rows == 0 {
		return
	}
	c.explain(rect{r.x0 - 4*c.em, r.y0, r.x1 + 4*c.em, r.y1}, "rows in sight", "the wheel shows the others")
	per := r.height() / float32(rows)
	y := r.y0 + float32(t.top)*per
	c.Rect(r.x0, y, r.x1, max(y+float32(t.visible)*per, y+8*c.em), draw.Fade(c.TextFaint, 0.6))
}
