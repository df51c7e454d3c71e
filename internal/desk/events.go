package desk

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Log prints a line for each part of the state that has changed since the last note. Tests read these lines.
type Log struct {
	out    io.Writer
	last   []string
	report report.Report
}

// NewLog returns a log that writes to out.
func NewLog(out io.Writer) *Log { return &Log{out: out} }

// Note prints the parts of the state that are new. frames is the number of frames of the sample. On a nil log it does
// nothing.
func (l *Log) Note(d *Desk, frames int) {
	if l == nil {
		return
	}
	now := l.state(d, frames)
	for i, line := range now {
		if l.last == nil || l.last[i] != line {
			fmt.Fprintln(l.out, line)
		}
	}
	if l.last == nil {
		fmt.Fprintln(l.out, "ready")
	}
	l.last = now
}

// The words of the lines, indexed by constants of packages process and viewer.
var (
	modeNames  = [report.NumReportModes]string{"self", "hierarchical", "callgraph", "descendants", "tree", "extra"}
	panelNames = [...]string{
		viewer.PanelOff: "off", viewer.PanelHUD: "hud", viewer.PanelReportAndGraph: "half", viewer.PanelFull: "full",
	}
	averageNames = [...]string{
		report.AverageShort: "short", report.AverageLong: "long", report.AverageInstant: "instant",
	}
	recursionNames = [...]string{report.RecursionFlattened: "flattened", report.RecursionSpread: "spread"}
)

// state returns a line for each part of the visible state. It leaves out numbers that change with every live frame.
func (l *Log) state(d *Desk, frames int) []string {
	width, height := d.host.Size()
	s, panel := d.tab.session, d.tab.panel
	view, info := s.View().Get(), s.View().Info()
	return []string{
		fmt.Sprintf("size %dx%d", width, height),
		fmt.Sprintf("scale %g", d.host.Scale()),
		"panel " + panelNames[panel.Options().Mode],
		fmt.Sprintf("precision %d", panel.Options().Precision),
		map[bool]string{true: "paused", false: "live"}[s.Paused()],
		frameLine(s, info),
		statesLine(s),
		"mode " + modeNames[view.Mode],
		"average " + averageNames[view.Average],
		"recursion " + recursionNames[view.Recursion],
		"lane " + info.Lane,
		fmt.Sprintf("focus %d %s", view.Focus, s.Zone(view.Focus).Name),
		fmt.Sprintf("age %d", view.Age),
		TimelineLine(panel),
		lensLine(view.Lens),
		fmt.Sprintf("pinned %v", view.Pin),
		map[bool]string{true: "menu open", false: "menu closed"}[panel.State().MenuOpen],
		map[bool]string{true: "help open", false: "help closed"}[panel.State().Help],
		map[bool]string{true: "card open", false: "card closed"}[panel.State().CardOpen],
		map[bool]string{true: "comparing", false: "alone"}[panel.State().Comparing],
		fmt.Sprintf("filter %q", panel.State().Filter),
		l.cursorLine(s),
		"link " + d.tab.link.state(),
		fmt.Sprintf("tab %d of %d %s", slices.Index(d.tabs, d.tab), len(d.tabs), d.tab.name),
		fmt.Sprintf("history %d", historyOf(d.tab)),
		promptLine(&d.prompt),
		fmt.Sprintf("guide %d", panel.State().Guide),
		contrastLineOf(d.contrast),
		fmt.Sprintf("frames %d", frames/10*10),
	}
}

// lensLine returns the line of the lens.
func lensLine(l report.Lens) string {
	if l.Kind == report.LensRange {
		return fmt.Sprintf("range %d %d", l.From, l.To)
	}
	return fmt.Sprintf("lens %d", l.Kind)
}

func frameLine(s *process.Session, info report.FrameInfo) string {
	if s.Paused() {
		return fmt.Sprintf("frame %d %.2f ms", info.Index, info.Length)
	}
	return "frame now"
}

// statesLine tells whether a paused view knows the states of the goroutines in its frame.
func statesLine(s *process.Session) string {
	if !s.Paused() || len(s.AppendStates(nil, s.View().Get().Age)) == 0 {
		return "no states"
	}
	return "states"
}

// cursorLine returns the line of the highlighted record. It has the record's name only while paused, because the record
// may change with every frame.
func (l *Log) cursorLine(s *process.Session) string {
	s.View().AppendReport(&l.report)
	at := l.report.Cursor
	if at < 0 || at >= len(l.report.Records) || !s.Paused() {
		return fmt.Sprintf("cursor %d", at)
	}
	return fmt.Sprintf("cursor %d %s", at, l.report.Records[at].Name)
}

func promptLine(p *prompt) string {
	if !p.open {
		return "asking nothing"
	}
	return fmt.Sprintf("asking %q %d", p.text, p.at)
}

// historyOf returns the number of frames in the history of a capture, 0 for a live tab.
func historyOf(t *Tab) int {
	if t.path == "" {
		return 0
	}
	return int(t.session.View().Info().Frames)
}

// contrastLineOf returns the comparison of two tabs as iprof diff prints it, without the headings and spaces.
func contrastLineOf(c *contrast) string {
	if c == nil {
		return "no contrast"
	}
	lines := []string{"contrast"}
	for _, k := range c.Shown() {
		cells := k.Cells()
		lines = append(lines, strings.Join(append(cells[:], k.Title()), " "))
	}
	return strings.Join(append(lines, c.Summary()), "; ")
}
