package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/draw/text"
	"example.com/iprof/input"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// promised are the words the profiler is documented to know.
const promised = "pause resume toggle report tree mode show hide hud cursor select parent frame why timeline lens " +
	"slowest columns pin goroutine average recursion sort filter group waiting baseline compare memory events trace " +
	"sample calls hidden mute zone-budget limit link recording budget idle-outside history reset undo dump-html help " +
	"marks messages sections comment locks goroutines allocations"

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
		"timeline x":    "\"x\" is not a number of lines",
		"events maybe":  "no answer \"maybe\"; there are off, on",
		"limit 120%":    "\"120%\" is neither per cent nor off",
		"limit much":    "is neither per cent nor off",
		"recording 3":   "no answer",
		"calls":         "zone \"\" could be",
		"calls nobody":  "no zone \"nobody\"",
		"budget -3":     "is not a time: say 16.7, 20ms, 60fps or usual",
		"budget 0fps":   "is not a time",
		"history 1":     "is not a number of frames",
		"history 5 6":   "is not a number of frames",
		"pin nobody":    "no zone",
		"nonsense":      "no command \"nonsense\"; there are allocations, average, baseline",
		"re":            "could be recording, recursion, report, reset, resume",
		"mode purple":   "no mode \"purple\"; there are self, callees, callgraph, descendants, calltree",
		"mode 7":        "no mode",
		"cursor up":     "\"up\" is not a number",
		"cursor 1x":     "is not a number",
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
			if n < len(name) && slices.Contains(list, name[:n]) {
				continue // it is another name
			}
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

func TestTerminalAnswersLines(t *testing.T) {
	s := replayed(t, 20)
	var out strings.Builder
	must.Do(t, Terminal(context.Background(), s, strings.NewReader("mode 5\nnonsense\n\nquit\npause\n"),
		&out))
	got := out.String()
	for _, want := range []string{"sort self", "iprof> mode calltree\n", "no command \"nonsense\"", "  tree  "} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	if s.Paused() {
		t.Error("it went on after quit")
	}
	if strings.Contains(got, "\x1b") {
		t.Errorf("got escape sequences for what is no terminal: %q", got)
	}
}

func TestTerminalEndsWithItsInput(t *testing.T) {
	if err := Terminal(context.Background(), replayed(t, 3), strings.NewReader("pause"), io.Discard); err != nil {
		t.Errorf("got %v; want no error at the end of input", err)
	}
	torn := errors.New("torn")
	if err := Terminal(context.Background(), replayed(t, 3),
		io.MultiReader(strings.NewReader("pause\n"), failingReader{torn}), io.Discard); !errors.Is(err, torn) {
		t.Errorf("got %v; want %v", err, torn)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestTerminalEndsWithItsOutput(t *testing.T) {
	for k := 1; k < 4; k++ {
		err := Terminal(context.Background(), replayed(t, 3), strings.NewReader("pause\nresume\n"), &failing{k: k})
		if !errors.Is(err, errGone) {
			t.Errorf("write %d fails: got %v; want %v", k, err, errGone)
		}
	}
}

// Nothing is typed, and the program ends the page: at once, and the connection can still be read from.
func TestTerminalEndsWithItsContext(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go io.Copy(io.Discard, theirs)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := Terminal(ctx, replayed(t, 3), ours, ours); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want %v", err, context.Canceled)
	}
	go theirs.Write([]byte("x"))
	if n, err := ours.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("reading afterwards: got %d, %v; want the byte", n, err)
	}
}

