// Package table draws the report as rows. It chooses the columns, their widths, headings and tips, and also writes the
// table as text.
package table

import (
	"cmp"
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Table is the report as rows.
type Table struct {
	top           int // first row in sight
	visible       int
	Longest       int // the greatest number of lines of this mode so far
	cursor        int // the cursor in the last Draw
	cursorKey     rowKey
	Aimed         bool // this Draw brings the cursor's row into sight
	mode          report.ReportMode
	longestOf     report.ReportMode // the mode of Longest
	kind          report.Kind       // of the program
	Chosen        ColumnSet
	shownColumns  ColumnSet     // Chosen, or the usual ones
	sorted        report.Column // that the user sorts by, which is always shown
	extra         bool          // the report is ReportExtra
	comparing     bool          // the report is compared with a baseline
	Costly        bool          // a row in sight has the sign "!"
	Remarked      bool          // Costly has changed in this Draw: the next one has another warning
	Missing       bool          // a row in sight has no history: the next Draw takes it
	arranged      bool          // the report is on lines: see InSight
	waited        bool          // the run may have ColumnWaited
	hasWaiting    bool          // the frame may have ColumnWaiting
	runnable      bool          // and ColumnRunnable
	atOnce        bool          // several lanes were in a zone at once for longer than a frame
	Typing        bool          // the user types into the filter
	Cool          bool          // without colours for heat
	OnlyWork      bool          // waiting rows have no bars
	Arranger      report.Arranger
	units         [NumColumns]report.TimeUnit
	heads         [NumColumns]string // the headings with their units
	unitsNamed    bool               // a column has another unit than ms, so that each heading names its own
	placedColumns []column           // the columns and their places, right to left
	idleInk       color.NRGBA
	named         float32 // width of the longest name in sight so far
	widthOf       report.ReportMode
	columnsAt     canvas.Rect // place of the columns in the last Draw
	widths        widths
}

// Heights of rows in nominal pixels.
const (
	RowHeight     = 20
	HeadingHeight = 28
)

// HeightFor returns the height of all rows.
func (t *Table) HeightFor(c *canvas.Canvas, d *scene.Scene) float32 {
	return float32(HeadingHeight+12+RowHeight*max(len(d.Report.Records), 3)) * c.Em
}

// Scroll moves the rows in sight. Draw clamps the lower end.
func (t *Table) Scroll(rows int) { t.top = max(t.top+rows, 0) }

// spareLines is the number of lines above and below the visible ones that have a history, too, for scrolling while the
// mouse keeps the picture still.
const spareLines = 100

// InSight puts a new report on lines, and appends the records whose history the next Draw may show: the records on the
// last visible lines, or around the cursor, and some more.
func (t *Table) InSight(d *scene.Scene, dst []int32) []int32 {
	t.lines(d)
	t.arranged = true
	top := max(min(t.top, d.Report.Len()-t.visible), 0)
	dst = t.appendAround(dst, d, top)
	if line := d.Report.LineOf(d.Report.Cursor); line >= 0 && (line < top || line >= top+t.visible) {
		dst = t.appendAround(dst, d, line)
	}
	return dst
}

// lines puts the report on lines. It keeps the greatest row in sight, unless the user has scrolled.
func (t *Table) lines(d *scene.Scene) {
	t.Arranger.InSight = 0
	if t.top == 0 {
		t.Arranger.InSight = t.visible
	}
	t.Arranger.Arrange(&d.Report, d.Tree, d.Zone)
	if d.View.Mode != t.longestOf {
		t.longestOf, t.Longest = d.View.Mode, 0
	}
	t.Longest = max(t.Longest, d.Report.Len())
}

// appendAround appends the records around a line.
func (t *Table) appendAround(dst []int32, d *scene.Scene, line int) []int32 {
	for i := max(line-t.visible-spareLines, 0); i < min(line+t.visible+spareLines, d.Report.Len()); i++ {
		if _, record := d.Report.Line(i); record >= 0 {
			dst = append(dst, int32(record))
		}
	}
	return dst
}

// Draw draws the table in r.
func (t *Table) Draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	t.Missing = false
	if r.Height() < float32(HeadingHeight+RowHeight)*c.Em {
		return
	}
	in := c.Card(r)
	t.visible = int((in.Height() - 22*c.Em) / (RowHeight * c.Em))
	if !t.arranged {
		t.lines(d)
	}
	t.arranged = false
	t.unfold(d)
	t.extra, t.comparing = d.View.Mode == report.ReportExtra, d.Report.Baseline.Pinned
	t.atOnce, t.hasWaiting, t.runnable = d.Report.AtOnce, d.Report.Waits, d.Report.Runnable
	t.waited, t.kind = d.Report.Waited, d.Info.Kind
	if t.sorted = ColumnName; d.View.Order.Chosen {
		t.sorted = d.View.Order.By
	}
	t.arrange(c, in)
	t.chooseUnits(&d.Report)
	t.follow(d)
	t.spare(c, d, in)
	t.headings(c, d, canvas.Box(in.X0, in.Y0, in.X1, in.Y0+22*c.Em))
	in.Y0 += 24 * c.Em
	if len(d.Report.Records) == 0 {
		n := noticeNone
		if d.Info.Gone {
			n = noticeGone
		}
		c.Notice(in, n)
		return
	}
	most := mostHier(d.Report.Records, t.OnlyWork)
	if d.Report.Len() == 0 {
		n := noticeFiltered
		switch known := d.ZoneOf(d.Report.View.Filter) >= 0; {
		case known && d.Report.View.Lane != 0:
			n = noticeOtherLane
		case known:
			n = noticeElsewhere
		}
		c.Notice(in, n)
	}
	marked := false
	for line := range min(t.visible, d.Report.Len()-t.top) {
		y := draw.Snap(in.Y0 + float32(line*RowHeight)*c.Em)
		row := canvas.Box(r.X0+5*c.Em, y, r.X1-5*c.Em, draw.Snap(in.Y0+float32((line+1)*RowHeight)*c.Em))
		t.row(c, d, row, in, t.top+line, most)
		marked = marked || d.Report.Package(t.top+line) == nil && costlyLine(d, t.top+line)
	}
	t.Remarked, t.Costly = t.Costly != marked, marked
	t.scrollbar(c, canvas.Box(r.X1-5*c.Em, in.Y0, r.X1-2*c.Em, in.Y1), d.Report.Len())
}

