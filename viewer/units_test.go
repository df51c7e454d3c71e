package viewer_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Times of frames of 20 minutes, which files of other tools have, are in minutes and seconds wherever they stand.
func TestLongTimesHaveTheirUnit(t *testing.T) {
	const second = platform.Ticks(1e6)
	s := process.NewSession()
	for i := range 3 {
		at := platform.Ticks(i) * 1200 * second
		must.Do(t, s.WriteFrame(&gather.Frame{Index: uint64(i), Begin: at, End: at + 1200*second, TicksPerSecond: 1e6,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "wait", Idle: true}, {Name: "work"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: at, End: at + 1200*second,
				Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: 660 * second},
					{ID: 2, Zone: 2, Count: 1, Self: 540 * second}}}}}))
	}
	s.View().SetAverage(report.AverageInstant)
	s.Pause()
	p, words := waitingWords(s)
	all := ""
	for _, w := range words {
		all += w.Text + "|"
	}
	for _, want := range []string{"|20.00|", "|min|", "9.00 busy + 11.00 waiting", "|540.0 s|", "|11.00 min|"} {
		if !strings.Contains(all, want) {
			t.Errorf("got %q; want %q in it", all, want)
		}
	}
	if long := regexp.MustCompile(`\d{5,}(\.\d+)?\|`).FindAllString(all, -1); long != nil {
		t.Errorf("got the numbers %q; want none of five digits", long)
	}
	p.Run("card")
	all = ""
	for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
		all += w.Text + "|"
	}
	if !strings.Contains(all, "|540.0s|") {
		t.Errorf("card: got %q; want 540.0s in it", all)
	}
	if long := regexp.MustCompile(`\d{5,}(\.\d+)?\|`).FindAllString(all, -1); long != nil {
		t.Errorf("card: got the numbers %q; want none of five digits", long)
	}
	p.Run("card")
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	words = settled(t, p, 1280, 720, 1).AppendWords(nil)
	all = ""
	for _, w := range words {
		all += w.Text + "|"
	}
	if !strings.Contains(all, "20.00 min|") {
		t.Errorf("one line: got %q; want 20.00 min in it", all)
	}
}

// Below a heading in seconds each bar of the call structure has its unit.
func TestBarsOfALongFrameHaveTheirUnit(t *testing.T) {
	s := newSteps(t, 300, "load", "decode")
	for range 3 {
		s.frame(32_000, 8_000)
	}
	s.Pause()
	all := ""
	for _, w := range settled(t, s.panel(), 1280, 720, 1).AppendWords(nil) {
		all += w.Text + "|"
	}
	for _, want := range []string{"|32.00 s|", "|8000.00 ms|"} {
		if !strings.Contains(all, want) {
			t.Errorf("got %q; want %q in it", all, want)
		}
	}
}

// Each column of a table has one unit, which suits its largest time and stands in its heading.
func TestAColumnOfTimesHasOneUnit(t *testing.T) {
	s := newSteps(t, 300, "load", "decode", "poll")
	for range 3 {
		s.frame(32_000, 8_000, 0.8)
	}
	s.Pause()
	s.View().SetAverage(report.AverageInstant)
	words := wordsOf(s.panel(), 1280, 900)
	for _, want := range []string{"self s", "with callees s", "32.00", "8.00", "0.00080"} {
		if !slices.Contains(words, want) {
			t.Errorf("table: got %q; want %q", words, want)
		}
	}
	var b strings.Builder
	var r report.Report
	s.View().AppendReport(&r)
	must.Do(t, text.WriteReport(&b, &r, text.Options{}))
	for _, want := range []string{" self s  with callees s ", " 32.00 ", " 8.00 ", " 0.00080 "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("text: got %s; want %q", b.String(), want)
		}
	}
	b.Reset()
	must.Do(t, html.Write(&b, s.Dump(report.DumpOptions{}), html.Options{}))
	for _, want := range []string{">self s</th>", ">with callees s</th>", "<td>24.00</td>", "<td>0.0024</td>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("page: got no %q", want)
		}
	}
	if two := regexp.MustCompile(`<td[^>]*>[0-9.]+ (ms|s|µs)</td>`).FindString(b.String()); two != "" {
		t.Errorf("page: got %s; want the unit in the heading", two)
	}
}

// A zone of some microseconds has digits wherever it stands, not 0.00 ms.
func TestShortTimesHaveDigits(t *testing.T) {
	s := newSteps(t, 300, "update", "poll", "tick", "never")
	for range 3 {
		s.frame(8, 0.0042, 0.000_05, 0)
	}
	s.Pause()
	s.View().SetAverage(report.AverageInstant)
	p := s.panel()
	words := wordsOf(p, 1280, 900)
	for _, want := range []string{"0.0042", "0.000050"} {
		if !slices.Contains(words, want) {
			t.Errorf("table: got %q; want %q", words, want)
		}
	}
	var b strings.Builder
	var r report.Report
	s.View().AppendReport(&r)
	must.Do(t, text.WriteReport(&b, &r, text.Options{}))
	for _, want := range []string{" 0.0042 ", " 0.000050 "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("text: got %s; want %q", b.String(), want)
		}
	}
	b.Reset()
	must.Do(t, html.Write(&b, s.Dump(report.DumpOptions{}), html.Options{}))
	for _, want := range []string{">0.01</td>", ">0.00015</td>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("page: got no %q", want)
		}
	}
}
