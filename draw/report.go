package draw

import (
	"image/color"

	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
)

// ReportOptions are the options of AppendReport. The zero value is the default.
type ReportOptions struct {
	// LineSpacing is the distance between records in the caller's units; 0 is 17. Below 0, y grows up. Text keeps its
	// size of 17 units a line unless LineSpacing differs much from 17. Then the size follows the spacing.
	LineSpacing float32
	Precision   int      // decimals of milliseconds, clamped to 1..4; 0 is 2
	Scale       float32  // device pixels per unit of the caller; 0 is 1
	Text        TextSink // draws the host's own text; nil: the profiler's text
}

// AppendReport draws a report with its top left corner at (x, y), in the caller's units. Text that does not fit width
// is cut. If the records do not fit height, the records around the cursor are drawn. Values are rounded.
func AppendReport(l *List, r *report.Report, x, y, width, height float32, o ReportOptions) {
	u, atlas := unitsFor(x, y, o.LineSpacing, o.Scale)
	l.Begin(atlas)
	s := sheet{writer: writer{l, u, o.Text}, report: r, precision: ClampPrecision(o.Precision)}
	s.em = l.atlas().scale
	s.line = lineHeight * s.em
	if o.LineSpacing != 0 {
		s.line = abs(o.LineSpacing) / u.k
	}
	s.wide, s.high = width/u.k, height/u.k
	first := len(l.V)
	s.draw()
	u.convert(l, first)
}

// sheet is the layout of one report, in pixels from its top left.
type sheet struct {
	writer
	report     *report.Report
	precision  int
	em         float32 // device pixels per nominal pixel
	line       float32 // height of a row
	wide, high float32
	field      float32 // width of a column of values
	fields     int     // number of value columns that fit
	units      [report.ColumnDeltaPercent + 1]report.TimeUnit
	named      bool // a column has another unit than ms, so that each heading names its own
	y          float32
	buffer     [48]byte
}

// The sheet's colours are translucent, because the host's picture shows behind the sheet.
var (
	sheetTitle   = color.NRGBA{18, 42, 34, 230}
	sheetWarning = color.NRGBA{64, 20, 24, 235}
	sheetHeading = color.NRGBA{10, 12, 16, 235}
	sheetEven    = color.NRGBA{20, 25, 34, 224}
	sheetOdd     = color.NRGBA{27, 33, 44, 224}
	sheetCursor  = color.NRGBA{72, 70, 26, 235}
)

// longestNumber sets the width of a value column.
const longestNumber = "55555.55"

func (s *sheet) draw() {
	s.measure()
	s.titles()
	if s.y+s.line > s.high {
		return
	}
	s.headings()
	s.records()
}

// measure finds the number of value columns that leave a third of the width for names.
func (s *sheet) measure() {
	s.field = s.width(FaceMono, longestNumber) + 4*s.em
	s.fields = s.columns()
	for s.fields > 1 && s.wide-float32(s.fields)*s.field < s.wide/3 {
		s.fields--
	}
	s.chooseUnits()
}

// band draws the background of a row and returns the baseline of its text. The row is the given number of lines high.
func (s *sheet) band(lines float32, c color.NRGBA) (baseline float32) {
	top := s.y
	s.y += s.line * lines
	s.Rect(0, top, s.wide, s.y, c)
	return top + (s.line*lines+9*s.em)/2
}

// titles draws the title and the warnings. It stops when only the headings and one record have room left.
func (s *sheet) titles() {
	s.title(s.report.Title, sheetTitle, dark.Amber)
	for _, warning := range s.report.Warnings {
		if s.y+3.5*s.line > s.high {
			return
		}
		s.title(warning, sheetWarning, dark.Red)
	}
}

func (s *sheet) title(text string, ground, c color.NRGBA) {
	if s.y+s.line > s.high {
		return
	}
	baseline := s.band(1.35, ground)
	s.text(6*s.em, baseline, s.wide-12*s.em, FaceText, text, c)
}

// headings draws the row of column names.
func (s *sheet) headings() {
	baseline := s.band(1, sheetHeading)
	s.text(6*s.em, baseline, s.nameWidth(), FaceSmall, "zone", dark.TextDim)
	for i := range s.fields {
		heading := s.heading(i)
		right := s.columnEnd(i)
		width := min(s.width(FaceSmall, heading), s.field)
		s.text(right-width, baseline, s.field, FaceSmall, heading, dark.TextDim)
	}
}

// nameWidth returns the width for names.
func (s *sheet) nameWidth() float32 { return s.wide - float32(s.fields)*s.field - 6*s.em }

// columnEnd returns the right end of a column's values.
func (s *sheet) columnEnd(i int) float32 { return s.wide - float32(s.fields-1-i)*s.field - 6*s.em }