// These notices replace the rows.
var (
	noticeGone = canvas.Notice{Title: "This frame has left the history", Words: []string{
		"Only its self times are left. End goes back to the newest frame."}}
	noticeFiltered = canvas.Notice{Title: "No zone of that name in this view", Words: []string{
		"pkg:NAME finds those of a package. Esc shows all rows again."}}
	noticeElsewhere = canvas.Notice{Title: "No zone of that name in this view", Words: []string{
		"It was entered in other frames. N goes to its next scope, Shift+N to the one before.",
		"Esc shows all rows again."}}
	noticeOtherLane = canvas.Notice{Title: "No zone of that name in this view", Words: []string{
		"The view has one goroutine alone, and the zone was entered on others: L chooses among all.",
		"Esc shows all rows again."}}
	noticeNone = canvas.Notice{Title: "Nothing was measured in this frame", Words: []string{
		"No zone of this view was entered, nor open."}}
)

// costlyLine reports whether the row of a line has the sign "!".
func costlyLine(d *scene.Scene, line int) bool {
	r, _ := d.Report.Line(line)
	return r.Costly
}

// headings draws the names of the columns. The column by which the rows are sorted has a sign.
func (t *Table) headings(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	if !t.drawFilter(c, d, r) {
		end := r.X0 + 18*c.Em + c.Width(draw.FaceSmall, "zone")
		t.heading(c, d, r, canvas.Box(r.X0, r.Y0, r.X0+60*c.Em, r.Y1), end, ColumnName)
		t.subject(c, d, r, end+18*c.Em)
	}
	for _, l := range t.placedColumns {
		switch l.column {
		case ColumnBar:
			explainColumn(c, canvas.Box(l.x0+20*c.Em, r.Y0, l.x1, r.Y1), l.column)
		case ColumnSpark:
			explainColumn(c, canvas.Box(l.x0+24*c.Em, r.Y0, l.x1, r.Y1), l.column)
			c.Right(l.x1, r, draw.FaceSmall, Describe(ColumnSpark).Heading, c.TextFaint)
		default:
			t.heading(c, d, r, canvas.Box(l.x0+10*c.Em, r.Y0, l.x1+6*c.Em, r.Y1), l.x1, l.column)
		}
	}
	t.borders(c, r)
	c.Rect(r.X0, r.Y1, r.X1, r.Y1+draw.Hairline(c.Em), c.GridLine)
}

