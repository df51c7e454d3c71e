package console

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/process/report"
)

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
		{"lens slowest 5", "lens slowest 5: 5 frames", report.LensSlowest},
		{"lens slowest", "lens slowest: 16 frames", report.LensSlowest},
		{"lens range 30 21", "lens range 21 to 30: 10 frames", report.LensRange},
		{"le", "lens range 21 to 30", report.LensRange},
		{"report", "average of 10 frames, 21 to 30", report.LensRange},
		{"lens off", "lens off", report.LensOff},
	} {
		if got := output(t, s, step.line); !strings.Contains(got, step.want) || s.View().Get().Lens.Kind != step.kind {
			t.Errorf("%s: got %q, lens %v; want %q, %v", step.line, got, s.View().Get().Lens.Kind, step.want, step.kind)
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
		"lens purple":      "there are off, all, over, within, slowest, range",
		"lens range 5":     "a range has two frames, by number: lens range 9 9",
		"lens all 5":       `"5" is not expected here`,
		"lens slowest few": "is no number",
		"slowest 11":       "there are 1 to 10",
		"slowest first":    "is no rank",
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
	s.View().AppendReport(&p.report)
	if got := p.strip(40); !strings.Contains(got, "KEPT ") || strings.Count(got, "▄") != 5 {
		t.Errorf("got %q; want KEPT and the five bars of the history", got)
	}
}
