package console

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// page composes the lines that a terminal shows of a session.
type page struct {
	session *process.Session
	report  report.Report
	now     process.Snapshot // what the last lines show
	words   bytes.Buffer
	top     int // index of the first record in sight
	width   int // of the last lines
	causes  int // lines kept for the verdict: the most that a verdict has needed at this width
	help    bool
	prompt  prompt
	answer  []string // lines of the last command's answer, until the next key
	unicode bool
	color   bool
}

func newPage(s *process.Session) *page {
	p := &page{session: s}
	p.unicode, p.color = text.Environment()
	return p
}

// The styles. The colours are the terminal's own, by their standard numbers.
const (
	bold     = "\x1b[1m"
	reversed = "\x1b[7m"
	faint    = "\x1b[90m"
	yellow   = "\x1b[33m"
	red      = "\x1b[31m"
	green    = "\x1b[32m"
	ended    = "\x1b[0m"
)

// styled returns s in a style. It leaves colours out if the environment asks for that.
func (p *page) styled(style, s string) string {
	if s == "" || !p.color && style != bold && style != reversed {
		return s
	}
	return style + s + ended
}

// narrowest is the least width of a page. A narrower terminal shows only its left part.
const narrowest = 24

// lines returns exactly height lines of at most width cells.
func (p *page) lines(width, height int) []string {
	width, height = max(width, narrowest), max(height, 4)
	answer := p.answerLines(width, max(height/2, height-8))
	var lines, rows []string
	if p.help {
		lines, rows = p.helpText(width)
		rows = rows[:min(len(rows), max(1, height-len(lines)-len(answer)-1))]
	} else {
		p.takeReport(width)
		lines = p.head(width, height)
		rows = p.body(width, max(2, height-len(lines)-len(answer)-1))
	}
	lines = append(lines, rows...)
	for len(lines)+len(answer)+1 < height {
		lines = append(lines, "")
	}
	lines = append(append(lines, answer...), p.foot(width))
	return lines[len(lines)-min(height, len(lines)):]
}

// written returns the lines of the report, and how many of them are above those of the records.
func (p *page) written(width int) (lines []string, above int) {
	r := p.report
	r.Title, r.Verdict = fpsFirst(&p.report, width), report.Verdict{}
	precision := viewer.PanelFor(p.session).Options().Precision
	p.words.Reset()
	_ = text.WriteReport(&p.words, &r, text.Options{Cursor: true, Precision: precision, Width: width})
	lines = strings.Split(strings.TrimSuffix(p.words.String(), "\n"), "\n")
	return lines, len(lines) - r.Len()
}

// head returns the lines above the table: title, verdict, warnings and history.
func (p *page) head(width, height int) (lines []string) {
	all, above := p.written(width)
	lines = append(lines, p.styled(bold, all[0]))
	for _, line := range p.verdict(width) {
		if p.report.Verdict.Over {
			line = p.styled(red, line)
		}
		lines = append(lines, line)
	}
	for _, line := range all[1:max(above-1, 1)] {
		if line == "" { // the line between titles and table
			return append(lines, p.strip(width, max(1, height/8-2))...)
		}
		lines = append(lines, p.styled(yellow, line))
	}
	return lines
}

// body returns the lines below the head, at most room. Where there is room, the history of the highlighted row is below
// the table, and the pane beside it, or else below.
func (p *page) body(width, room int) []string {
	left, right := split(width)
	lines := p.table(left, room)
	if right == 0 {
		lines = append(lines, p.rowHistory(left, min(room-len(lines), mostChart))...)
		return append(lines, p.pane(left, room-len(lines))...)
	}
	lines = append(lines, p.rowHistory(left, room-len(lines))...)
	beside := p.pane(right, room)
	for len(lines) < len(beside) {
		lines = append(lines, padded("", left))
	}
	for i := range beside {
		lines[i] += p.styled(faint, p.sign(" │ ", " | ")) + beside[i]
	}
	return lines
}

// padded returns a line with spaces up to a width.
func padded(line string, width int) string {
	return line + strings.Repeat(" ", max(0, width-printed.Cells(line)))
}

// table returns the headings of the table, and the lines of the records that fit.
func (p *page) table(width, room int) []string {
	r := &p.report
	if at := p.foldedAt(); at != nil {
		p.session.View().SetCursor(at.First) // so that one key leaves the folded rows
		r.Cursor = at.First
	}
	all, above := p.written(width)
	rows := all[above:]
	for i := range rows {
		rec, record := r.Line(i)
		here := record == r.Cursor || record < 0 && i == r.LineOf(r.Cursor)
		rows[i] = p.row(padded(rows[i], width), rec, here && r.Cursor >= 0)
	}
	return append([]string{p.styled(bold, padded(all[above-1], width))}, p.inSight(rows, room-1)...)
}

