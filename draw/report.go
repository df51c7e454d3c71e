package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// ReportOptions are those of AppendReport. The zero value is the default.
type ReportOptions struct {
	// LineSpacing is the distance from one record to the next in the caller's units; 0 is 17. Below 0, y grows up. Text keeps
	// its size of 17 units a line unless the spacing is too far from that: then it follows the spacing.
	LineSpacing float32
	Precision   int      // decimals of milliseconds, clamped to 1..4; 0 is 2
	Scale       float32  // device pixels to one of the caller's units: how finely text is drawn; 0 is 1
	Text        TextSink // the host's own text; nil is the profiler's
}

// AppendReport draws a report with its top left corner at (x, y), in the caller's units. What is too wide is cut. Of records
// that do not all fit height, under the titles and headings, those are drawn that keep the cursor in sight. Values round.
func AppendReport(l *List, r *process.Report, x, y, width, height float32, o ReportOptions) {
	u, atlas := unitsFor(x, y, o.LineSpacing, o.Scale)
	l.begin(atlas)
	s := sheet{writer: writer{l, u, o.Text}, report: r, precision: clampPrecision(o.Precision)}
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

// sheet is one drawing of a report, in pixels from its top left.
type sheet struct {
	writer
	report     *process.Report
	precision  int
	em         float32 // pixels to a nominal one
	line       float32 // height of a row
	wide, high float32
	field      float32 // width of a column of values
	fields     int     // how many of them fit
	y          float32
	buffer     [48]byte
}

// The sheet's colours: translucent, for the host's picture goes on behind.
var (
	sheetTitle   = color.NRGBA{18, 42, 34, 230}
	sheetWarning = color.NRGBA{64, 20, 24, 235}
	sheetHeading = color.NRGBA{10, 12, 16, 235}
	sheetEven    = color.NRGBA{20, 25, 34, 224}
	sheetOdd     = color.NRGBA{27, 33, 44, 224}
	sheetCursor  = color.NRGBA{72, 70, 26, 235}
)

// longestNumber sets the width of a column of values.
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

// measure finds how many columns of values leave the names a third of the width.
func (s *sheet) measure() {
	s.field = s.width(FaceMono, longestNumber) + 4*s.em
	s.fields = len(s.report.Columns)
	for s.fields > 1 && s.wide-float32(s.fields)*s.field < s.wide/3 {
		s.fields--
	}
}

// band draws the ground of a row, and returns the baseline of text on it. The row takes part of a line more, for air.
func (s *sheet) band(lines float32, c color.NRGBA) (baseline float32) {
	top := s.y
	s.y += s.line * lines
	s.Rect(0, top, s.wide, s.y, c)
	return top + (s.line*lines+9*s.em)/2
}

// titles draws the title and the warnings, as far as they leave room for the headings and a record.
func (s *sheet) titles() {
	s.title(s.report.Title, sheetTitle, dark.amber)
	for _, warning := range s.report.Warnings {
		if s.y+3.5*s.line > s.high {
			return
		}
		s.title(warning, sheetWarning, dark.red)
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
	s.text(6*s.em, baseline, s.nameWidth(), FaceSmall, "zone", dark.textDim)
	for i := range s.fields {
		heading := columns[s.report.Columns[i]].heading
		right := s.columnEnd(i)
		width := min(s.width(FaceSmall, heading), s.field)
		s.text(right-width, baseline, s.field, FaceSmall, heading, dark.textDim)
	}
}

// nameWidth is the room for names.
func (s *sheet) nameWidth() float32 { return s.wide - float32(s.fields)*s.field - 6*s.em }

// columnEnd is where the values of a column end.
func (s *sheet) columnEnd(i int) float32 { return s.wide - float32(s.fields-1-i)*s.field - 6*s.em }

// records draws the rows that fit.
func (s *sheet) records() {
	rows := int((s.high - s.y) / s.line * 1.0001)
	r := s.report
	for i, end := window(len(r.Records), rows, r.Cursor); i < end; i++ {
		s.record(i, &r.Records[i])
	}
}

// window is the part of n rows that is shown in so many lines: from the first, scrolled only so far that the cursor's row
// is the last.
func window(n, lines, cursor int) (first, end int) {
	lines = max(lines, 0)
	if cursor >= lines {
		first = cursor - lines + 1
	}
	first = max(min(first, n-lines), 0)
	return first, min(first+lines, n)
}

func (s *sheet) record(i int, r *process.Record) {
	ground := sheetEven
	if i%2 == 1 {
		ground = sheetOdd
	}
	if i == s.report.Cursor {
		ground = sheetCursor
	}
	baseline := s.band(1, ground)
	s.name(baseline, r)
	for f := range s.fields {
		c := dark.textNormal
		if f == 0 {
			c = Heat(r.Heat)
			if r.Heat <= 0 {
				c = dark.textBright
			}
		}
		if r.Idle {
			c = dark.grey
		}
		b := appendValue(s.buffer[:0], r, s.report.Columns[f], s.precision)
		s.right(s.columnEnd(f), baseline, FaceMono, b, c)
	}
}

// name draws the sign, the colour and the name of a record.
func (s *sheet) name(baseline float32, r *process.Record) {
	c := dark.textNormal
	if r.Idle {
		c = dark.grey
	}
	x := (6 + 10*float32(r.Indent)) * s.em
	limit := s.nameWidth()
	switch {
	case r.Costly:
		s.text(x, baseline, limit, FaceBold, "!", dark.red)
	case r.Mark == process.MarkOpen:
		s.text(x, baseline, limit, FaceText, "+", dark.textDim)
	case r.Mark == process.MarkFocus:
		s.text(x, baseline, limit, FaceBold, "-", dark.textBright)
		c = dark.textBright
	}
	x += 11 * s.em
	s.Round(x, baseline-8*s.em, x+7*s.em, baseline-s.em, 2*s.em, dotColor(r))
	x += 12 * s.em
	if sign := r.Estimated.Sign(); sign != "" {
		x += s.text(x, baseline, limit-x, FaceText, sign, dark.textDim)
	}
	x += s.text(x, baseline, limit-x, FaceText, r.Name, c)
	x += s.suffix(x, baseline, limit, r)
	if r.Site != "" && x+20*s.em < limit {
		s.text(x+6*s.em, baseline, limit-x-6*s.em, FaceSmall, r.Site, dark.textFaint)
	}
}

// suffix draws the depth of recursion, and returns its width.
func (s *sheet) suffix(x, baseline, limit float32, r *process.Record) float32 {
	if r.Depth == 0 {
		return 0
	}
	b := appendDepth(s.buffer[:0], r.Depth)
	if s.sink != nil {
		return s.text(x, baseline, limit-x, FaceText, string(b), dark.textDim)
	}
	if x+s.asciiWidth(FaceText, b) > limit {
		return 0
	}
	return s.ascii(x, baseline, FaceText, b, dark.textDim)
}

// appendDepth appends " (n)".
func appendDepth(b []byte, depth int) []byte {
	b = append(b, " ("...)
	b = appendFixed(b, float64(depth), 0)
	return append(b, ')')
}

// dotColor is the colour of a record's bullet.
func dotColor(r *process.Record) color.NRGBA {
	if r.Idle {
		return dark.grey
	}
	return ZoneColor(r.Name)
}