// subject names the zone of ReportCallGraphDescendants.
func (t *Table) subject(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, x float32) {
	if d.View.Mode != report.ReportCallGraphDescendants {
		return
	}
	for i := range d.Report.Records {
		if row := &d.Report.Records[i]; row.Group == report.GroupFocus {
			place := canvas.Box(x, r.Y0, t.namesEnd(r), r.Y1)
			c.Explain(place, "on behalf of", "the rows are of this zone's calls alone")
			x += c.Left(x, t.namesEnd(r)-x, r, draw.FaceSmall, "on behalf of ", c.TextFaint)
			c.Cut(x, t.namesEnd(r)-x, r, draw.FaceSmall, d.Label(row.Zone, row.Name), c.TextNormal)
			return
		}
	}
}

// heading draws the name of a column so that it ends at x.
func (t *Table) heading(c *canvas.Canvas, d *scene.Scene, r, box canvas.Rect, x float32, column report.Column) {
	c.Add(box, hit.Of(hit.Header, int(column)))
	explainColumn(c, box, column)
	col := c.TextDim
	if c.Hovers(box) {
		col = c.TextBright
	}
	if t.sortedBy(d, column) {
		col = c.Accent
		sign := draw.IconDown
		if d.View.Order.Ascending {
			sign = draw.IconUp
		}
		c.Icon(sign, x+4*c.Em, (r.Y0+r.Y1)/2-5*c.Em, c.Accent)
	}
	width := c.Right(x, r, draw.FaceSmall, cmp.Or(t.heads[column], Describe(column).Heading), col)
	t.widths.headed[column] = width / c.Em
	start := x - width
	if d.Report.Averages(column) {
		start -= c.Right(start, r, draw.FaceSmall, report.AverageSign, col)
	}
	if d.Report.Held && t.sortedBy(d, column) {
		calm := c.Right(start, r, draw.FaceSmall, "calm ", c.Amber)
		c.Explain(canvas.Box(start-calm, r.Y0, x+14*c.Em, r.Y1), "order held", heldTip)
	}
}

// heldTip explains the word calm: rows are not in the order of the sign.
const heldTip = "rows keep their places for two seconds, so that they\n" +
	"can be read. The greatest is always among those in sight"

// sortedBy reports whether the rows are sorted by a column.
func (t *Table) sortedBy(d *scene.Scene, column report.Column) bool {
	if d.View.Order.Chosen {
		return d.View.Order.By == column
	}
	if len(d.Report.Columns) > 0 {
		return d.Report.Sorted == column
	}
	return column == report.ColumnSelf
}

// unfold opens the folded row with the cursor's row if that should come into sight.
func (t *Table) unfold(d *scene.Scene) {
	if p := d.CursorFold(); t.Aimed && p != nil {
		t.Arranger.Fold(p.ID)
		t.Arranger.Arrange(&d.Report, d.Tree, d.Zone)
	}
}

// follow scrolls the cursor's row into sight if the user moved the cursor, chose another report, or went to a slow
// frame. It does not scroll if the same row merely changed its place.
func (t *Table) follow(d *scene.Scene) {
	cursor, key := d.Report.Cursor, cursorKey(d)
	moved := cursor != t.cursor && key != t.cursorKey || t.Aimed || d.View.Mode != t.mode
	t.cursor, t.cursorKey, t.mode = cursor, key, d.View.Mode
	if moved {
		if line := d.Report.LineOf(cursor); line >= 0 {
			t.top = min(max(t.top, line-t.visible+1), line)
		}
	}
	t.top = max(min(t.top, d.Report.Len()-t.visible), 0)
}