func TestCommandsArrangeTheReport(t *testing.T) {
	for _, test := range []typed{
		{"sort count", "sorted by count, down", func(v report.View) bool {
			return v.Order == report.Order{Chosen: true, By: report.ColumnCount}
		}},
		{"sort count up", "sorted by count, up", func(v report.View) bool { return v.Order.Ascending }},
		{"sort zone", "sorted by zone, up", func(v report.View) bool { return v.Order.By == report.ColumnName }},
		{"sort hier_max_ms;sort usual", "sorted as usual", func(v report.View) bool { return !v.Order.Chosen }},
		{"sort count;sort self", "sorted by self time", func(v report.View) bool { return !v.Order.Chosen }},
		{"baseline;sort delta_ms", "sorted by delta_ms, down",
			func(v report.View) bool { return v.Order.By == report.ColumnDelta }},
		{"sort zone;cursor 0", "cursor 0 of 30: (root)", nil},
		{"sort zone;cursor 0;cursor +3", "cursor 3 of 30: ", nil},
		{"filter PHYS", `filter "phys": 1 of 30 rows`, func(v report.View) bool { return v.Filter == "phys" }},
		{"filter phys;filter off", "filter off", func(v report.View) bool { return v.Filter == "" }},
		{"filter", "filter off", nil},
		{"filter phys;report", `find "phys"`, nil},
		{"group package", "group package", func(v report.View) bool { return v.Grouping == report.GroupingPackage }},
		{"group package;report", "= ", nil},
		{"group package;gro off;group", "group off", nil},
		{"baseline", "compare on: vs average of 0.8 s to frame 59", func(v report.View) bool { return v.Compare }},
		{"baseline;compare off", "compare off", func(v report.View) bool { return !v.Compare }},
		{"baseline;compare off;compare on;report", "delta %", nil},
		{"compare", "compare off", nil},
	} {
		t.Run(test.lines, test.run)
	}
}

func TestWrongArrangementsSayWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"compare on": "no baseline", "sort delta_ms": "nothing is compared", "sort nonsense": "no column",
		"sort count sideways": "no direction", "group lane": "no grouping",
	} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			if err := Command(replayed(t, 3), &b, line); err == nil || !strings.Contains(b.String(), want) {
				t.Errorf("%s: got %q, error %v; want %q in both", line, b.String(), err, want)
			}
		})
	}
}

// TestComplaintsAreEscaped types what a terminal would obey, in every word that takes an argument.
func TestComplaintsAreEscaped(t *testing.T) {
	s := replayed(t, 3)
	hostile := "no such/\x1b[31m\u202e\a\x7f\r\xff.html"
	for _, word := range names() {
		for _, line := range []string{word + " " + hostile, hostile} {
			var b bytes.Buffer
			_ = Command(s, &b, line)
			if got := b.String(); strings.ContainsAny(got, "\x1b\a\r\x7f\u202e") || !utf8.ValidString(got) {
				t.Errorf("%q: got %q; want no control characters", line, got)
			}
		}
	}
}

func TestTheCommandLensChoosesFrames(t *testing.T) {
	s := replayed(t, 60)
	for _, step := range []struct {
		line, want string
		kind       report.LensKind
	}{
		{"lens", "lens off", report.LensOff},
		{"lens all", "lens all: 60 frames, ", report.LensAll},
		{"lens over", "lens over: ", report.LensOver},
		{"lens within", "lens within: ", report.LensWithin},
		{"lens worst:5", "lens worst:5: 5 frames", report.LensSlowest},
		{"lens worst", "lens worst:16: 16 frames", report.LensSlowest},
		{"lens worst:2,40-49", "lens 40-49,worst:2: 2 frames", report.LensSlowest},
		{"lens 21-30", "lens 21-30: 10 frames", report.LensRange},
		{"le", "lens 21-30", report.LensRange},
		{"report", "average of 10 frames, 21 to 30", report.LensRange},
		{"lens off", "lens off", report.LensOff},
	} {
		if got := output(t, s, step.line); !strings.Contains(got, step.want) || s.View().Get().Lens.Kind != step.kind {
			t.Errorf("%s: got %q, lens %v; want %q, %v", step.line, got, s.View().Get().Lens.Kind, step.want, step.kind)
		}
	}
}