// takeReport takes the report in the form of a page: idle rows are folded, and a wide page has more columns.
func (p *page) takeReport(width int) {
	v := p.session.View()
	o := process.SnapshotOptions{Frames: width + v.Get().Age, History: width, Slowest: true, InSight: p.highlighted}
	left, _ := split(width)
	more := wideColumns[:max(0, min((left-usualCells)/columnCells, len(wideColumns)))]
	if v.Get().Columns.Empty() {
		o.Columns = report.ColumnsOf(more...)
	}
	v.Snapshot(&p.now, o)
	p.report = *p.now.Report.IdleFolded()
	r := &p.report
	r.Values = r.Values[:0] // a terminal has room only for the records
	if r.Frame.Live {
		r.Marks = r.Marks[:0] // they would show for one frame only
	}
	if v.Get().Columns.Empty() && r.View.Mode != report.ReportExtra {
		r.Columns = append(slices.Clip(r.Columns), more...)
	}
}

// highlighted appends the index of the highlighted record, if there is one.
func (p *page) highlighted(dst []int32) []int32 {
	if at := p.now.Report.Cursor; at >= 0 {
		dst = append(dst, int32(at))
	}
	return dst
}

// The widths of a table without wideColumns, and of most columns.
const (
	usualCells  = 68
	columnCells = 11
)

// wideColumns are columns of a wide page, as many as fit.
var wideColumns = []report.Column{report.ColumnSelfPercent, report.ColumnMean, report.ColumnMax, report.ColumnP99,
	report.ColumnP50, report.ColumnHierPerCall, report.ColumnMeanSelf, report.ColumnMaxSelf, report.ColumnP99Self}

// fpsFirst returns a report's title with the frame rate before the other parts, as many of these as have room. Where
// the frame's part has none, it does not say whom the frame waited for: the verdict does.
func fpsFirst(r *report.Report, width int) string {
	parts := strings.Split(r.Title, "  ")
	rate := slices.IndexFunc(parts, func(part string) bool { return strings.HasSuffix(part, " fps") })
	if rate > 0 {
		if len(parts[rate])+2+len(parts[0]) > width {
			parts[0] = withoutWorker(&r.Frame, parts[0])
		}
		fps := parts[rate]
		parts = slices.Insert(slices.Delete(parts, rate, rate+1), 0, fps)
	}
	title := parts[0]
	for i, part := range parts[1:] {
		if i+1 > max(0, min(rate, 1)) && utf8.RuneCountInString(title)+2+utf8.RuneCountInString(part) > width {
			break
		}
		title += "  " + part
	}
	return title
}

// withoutWorker returns the frame's part of a title without the goroutine that the frame waited for.
func withoutWorker(f *report.FrameInfo, part string) string {
	alone := *f
	alone.Joined = 0
	with, without := string(f.AppendTitleParts(nil)), string(alone.AppendTitleParts(nil))
	return strings.TrimSuffix(part, with) + without
}

// mostCauses bounds the lines of a verdict.
const mostCauses = 4

// verdict returns all lines of the verdict. Their number stays the same when a verdict comes and goes, so that nothing
// moves.
func (p *page) verdict(width int) []string {
	if p.width != width {
		p.width, p.causes = width, 1
	}
	lines := []string{" "}
	if v := &p.report.Verdict; v.Found() {
		p.words.Reset()
		_ = text.WriteVerdict(&p.words, v)
		lines = wrapped(strings.TrimSuffix(p.words.String(), "\n"), width)
	}
	lines = lines[:min(len(lines), mostCauses)]
	for p.causes = max(p.causes, len(lines)); len(lines) < p.causes; {
		lines = append(lines, " ")
	}
	return lines
}

// foldedAt returns the folded row that hides the highlighted one, or nil.
func (p *page) foldedAt() *report.PackageRow {
	if line := p.report.LineOf(p.report.Cursor); line >= 0 {
		return p.report.Package(line)
	}
	return nil
}

// row styles the line of a record.
func (p *page) row(line string, r *report.Record, cursor bool) string {
	switch {
	case cursor:
		return p.styled(reversed, line)
	case r.Idle:
		return p.styled(faint, line)
	case r.Heat > 0.5:
		return p.styled(yellow, line)
	}
	return line
}

// inSight returns the rows that fit. The highlighted row is among them.
func (p *page) inSight(rows []string, room int) []string {
	cursor := max(0, p.report.LineOf(p.report.Cursor))
	p.top = max(cursor-room+1, min(p.top, cursor))
	p.top = max(0, min(p.top, len(rows)-room))
	return rows[p.top:min(len(rows), p.top+room)]
}
