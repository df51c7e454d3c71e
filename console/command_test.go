package console

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// promised are the words the profiler is documented to know.
const promised = "pause resume toggle report tree mode show hide hud cursor select parent frame why timeline lens " +
	"slowest columns pin goroutine average recursion sort filter group waiting baseline compare memory events trace " +
	"sample calls hidden mute zone-budget limit recording budget idle-outside history reset undo dump-html help " +
	"marks messages sections comment"

func TestAllWordsAreThere(t *testing.T) {
	got, want := names(), strings.Fields(promised)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got words %q; want %q", got, want)
	}
	help := output(t, replayed(t, 3), "help")
	for _, w := range typedCommands() {
		name := nameOf(&w)
		if !strings.Contains(help, name) || w.Says() == "" || !strings.Contains(help, w.Says()) {
			t.Errorf("help has no line for %q:\n%s", name, help)
		}
		line := help[max(strings.Index(help, "\n"+name+" "), 0):]
		if line, _, _ = strings.Cut(strings.TrimPrefix(line, "\n"), "\n"); strings.Index(line, w.Says()) != 49 {
			t.Errorf("got the line %q; want its text in column 50, as the others", line)
		}
	}
}

// typed is a test of lines of text, divided by semicolons: part of the last answer, and what the view is then.
type typed struct {
	lines, want string
	check       func(report.View) bool
}

func (test typed) run(t *testing.T) {
	s := replayed(t, 60)
	got := ""
	for _, line := range strings.Split(test.lines, ";") {
		got = output(t, s, line)
	}
	if !strings.Contains(got, test.want) {
		t.Errorf("%s: got %q; want %q in it", test.lines, got, test.want)
	}
	if test.check != nil && !test.check(s.View().Get()) {
		t.Errorf("%s: got view %+v", test.lines, s.View().Get())
	}
}

func TestCommandsChangeTheView(t *testing.T) {
	for _, test := range []typed{
		{"mode tree", "mode calltree", func(v report.View) bool { return v.Mode == report.ReportCallTree }},
		{"mode calltree", "mode calltree", func(v report.View) bool { return v.Mode == report.ReportCallTree }},
		{"mode 2", "mode callees", func(v report.View) bool { return v.Mode == report.ReportHierarchicalTime }},
		{"mo d", "mode descendants", func(v report.View) bool { return v.Mode == report.ReportCallGraphDescendants }},
		{"mode", "mode self", nil},
		{"sort hier", "sorted by time with callees", func(v report.View) bool {
			return v.Mode == report.ReportHierarchicalTime
		}},
		{"sort;sort", "sorted by self time", func(v report.View) bool { return v.Mode == report.ReportSelfTime }},
		{"average instant", "average instant", func(v report.View) bool {
			return v.Average == report.AverageInstant
		}},
		{"average l", "average long", func(v report.View) bool { return v.Average == report.AverageLong }},
		{"recursion spread", "recursion spread", func(v report.View) bool {
			return v.Recursion == report.RecursionSpread
		}},
		{"cursor 3", "cursor 3 of 30: cascade", func(v report.View) bool { return v.Cursor == 3 }},
		{"cursor 3;cursor +2;cursor -1", "cursor 4 of 30: mesh", nil},
		{"frame 5", "5 ago", func(v report.View) bool { return v.Age == 5 }},
		{"frame -3;frame +1", "2 ago", func(v report.View) bool { return v.Age == 2 }},
		{"frame oldest", "59 ago", nil},
		{"frame slowest", "frame 45, 14 ago", nil},
		{"frame slowest;frame live", "frame 59, 0 ago", func(v report.View) bool { return v.Age == 0 }},
		{"select broadphase", "call graph of broadphase",
			func(v report.View) bool { return v.Mode == report.ReportCallGraph }},
		{"select broadphase;parent", "call graph of physics_solve", nil},
		{"SEL load", "call graph of load chunk", nil},
		{"cursor 1;select", "call graph of clustered", nil},
		{"lane loader", "shows loader", func(v report.View) bool { return v.Lane == 2 }},
		{"goroutine 1", "shows main", func(v report.View) bool { return v.Lane == 1 }},
		{"lane 1;goroutine all", "shows all goroutines", func(v report.View) bool { return v.Lane == 0 }},
		{"memory", "frame 59: ", nil},
		{"memory zone", "memory off", nil}, // it is not this session that measures
		{"help mode", "mode [MODE]", nil},
		{"reset", "all measurements forgotten; undo brings them back for a minute", nil},
		{"hidden cascade;report", "1 hidden", func(v report.View) bool { return len(v.Hidden) == 1 }},
		{"hidden cascade", "hidden: cascade", nil},
		{"hidden cascade;hidden cascade", "no zone is hidden", nil},
		{"hidden cascade;hidden mesh;show-zones", "show-zones", func(v report.View) bool {
			return v.Hidden == nil
		}},
		{"reset;undo", "are back", func(v report.View) bool { return v.Age == 0 }},
		{"undo", "nothing to bring back", nil},
		{"   ", "", nil},
	} {
		t.Run(test.lines, test.run)
	}
}

func TestPauseResumeToggle(t *testing.T) {
	s := replayed(t, 10)
	for _, step := range []struct {
		line string
		want bool
	}{{"pause", true}, {"pause", true}, {"toggle", false}, {"toggle", true}, {"resume", false}, {"frame -1", true},
		{"frame live", false}} {
		if output(t, s, step.line); s.Paused() != step.want {
			t.Errorf("after %s: got paused %v; want %v", step.line, s.Paused(), step.want)
		}
	}
}