// "by" says what rows stand for, and leaves the frames.
func TestTheCommandLensChoosesRows(t *testing.T) {
	s := replayed(t, 60)
	for _, step := range []struct {
		line, lens string
		mode       report.ReportMode
		grouping   report.Grouping
	}{
		{"lens worst:5 by package", "worst:5", report.ReportSelfTime, report.GroupingPackage},
		{"lens by path", "worst:5", report.ReportCallTree, report.GroupingNone},
		{"lens over by zone", "over", report.ReportSelfTime, report.GroupingNone},
		{`lens section:"made by hand"`, "over", report.ReportSelfTime, report.GroupingNone},
		{"lens by lane", "over", report.ReportSelfTime, report.GroupingNone},
		{"lens worst:3 by line", "worst:3", report.ReportSelfTime, report.GroupingLine},
		{"lens by frame", "worst:3", report.ReportSelfTime, report.GroupingLine},
		{"lens by route", "worst:3", report.ReportHierarchicalTime, report.GroupingNone},
		{"lens off by package", "", report.ReportSelfTime, report.GroupingPackage},
	} {
		var b bytes.Buffer
		_ = Command(s, &b, step.line)
		v := s.View().Get()
		if v.Lens.Words() != step.lens || v.Mode != step.mode || v.Grouping != step.grouping {
			t.Errorf("%s: got %s, %v, %v and %q; want %+v", step.line, v.Lens.Words(), v.Mode, v.Grouping, &b, step)
		}
	}
	var b bytes.Buffer
	if err := Command(s, &b, "lens by lanee"); err == nil || !strings.Contains(err.Error(), "the nearest is lane;") {
		t.Errorf("lens by lanee: got %v", err)
	}
	frames := s.AppendFrames(nil, math.MaxInt)
	for _, words := range []string{"worst:3", "10-20", "within", "over,worst:5"} {
		lens := must.Get(s.View().ParseFrames(words))(t)
		want := lens.Choose(frames)
		report.SortBySlowness(want)
		var got []string
		for line := range strings.SplitSeq(output(t, s, "lens "+words+" by frame"), "\n") {
			if fields := strings.Fields(strings.ReplaceAll(line, ",", " ")); len(fields) > 2 && fields[1] == "frame" {
				got = append(got, fields[2])
			}
		}
		if len(got) != min(len(want), 16) || got[0] != fmt.Sprint(want[0].Index) {
			t.Errorf("lens %s by frame: got %q; want %d, the slowest %d", words, got, len(want), want[0].Index)
		}
		lanes := output(t, s, "lens "+words+" by lane")
		for _, l := range s.View().AppendLanes(nil) {
			if !strings.Contains(lanes, l.Name) {
				t.Errorf("lens %s by lane: got no %s in %s", words, l.Name, lanes)
			}
		}
	}
}

func TestSlowestOfTheConsole(t *testing.T) {
	s := replayed(t, 60)
	list := output(t, s, "slowest")
	if got := strings.Count(list, "\n"); got != 15 || !strings.HasPrefix(list, "1  frame 45") {
		t.Errorf("got\n%s\nwant 16 frames, 45 first", list)
	}
	second := s.AppendSlowest(nil)[1].Index
	if output(t, s, "slowest 2"); s.View().Info().Index != second || !s.Paused() {
		t.Errorf("slowest 2: got frame %d, paused %v; want %d, paused", s.View().Info().Index, s.Paused(), second)
	}
}