// records draws the rows that fit.
func (s *sheet) records() {
	rows := int((s.high - s.y) / s.line * 1.0001)
	r, kept := s.report, s.keep()
	first, end := Window(r.Len(), rows, r.LineOf(r.Cursor))
	for i := first; i < end; i++ {
		s.row(i, i-first, kept)
	}
}

// Window returns the range of rows, out of n, that is visible in the given number of lines. It scrolls only as far as
// needed to make the cursor's row the last one.
func Window(n, lines, cursor int) (first, end int) {
	lines = max(lines, 0)
	if cursor >= lines {
		first = cursor - lines + 1
	}
	first = max(min(first, n-lines), 0)
	return first, min(first+lines, n)
}

// row draws one line of the report, at a place in sight. kept is nil if rows are not kept.
func (s *sheet) row(i, line int, kept *keptSheet) {
	r, record := s.report.Line(i)
	ground := sheetEven
	if i%2 == 1 {
		ground = sheetOdd
	}
	if record >= 0 && record == s.report.Cursor {
		ground = sheetCursor
	}
	own := ground == sheetCursor || record >= 0 && zonecolor.Caused(&s.report.Verdict, r.Zone)
	look := rowLook{r.Name, r.Site, ground, dotColor(r, own), r.Indent, r.Depth, r.Sign, r.Estimated, r.Costly, r.Idle}
	if s.report.Grouped() && record >= 0 {
		look.indent++
	}
	top := s.y
	k, first := kept.row(line), len(s.V)
	if k != nil && len(k.name) > 0 && k.look == look {
		s.V = append(s.V, k.name...)
		s.y += s.line
	} else {
		s.name(s.band(1, ground), r, &look)
		if k != nil {
			k.look, k.name = look, append(k.name[:0], s.V[first:]...)
			kept.laid++
		}
	}
	s.values(r, top+(s.line+9*s.em)/2, k, kept)
}

// values draws a record's values. It copies values that look the same as before.
func (s *sheet) values(r *report.Record, baseline float32, k *keptRow, kept *keptSheet) {
	for f := range s.fields {
		c := dark.TextNormal
		if f == 0 {
			c = Heat(r.Heat)
			if r.Heat <= 0 {
				c = dark.TextBright
			}
		}
		if r.Idle {
			c = dark.TextFaint
		}
		text, first := s.value(r, f), len(s.V)
		if k == nil {
			s.right(s.columnEnd(f), baseline, FaceMono, text, c)
			continue
		}
		cell := &k.cells[f]
		if cell.is(text, c) {
			s.V = append(s.V, cell.v...)
			continue
		}
		s.right(s.columnEnd(f), baseline, FaceMono, text, c)
		cell.keep(text, c, s.V[first:])
		kept.laid++
	}
}

// name draws a record's sign, bullet, name and site.
func (s *sheet) name(baseline float32, r *report.Record, look *rowLook) {
	c := dark.TextNormal
	if r.Idle {
		c = dark.TextFaint
	}
	x := (6 + 10*float32(look.indent)) * s.em
	limit := s.nameWidth()
	switch {
	case r.Costly:
		s.text(x, baseline, limit, FaceBold, "!", dark.Red)
	case r.Sign == report.SignOpen:
		s.text(x, baseline, limit, FaceText, "+", dark.TextDim)
	case r.Sign == report.SignFocus:
		s.text(x, baseline, limit, FaceBold, "-", dark.TextBright)
		c = dark.TextBright
	}
	x += 11 * s.em
	s.Round(x, baseline-8*s.em, x+7*s.em, baseline-s.em, 2*s.em, look.dot)
	x += 12 * s.em
	if sign := r.Estimated.Sign(); sign != "" {
		x += s.text(x, baseline, limit-x, FaceText, sign, dark.TextDim)
	}
	x += s.text(x, baseline, limit-x, FaceText, r.Name, c)
	x += s.suffix(x, baseline, limit, r)
	if r.Site != "" && x+20*s.em < limit {
		s.text(x+6*s.em, baseline, limit-x-6*s.em, FaceSmall, r.Site, dark.TextFaint)
	}
}

// suffix draws the depth of recursion and returns its width.
func (s *sheet) suffix(x, baseline, limit float32, r *report.Record) float32 {
	if r.Depth == 0 {
		return 0
	}
	b := report.AppendDepth(s.buffer[:0], r.Depth)
	if s.sink != nil {
		return s.text(x, baseline, limit-x, FaceText, string(b), dark.TextDim)
	}
	if x+s.ASCIIWidth(FaceText, b) > limit {
		return 0
	}
	return s.ASCII(x, baseline, FaceText, b, dark.TextDim)
}

// dotColor returns the colour of a record's bullet: its own, or calm.
func dotColor(r *report.Record, own bool) color.NRGBA {
	if r.Idle {
		return dark.Grey
	}
	if c := ZoneColor(r.Package, r.Name); own {
		return c
	} else {
		return zonecolor.Calm(c)
	}
}