func TestCommandsShowAndHideTheOverlay(t *testing.T) {
	s := replayed(t, 3)
	panel := viewer.PanelFor(s)
	panel.Change(func(o *viewer.Options) { o.Focused = true })
	for _, step := range []struct {
		line string
		want viewer.PanelMode
	}{
		{"show", viewer.PanelReportAndGraph}, {"hud", viewer.PanelHUD}, {"show full", viewer.PanelFull},
		{"show hud", viewer.PanelHUD}, {"show report", viewer.PanelReportAndGraph}, {"hide", viewer.PanelOff},
	} {
		if output(t, s, step.line); panel.Options().Mode != step.want {
			t.Errorf("after %s: got panel mode %v; want %v", step.line, panel.Options().Mode, step.want)
		}
	}
	if panel.Options().Focused {
		t.Error("the hidden overlay has kept the keys; want them given back")
	}
}

func TestTheCommandResetForgetsFrames(t *testing.T) {
	s := replayed(t, 10)
	output(t, s, "reset")
	if got := s.View().Info().Frames; got != 0 {
		t.Errorf("after reset: got %d frames; want 0", got)
	}
}

func TestReportAndTree(t *testing.T) {
	s := replayed(t, 60)
	for line, want := range map[string]string{"report": "sort self", "report 2": "sort with callees",
		"tree": "top zones by self time"} {
		t.Run(line, func(t *testing.T) {
			if got := output(t, s, line); !strings.Contains(got, want) || !strings.Contains(got, "broadphase") {
				t.Errorf("%s: got no %q and broadphase in\n%s", line, want, got)
			}
		})
	}
	if got := s.View().Get().Mode; got != report.ReportSelfTime {
		t.Errorf("report 2 has changed the mode to %v; want it as it was", got)
	}
}

func TestWrongLinesSayWhatIsWrong(t *testing.T) {
	s := replayed(t, 10)
	for line, want := range map[string]string{
		"timeline x":    "\"x\" is no number of lines",
		"events maybe":  "no answer \"maybe\"; there are off, on",
		"limit 120%":    "\"120%\" is neither per cent nor off",
		"limit much":    "is neither per cent nor off",
		"recording 3":   "no answer",
		"calls":         "zone \"\" could be",
		"calls nobody":  "no zone \"nobody\"",
		"budget -3":     "is no time: say 16.7, 20ms, 60fps or usual",
		"budget 0fps":   "is no time",
		"history 1":     "is no number of frames",
		"history 5 6":   "is no number of frames",
		"pin nobody":    "no zone",
		"nonsense":      "no command \"nonsense\"; there are average, baseline, budget",
		"re":            "could be recording, recursion, report, reset, resume",
		"mode purple":   "no mode \"purple\"; there are self, callees, callgraph, descendants, calltree",
		"mode 7":        "no mode",
		"cursor up":     "\"up\" is no number",
		"cursor 1x":     "is no number",
		"frame tuesday": "there are live, oldest, slowest",
		"lane nobody":   "there are main, loader",
		"select nosuch": "no zone \"nosuch\"; there are ",
		"select p":      "could be ",
		"pause now":     "\"now\" is not expected here",
		"show me":       "there are hud, report, full",
		"help nonsense": "no command",
		"average 12":    "there are short, long, instant",
		"\x1b[2J":       `\x1b`,
	} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			err := Command(s, &b, line)
			if err == nil || !strings.Contains(b.String(), want) || !strings.HasPrefix(err.Error(), "console: ") {
				t.Errorf("%q: got error %v and answer %q; want an error and %q", line, err, b.String(), want)
			}
			if strings.ContainsAny(b.String(), "\x1b\x00") {
				t.Errorf("%q: the answer %q could drive a terminal", line, b.String())
			}
		})
	}
}

func TestEveryPrefixThatIsClear(t *testing.T) {
	list := names()
	for _, name := range list {
		for n := 1; n <= len(name); n++ {
			same := slices.DeleteFunc(slices.Clone(list),
				func(s string) bool { return !strings.HasPrefix(s, name[:n]) })
			at, err := viewer.Choose("command", name[:n], list)
			if clear := len(same) == 1 || n == len(name); clear != (err == nil) || clear && list[at] != name {
				t.Errorf("%q: got %d, %v; want it clear: %v", name[:n], at, err, clear)
			}
		}
	}
}

func TestDumpHTML(t *testing.T) {
	s := replayed(t, 20)
	path := filepath.Join(t.TempDir(), "a page.html")
	output(t, s, "dump-html "+path)
	page, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(page, []byte("<!DOCTYPE html>")) &&
		!bytes.Contains(page, []byte("<!doctype html>")) {
		t.Fatalf("got %v, %.80q; want a page", err, page)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("got %v, %v; want a file for its owner only", info.Mode(), err)
	}
	if err := Command(s, &bytes.Buffer{}, "dump-html "+path); !errors.Is(err, os.ErrExist) {
		t.Errorf("over a file that is there: got %v; want %v", err, os.ErrExist)
	}
	t.Setenv("TMPDIR", t.TempDir())
	answer := output(t, s, "dump-html")
	var made string
	if _, err := fmt.Sscanf(answer, "wrote %q", &made); err != nil {
		t.Fatalf("got answer %q: %v", answer, err)
	}
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
}