func TestTheCommandColumnsChoosesColumns(t *testing.T) {
	s := replayed(t, 60)
	if got := output(t, s, "columns list"); strings.Count(got, "\n") != report.NumColumns-1 ||
		!strings.Contains(got, "self_p999_ever_ms\n") {
		t.Errorf("got\n%s\nwant every column on a line", got)
	}
	if got := output(t, s, "columns hier_p99_ms hier_ms call_p5"); got != "columns hier_ms hier_p99_ms call_p50_ms" {
		t.Errorf("got %q; want the three", got)
	}
	got := output(t, s, "report")
	for _, want := range []string{"p99", "call p50", "-\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
	if got := output(t, s, "columns for time"); !strings.Contains(got, "hier_p99_ms") {
		t.Errorf("columns for time: got %q; want p99 among them", got)
	}
	if got := output(t, s, "columns usual"); got != "columns usual" || !s.View().Get().Columns.Empty() {
		t.Errorf("got %q, %b; want the usual", got, s.View().Get().Columns)
	}
}

func TestComplaintsOfLenses(t *testing.T) {
	s := replayed(t, 10)
	for line, want := range map[string]string{
		"lens purple":      `"purple" chooses no frames; there are 100-200, `,
		"lens vorst":       "did you mean worst?",
		"lens 5-":          "want the number of a frame, or two as in 100-200",
		"lens worst:few":   "want a number of frames, such as worst:10",
		"lens section:one": "the program marked no sections",
		"slowest 11":       "there are 1 to 10",
		"slowest first":    "is not a rank",
		"columns nothing":  "no column",
		"columns self":     "could be ",
		"columns for fun":  "there are those for time, calls",
	} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			if err := Command(s, &b, line); err == nil || !strings.Contains(b.String(), want) {
				t.Errorf("%q: got error %v and answer %q; want an error and %q", line, err, b.String(), want)
			}
		})
	}
}

func TestPageOfAKeptFrame(t *testing.T) {
	s := replayed(t, 60)
	slowest := s.AppendSlowest(nil)[0].Index
	s.SetHistory(5, 5)
	s.View().ShowFrame(slowest)
	p := &page{session: s, unicode: true}
	p.takeReport(40)
	if got := p.strip(40, 1)[0]; !strings.Contains(got, "KEPT ") || strings.Count(got, "▄") != 35 {
		t.Errorf("got %q; want KEPT and the bars of the history, over all cells", got)
	}
}

func TestBytesOfATerminalAreKeys(t *testing.T) {
	for bytes, want := range map[string]stroke{
		"a":          {key: 'A', char: 'a'},
		"L":          {key: 'L', mods: input.ModShift, char: 'L'},
		"?":          {key: input.KeySlash, mods: input.ModShift, char: '?'},
		"[":          {key: input.KeyLeftBracket, char: '['},
		"5":          {key: '5', char: '5'},
		" ":          {key: input.KeySpace, char: ' '},
		"\r":         {key: input.KeyEnter},
		"\n":         {key: input.KeyEnter},
		"\x7f":       {key: input.KeyBackspace},
		"\x08":       {key: input.KeyBackspace},
		"\x03":       {key: 'C', mods: input.ModControl, char: 3},
		"é":          {char: 'é'},
		"\x1b[A":     {key: input.KeyUp},
		"\x1bOB":     {key: input.KeyDown},
		"\x1b[1;2D":  {key: input.KeyLeft, mods: input.ModShift},
		"\x1b[1;6C":  {key: input.KeyRight, mods: input.ModShift | input.ModControl},
		"\x1b[1;3C":  {key: input.KeyRight, mods: input.ModAlt},
		"\x1b[H":     {key: input.KeyHome},
		"\x1b[4~":    {key: input.KeyEnd},
		"\x1b[8~":    {key: input.KeyEnd},
		"\x1b[5~":    {key: input.KeyPageUp},
		"\x1b[6;2~":  {key: input.KeyPageDown, mods: input.ModShift},
		"\x1b[99~":   {},
		"\x1b[?1;2c": {},
		"\x1b":       {key: input.KeyEscape},
	} {
		t.Run(bytes, func(t *testing.T) {
			for cut := range len(bytes) + 1 {
				var d decoder
				var got []stroke
				for _, part := range []string{bytes[:cut], bytes[cut:]} {
					if part != "" { // nothing means that time has passed
						got = append(got, d.add([]byte(part))...)
					}
				}
				got = append(got, d.add(nil)...)
				if want == (stroke{}) && len(got) == 0 {
					continue
				}
				if len(got) != 1 || got[0] != want {
					t.Errorf("%q in two parts at %d: got %+v; want %+v", bytes, cut, got, want)
				}
			}
		})
	}
}

