package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The line of the HUD has the length that 99 % of the frames do not exceed.
func TestTheLineHasP99(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	want := fmt.Sprintf("%.1f", s.View().Info().P99)
	var words []string
	for _, w := range laidOut(p, 1120, 80).AppendWords(nil) {
		words = append(words, strings.TrimSpace(w.Text))
	}
	if line := strings.Join(words, " "); !strings.Contains(line, "p99 "+want) {
		t.Errorf("got %q; want p99 %s", line, want)
	}
}

// Each number of the line, its bars, and the numbers of the history's axis say what they are under a resting mouse.
func TestNumbersHaveTips(t *testing.T) {
	_, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Focused, o.Mode = true, viewer.PanelHUD })
	settled(t, p, 1120, 200, 1)
	titles := map[string]bool{}
	for x := float32(12); x < 900; x += 10 {
		p.SetHover(x, 20)
		settled(t, p, 1120, 200, 1)
		title, words := viewer.Tip(p)
		if title != "" && words == "" {
			t.Errorf("at %v: got the tip %q without words", x, title)
		}
		titles[title] = true
	}
	for _, want := range []string{"frame length", "busy", "waiting", "fps", "max 5 s", "p99", "overhead", "frames"} {
		if !titles[want] {
			t.Errorf("got tips %v; want %q", titles, want)
		}
	}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1120, 600, 1)
	p.SetHover(46, 168) // below the ribbon
	settled(t, p, 1120, 600, 1)
	if title, _ := viewer.Tip(p); title != "milliseconds" {
		t.Errorf("on the axis: got the tip %q; want milliseconds", title)
	}
}

// The warning about the overhead points to the sign "!" only where one is in sight.
func TestTheWarningPointsToWhatIsThere(t *testing.T) {
	d := newDemo()
	d.warn = []string{"measuring costs 5.1 % of the frame" + report.SeeMarked}
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph} {
		d.view.Mode = mode
		p := panelOf(d, viewer.PanelFull)
		pointed, signs := false, 0
		for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
			pointed = pointed || strings.Contains(w.Text, "marked")
			if w.Text == "!" {
				signs++
			}
		}
		if signs--; pointed != (signs > 0) { // one is that of the warning itself
			t.Errorf("mode %d: got a warning that points to rows: %v; want that with %d signs", mode, pointed, signs)
		}
	}
}
