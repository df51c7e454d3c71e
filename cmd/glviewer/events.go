package main

import (
	"fmt"
	"io"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// eventLog prints a line for each part of the state that has changed since it last looked.
type eventLog struct {
	out    io.Writer
	last   []string
	report process.Report
}

// note prints what is new; on a nil log it does nothing.
func (l *eventLog) note(v *viewer) {
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

var modeNames = [process.NumReportModes]string{"self", "hierarchical", "callgraph", "descendants", "tree", "extra"}

// state is a line for each part of what the user sees. Numbers that run by themselves are left out while it is live.
func (l *eventLog) state(v *viewer) []string {
	width, height := v.window.GetFramebufferSize()
	s := v.session
	view, info := s.View(), s.Info()
	return []string{
		fmt.Sprintf("size %dx%d", width, height),
		fmt.Sprintf("scale %g", v.contentScale()),
		"panel " + [...]string{draw.Off: "off", draw.HUD: "hud", draw.ReportAndGraph: "half", draw.Full: "full"}[v.panel.Mode()],
		fmt.Sprintf("precision %d", v.panel.Precision()),
		map[bool]string{true: "paused", false: "live"}[s.Paused()],
		frameLine(s, info),
		"mode " + modeNames[view.Mode],
		"average " + [...]string{process.Short: "short", process.Long: "long", process.Instant: "instant"}[view.Average],
		"recursion " + [...]string{process.Flattened: "flattened", process.Spread: "spread"}[view.Recursion],
		"lane " + info.Lane,
		fmt.Sprintf("focus %d %s", view.Focus, s.Zone(view.Focus).Name),
		fmt.Sprintf("age %d", view.Age),
		timelineLine(v.panel),
		lensLine(view.Lens),
		fmt.Sprintf("pinned %v", view.Pin),
		map[bool]string{true: "menu open", false: "menu closed"}[v.panel.MenuOpen()],
		map[bool]string{true: "comparing", false: "alone"}[v.panel.Comparing()],
		fmt.Sprintf("filter %q", v.panel.Filter()),
		l.cursorLine(s),
		fmt.Sprintf("frames %d", v.frame/10*10),
	}
}

// lensLine names the frames chosen.
func lensLine(l process.Lens) string {
	if l.Kind == process.LensRange {
		return fmt.Sprintf("range %d %d", l.From, l.To)
	}
	return fmt.Sprintf("lens %d", l.Kind)
}

func frameLine(s *process.Session, info process.FrameInfo) string {
	if s.Paused() {
		return fmt.Sprintf("frame %d %.2f ms", info.Index, info.Length)
	}
	return "frame now"
}

// cursorLine names the highlighted record, which may be another with every frame unless they stand still.
func (l *eventLog) cursorLine(s *process.Session) string {
	s.AppendReport(&l.report)
	at := l.report.Cursor
	if at < 0 || at >= len(l.report.Records) || !s.Paused() {
		return fmt.Sprintf("cursor %d", at)
	}
	return fmt.Sprintf("cursor %d %s", at, l.report.Records[at].Name)
}