func TestSeveralKeysComeAtOnce(t *testing.T) {
	var d decoder
	got := d.add([]byte("j\x1b[A\x1b[Bq"))
	want := []stroke{{key: 'J', char: 'j'}, {key: input.KeyUp}, {key: input.KeyDown}, {key: 'Q', char: 'q'}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// An escape that nothing follows in time is the key; what comes later is by itself.
func TestEscapeAlone(t *testing.T) {
	var d decoder
	if got := d.add([]byte("\x1b")); len(got) != 0 {
		t.Errorf("at once: got %+v; want to wait for what may follow", got)
	}
	if got := d.add(nil); len(got) != 1 || got[0].key != input.KeyEscape {
		t.Errorf("after a while: got %+v; want Escape", got)
	}
	if got := d.add([]byte("[")); len(got) != 1 || got[0].key != input.KeyLeftBracket {
		t.Errorf("then [: got %+v; want the bracket", got)
	}
}

func FuzzDecoder(f *testing.F) {
	for _, s := range []string{"", "\x1b", "\x1b[", "\x1b[1;2", "\x1bO", "\xff\xfe", "\x1b\x1b[A", "\x1b[\x03", "日本",
		"\x1b[11111111111111111111111111111111111111"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, bytes []byte, step int) {
		step = max(1, step&15)
		var d decoder
		strokes := 0
		for i := 0; i < len(bytes); i += step {
			strokes += len(d.add(bytes[i:min(len(bytes), i+step)]))
			if len(d.pending) > 64 {
				t.Fatalf("%d bytes are kept", len(d.pending))
			}
		}
		strokes += len(d.add(nil))
		if d.pending != "" || strokes > len(bytes) {
			t.Errorf("got %d strokes of %d bytes, and %q left; want nothing left", strokes, len(bytes), d.pending)
		}
	})
}

// failing fails at the k-th write.
type failing struct{ k int }

var errGone = errors.New("peer gone")

func (f *failing) Write(p []byte) (int, error) {
	if f.k--; f.k <= 0 {
		return 0, errGone
	}
	return len(p), nil
}

func TestFailingWriter(t *testing.T) {
	for _, line := range append(names(), "nonsense", "lane 77", "help mode") {
		if line == "dump-html" {
			continue // in TestDumpHTML
		}
		for k := 1; ; k++ {
			w := &failing{k: k}
			err := Command(replayed(t, 10), w, line)
			if w.k > 0 {
				break // it needs fewer writes
			}
			if !errors.Is(err, errGone) {
				t.Errorf("%s, write %d fails: got %v; want %v", line, k, err, errGone)
			}
		}
	}
}

func FuzzCommand(f *testing.F) {
	for _, name := range names() {
		f.Add(name)
		f.Add(name + " 1")
	}
	for _, name := range sampledump.HostileNames {
		f.Add("select " + name[:min(len(name), 2000)])
	}
	s := replayed(f, 10)
	f.Fuzz(func(t *testing.T, line string) {
		if typed, _, _ := strings.Cut(strings.TrimSpace(line), " "); len(typed) > 0 &&
			strings.HasPrefix("dump-html", strings.ToLower(typed)) {
			return // writes files
		}
		var b bytes.Buffer
		_ = Command(s, &b, line)
		for _, r := range b.String() {
			if r != '\n' && text.Name(string(r)) != string(r) && r != '\\' && r != ' ' {
				t.Fatalf("%q: the answer has %U: %q", line, r, b.String())
			}
		}
	})
}
