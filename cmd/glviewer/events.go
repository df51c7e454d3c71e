package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// eventLog prints a line for each part of the state that has changed since the last note. Tests read these lines.
type eventLog struct {
	out    io.Writer
	last   []string
	report report.Report
}

// note prints the parts of the state that are new. On a nil log it does nothing.
func (l *eventLog) note(v *application) {
	if l == nil {
		return
	}
	now := l.state(v)
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

// The words of the lines, by the constants of packages process and viewer.
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

// state returns a line for each part of the state that the user sees. It leaves out numbers that change with every live
// frame.
func (l *eventLog) state(v *application) []string {
	width, height := v.window.GetFramebufferSize()
	s := v.session
	view, info := s.View(), s.Info()
	return []string{
		fmt.Sprintf("size %dx%d", width, height),
		fmt.Sprintf("scale %g", v.contentScale()),
		"panel " + panelNames[v.panel.Options().Mode],
		fmt.Sprintf("precision %d", v.panel.Options().Precision),
		map[bool]string{true: "paused", false: "live"}[s.Paused()],
		frameLine(s, info),
		statesLine(s),
		"mode " + modeNames[view.Mode],
		"average " + averageNames[view.Average],
		"recursion " + recursionNames[view.Recursion],
		"lane " + info.Lane,
		fmt.Sprintf("focus %d %s", view.Focus, s.Zone(view.Focus).Name),
		fmt.Sprintf("age %d", view.Age),
		timelineLine(v.panel),
		lensLine(view.Lens),
		fmt.Sprintf("pinned %v", view.Pin),
		map[bool]string{true: "menu open", false: "menu closed"}[v.panel.State().MenuOpen],
		map[bool]string{true: "comparing", false: "alone"}[v.panel.State().Comparing],
		fmt.Sprintf("filter %q", v.panel.State().Filter),
		l.cursorLine(s),
		"link " + v.link.state(),
		fmt.Sprintf("tab %d of %d %s", slices.Index(v.tabs, v.tab), len(v.tabs), v.name),
		fmt.Sprintf("history %d", historyOf(v)),
		promptLine(&v.prompt),
		fmt.Sprintf("guide %d", v.panel.State().Guide),
		contrastLineOf(v.contrast),
		fmt.Sprintf("frames %d", v.frame/10*10),
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

// statesLine says whether it is known what goroutines did in the frame of a paused view.
func statesLine(s *process.Session) string {
	if !s.Paused() || len(s.AppendStates(nil, s.View().Age)) == 0 {
		return "no states"
	}
	return "states"
}

// cursorLine returns the line of the highlighted record. It has the record's name only while paused, because the record
// may change with every frame.
func (l *eventLog) cursorLine(s *process.Session) string {
	s.AppendReport(&l.report)
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

// historyOf returns the number of frames of a capture that can be looked at, 0 for a tab that changes by itself.
func historyOf(v *application) int {
	if v.path == "" {
		return 0
	}
	return int(v.session.Info().Frames)
}

// contrastLineOf returns the comparison of two tabs, as iprof diff prints it but for the headings and spaces.
func contrastLineOf(c *contrast) string {
	if c == nil {
		return "no contrast"
	}
	lines := []string{"contrast"}
	for _, k := range c.shown {
		cells := k.Cells()
		lines = append(lines, strings.Join(append(cells[:], k.Title()), " "))
	}
	return strings.Join(append(lines, c.Summary()), "; ")
}
