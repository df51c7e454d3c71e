package console

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// page composes the lines that a terminal shows of a session.
type page struct {
	session *process.Session
	report  report.Report
	frames  []report.FrameSummary
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
	head, rows := p.table(width)
	if p.help {
		head, rows = p.helpText(width)
	}
	answer := p.answerLines(width, max(height/2, height-8))
	room := max(1, height-len(head)-len(answer)-1)
	lines := append(head, p.inSight(rows, room)...)
	for len(lines)+len(answer)+1 < height {
		lines = append(lines, "")
	}
	lines = append(append(lines, answer...), p.foot(width))
	return lines[len(lines)-min(height, len(lines)):]
}

// table returns the lines above the records, and the lines of the records.
func (p *page) table(width int) (head, rows []string) {
	p.takeReport(width)
	r := &p.report
	if at := p.foldedAt(); at != nil {
		p.session.View().SetCursor(at.First) // so that one key leaves the folded rows
		r.Cursor = at.First
	}
	p.words.Reset()
	shown := *r
	shown.Title, shown.Verdict = fpsFirst(r, width), report.Verdict{}
	precision := viewer.PanelFor(p.session).Options().Precision
	_ = text.WriteReport(&p.words, &shown, text.Options{Cursor: true, Precision: precision, Width: width})
	all := strings.Split(strings.TrimSuffix(p.words.String(), "\n"), "\n")
	lines := len(all) - r.Len()
	head, rows = all[:lines], all[lines:]
	head = slices.Insert(slices.Clip(head), 1, p.verdict(width)...) // Clip, because the rows share the array
	for i := range head {
		switch {
		case i > 0 && i <= p.causes && r.Verdict.Over:
			head[i] = p.styled(red, head[i])
		case i == 0 || i == len(head)-1:
			head[i] = p.styled(bold, head[i])
		case head[i] == "": // the line between titles and table
			head[i] = p.strip(width)
		default:
			head[i] = p.styled(yellow, head[i])
		}
	}
	for i := range rows {
		rec, record := r.Line(i)
		here := record == r.Cursor || record < 0 && i == r.LineOf(r.Cursor)
		rows[i] = p.row(rows[i], rec, here && r.Cursor >= 0, width)
	}
	return head, rows
}

// takeReport takes the report in the form of a page: idle rows are folded, and a wide page has more columns.
func (p *page) takeReport(width int) {
	var more []report.Column
	if p.report.Want = (report.ColumnSet{}); width >= wide && p.session.View().Get().Columns.Empty() {
		more, p.report.Want = wideColumns, report.ColumnsOf(wideColumns...)
	}
	p.session.View().AppendReport(&p.report)
	p.report = *p.report.IdleFolded()
	r := &p.report
	r.Values = r.Values[:0] // a terminal has room only for the records
	if r.Frame.Live {
		r.Marks = r.Marks[:0] // they would show for one frame only
	}
	if len(more) > 0 && p.session.View().Get().Mode != report.ReportExtra {
		r.Columns = append(slices.Clip(r.Columns), more...)
	}
}

// wide is the least width of a page with wideColumns, as many as fit.
const wide = 100

var wideColumns = []report.Column{report.ColumnSelfPercent, report.ColumnMean, report.ColumnMax, report.ColumnP50,
	report.ColumnP99, report.ColumnHierPerCall, report.ColumnMeanSelf, report.ColumnMaxSelf, report.ColumnP99Self}

// fpsFirst returns a report's title with the frame rate before the other parts, as many of these as have room. Where
// the frame's part has none, it does not say whom the frame waited for: the verdict does.
func fpsFirst(r *report.Report, width int) string {
	parts := strings.Split(r.Title, "  ")
	at := slices.IndexFunc(parts, func(part string) bool { return strings.HasSuffix(part, " fps") })
	if at <= 0 {
		return r.Title
	}
	if len(parts[at])+2+len(parts[0]) > width {
		parts[0] = withoutWorker(&r.Frame, parts[0])
	}
	title := parts[at] + "  " + parts[0]
	for _, part := range slices.Delete(parts, at, at+1)[1:] {
		if utf8.RuneCountInString(title)+2+utf8.RuneCountInString(part) > width {
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
func (p *page) row(line string, r *report.Record, cursor bool, width int) string {
	switch {
	case cursor:
		return p.styled(reversed, line+strings.Repeat(" ", max(0, width-len([]rune(line)))))
	case r.Idle:
		return p.styled(faint, line)
	case r.Heat > 0.5:
		return p.styled(yellow, line)
	}
	return line
}

// inSight returns the rows that fit. The highlighted row is among them.
func (p *page) inSight(rows []string, room int) []string {
	if p.help {
		return rows[:min(room, len(rows))]
	}
	cursor := max(0, p.report.LineOf(p.report.Cursor))
	p.top = max(cursor-room+1, min(p.top, cursor))
	p.top = max(0, min(p.top, len(rows)-room))
	return rows[p.top:min(len(rows), p.top+room)]
}

// strip returns the line of the history: a bar for each frame, the newest on the right. A full bar is a busy time of
// twice the budget. The strip scrolls so that the frame shown is in sight.
func (p *page) strip(width int) string {
	state := text.Cut(p.state(), width)
	room, age := max(0, width-len(state)), p.report.Frame.Age
	if p.report.Frame.Kept { // a kept frame is no longer in the history
		age = -1
	}
	newest := max(0, age-room/2) // age of the rightmost bar
	if age < room {              // the frame shown is in sight without scrolling
		newest = 0
	}
	p.frames = p.session.AppendFrames(p.frames[:0], room+newest)
	p.frames = p.frames[:max(0, len(p.frames)-newest)]
	budget := float32(p.report.Frame.Budget.Seconds() * 1000)
	b := strings.Builder{}
	b.WriteString(p.styled(bold, state))
	for i := range p.frames {
		b.WriteString(p.bar(&p.frames[i], budget, newest+len(p.frames)-1-i == age))
	}
	return b.String()
}

// state returns a word for the state of the page.
func (p *page) state() string {
	f := &p.report.Frame
	switch {
	case !gather.Enabled && f.Frames == 0: // replayed frames are shown even in such a build
		return "nothing is measured: built with the tag iprof_off"
	case f.Frames == 0:
		return ""
	case !f.Recording:
		return "NOT RECORDING "
	case f.Kept:
		return "KEPT "
	case f.Paused:
		return "PAUSED "
	case f.Age > 0:
		return "OLD "
	}
	return "live "
}

// bar returns the bar of one frame. The frame shown is reversed unless it is the newest.
func (p *page) bar(f *report.FrameSummary, budget float32, shown bool) string {
	share := 1. / 8 // each frame has a bar
	if budget > 0 {
		share += max(float64(f.Judged()/(2*budget)), 0)
	}
	style := green
	if f.Over {
		style = red
	}
	if shown && p.report.Frame.Age > 0 {
		style = reversed
	}
	return p.styled(style, printed.Bar(share, p.unicode))
}