// mostHier returns the greatest hierarchical time of a record, or with onlyWork of a working one. It is the length of a
// full bar.
func mostHier(r []report.Record, onlyWork bool) float64 {
	most := 0.0
	for i := range r {
		if v := r[i].Values[report.ColumnHier]; v > most && !(onlyWork && r[i].Idle) {
			most = v
		}
	}
	return most
}

// A maximum stands out if it is farAbove times the mean, and above the mean by a share farEnough of the frame budget.
// The second condition excludes unimportant maxima.
const (
	farAbove  = 2.5
	farEnough = 0.1
)

// scrollbar draws the visible part of the rows.
func (t *Table) scrollbar(c *canvas.Canvas, r canvas.Rect, rows int) {
	if rows <= t.visible || rows == 0 {
		return
	}
	c.Explain(canvas.Box(r.X0-4*c.Em, r.Y0, r.X1+4*c.Em, r.Y1), "rows in sight", "the wheel shows the others")
	per := r.Height() / float32(rows)
	y := r.Y0 + float32(t.top)*per
	c.Rect(r.X0, y, r.X1, max(y+float32(t.visible)*per, y+8*c.Em), draw.Fade(c.TextFaint, 0.6))
}

// drawFilter draws the filter in place of the heading of names. It reports whether there is a filter.
func (t *Table) drawFilter(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) bool {
	text := d.View.Filter
	if !t.Typing && text == "" {
		return false
	}
	end := t.namesEnd(r) - 6*c.Em
	box := canvas.Box(r.X0, r.Y0+1*c.Em, end, r.Y1-2*c.Em)
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Raised)
	if t.Typing {
		c.Border(box.X0, box.Y0, box.X1, box.Y1, 4*c.Em, c.Accent)
	}
	c.Add(box, hit.Of(hit.Filter, 0))
	x := box.X0 + 8*c.Em
	x += c.Left(x, 60*c.Em, box, draw.FaceSmall, "find ", c.TextDim)
	c.Buffer = draw.AppendFixed(c.Buffer[:0], float64(d.Report.Found), 0)
	room := box.X1 - x - 12*c.Em
	if text != "" {
		y := c.Baseline(box.Y0, box.Y1, draw.FaceSmall)
		room -= c.ASCIIRight(box.X1-8*c.Em, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 6*c.Em
	}
	x += c.Left(x, room, box, draw.FaceText, text, c.TextBright)
	if t.Typing {
		c.Rect(x+c.Em, box.Y0+4*c.Em, x+2*c.Em, box.Y1-4*c.Em, c.Accent)
	}
	return true
}

// TextHead writes the headings.
func (t *Table) TextHead(b *strings.Builder) {
	b.WriteString("zone")
	for i := len(t.placedColumns) - 1; i >= 0; i-- {
		if c := t.placedColumns[i].column; c != ColumnBar && c != ColumnSpark {
			b.WriteString("\t" + t.heads[c])
		}
	}
	b.WriteByte('\n')
}

// RecordRow writes the row of a record.
func (t *Table) RecordRow(b *strings.Builder, d *scene.Scene, i, precision int) {
	r, indent := &d.Report.Records[i], 0
	if d.Report.Grouped() {
		indent = 1
	}
	t.TextRow(b, r, r.Indent+indent, precision)
}

// TextRow writes one row.
func (t *Table) TextRow(b *strings.Builder, r *report.Record, indent, precision int) {
	b.WriteString(strings.Repeat("  ", min(indent, 64)))
	name := draw.Printable(r.Name)
	if name != "" && strings.IndexByte("=+-@", name[0]) >= 0 {
		b.WriteByte('\'')
	}
	b.WriteString(name)
	var number [48]byte
	for n := len(t.placedColumns) - 1; n >= 0; n-- {
		switch c := t.placedColumns[n].column; c {
		case ColumnBar, ColumnSpark:
			continue
		case ColumnDelta, ColumnDeltaPercent:
			b.WriteByte('\t')
			if r.Delta.Known {
				b.Write(t.appendDelta(number[:0], &r.Delta, c, precision))
			}
		default:
			b.WriteByte('\t')
			b.Write(draw.AppendValue(number[:0], r, c, t.unitOf(c), precision))
		}
	}
	b.WriteByte('\n')
}
