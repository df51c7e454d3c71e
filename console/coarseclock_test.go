package console

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowAtLast returns a session whose clock has that many ticks a millisecond. Its last frame is far slower than the
// others, which take turns.
func slowAtLast(t *testing.T, ticks platform.Ticks) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	now := platform.Ticks(0)
	for i := range 200 {
		root, load := platform.Ticks(10+i%2)*ticks+ticks/3, platform.Ticks(2)*ticks+ticks/3
		if i == 199 {
			load = 61*ticks + ticks/3
		}
		begin := now
		now += root + load
		must.Do(t, s.WriteFrame(&gather.Frame{Index: uint64(i), Begin: begin, End: now,
			TicksPerSecond: 1000 * float64(ticks), Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Marks: []gather.MarkInfo{{Lane: 1, Time: begin + root, Text: "here"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: now, Nodes: []gather.Node{
				{ID: 1, Parent: -1, Self: root}, {ID: 2, Zone: 1, Self: load, Count: 1}}}}}))
	}
	return s
}

// By a clock that counts milliseconds the verdict, what why and goroutine print, and the table of a report have no
// decimals of a frame's time. The budget has, for the program chose it, and so has the spread, which is computed.
func TestWordsOfACoarseClockHaveItsDecimals(t *testing.T) {
	coarse, fine := slowAtLast(t, 1), slowAtLast(t, 1000)
	decimals := regexp.MustCompile(`\b(1|2|10|11|61|71|72)\.\d+`)
	for line, want := range map[string]string{"why": "load: +59 ms, 61 instead of 2 +- ", "goroutine": "main, 61 ms"} {
		got := output(t, coarse, line)
		if !strings.Contains(got, want) || decimals.MatchString(got) {
			t.Errorf("%s: got %q; want %q and no decimals of the frame", line, got, want)
		}
		if got := output(t, fine, line); !decimals.MatchString(got) {
			t.Errorf("%s: got %q of a clock of microseconds; want decimals", line, got)
		}
	}
	verdict := regexp.MustCompile(`^frame 199: \+(59|60) ms\. load 61 \(usually 2\)`)
	var v report.Verdict
	if got := output(t, coarse, "why"); !coarse.VerdictOf(&v, 0) || !verdict.MatchString(strings.ToLower(v.String())) {
		t.Errorf("got %q, %q; want no decimals", got, v.String())
	}
	if got := fine.VerdictOf(&v, 0); !got || !strings.Contains(v.String(), "load 61.3 (usually 2.3)") {
		t.Errorf("got %q of a clock of microseconds; want decimals", v.String())
	}
	coarse.View().SetFrame(9)
	if got := output(t, coarse, "why"); got != "frame 190: 12 ms, usually 12: nothing unusual" &&
		got != "frame 190: 12 ms, usually 13: nothing unusual" {
		t.Errorf("got %q; want no decimals", got)
	}
}

func TestTableOfACoarseClockHasItsDecimals(t *testing.T) {
	for ticks, want := range map[platform.Ticks][]string{
		1: {" 61 ", " 11 ", "mark at 11 ms"}, 1000: {" 61.33 ", " 11.33 ", "mark at 11.33 ms"}} {
		s := slowAtLast(t, ticks)
		var r report.Report
		s.View().AppendReport(&r)
		var b bytes.Buffer
		must.Do(t, text.WriteReport(&b, &r, text.Options{}))
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%d ticks a millisecond: got no %q in\n%s", ticks, w, &b)
			}
		}
	}
}
