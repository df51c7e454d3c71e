package viewer_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// A counter of 24 MHz, as Apple's, has ticks of 41.7 ns: the card writes no decimals below them.
func TestSingleCallsOfACoarseCounterHaveItsDecimals(t *testing.T) {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Calls = countedElsewhere{} })
	f := &gather.Frame{TicksPerSecond: 24e6, End: 200_000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 200_000, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 135_000, Count: 1001}}}}}
	p := cardOf(t, s, f)
	words := settled(t, p, 1280, 900, 1).AppendWords(nil)
	if !slices.ContainsFunc(words, func(w draw.Words) bool { return w.Text == "p50 1.4 µs" }) {
		t.Errorf("got no words %q in %v", "p50 1.4 µs", words)
	}
}

// By a clock that counts milliseconds, no time of one frame has decimals: in the header, in the history and its tip, in
// the table, in the card and in tips. Averages have, and a sentence that compares with them.
func TestTimesOfOneFrameHaveTheClocksDecimals(t *testing.T) {
	s := process.NewSession()
	now := platform.Ticks(0)
	for i := range 40 {
		root, load := platform.Ticks(10+i%2*10), platform.Ticks(2+i%2*2)
		begin := now
		now += root + load
		must.Do(t, s.WriteFrame(&gather.Frame{Index: uint64(i), Begin: begin, End: now, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: begin, End: now, Nodes: []gather.Node{
				{ID: 1, Parent: -1, Self: root}, {ID: 2, Zone: 1, Self: load, Count: 1}}}}}))
	}
	s.View().SetAverage(report.AverageInstant)
	p := viewer.PanelFor(s)
	p.Run("card")
	for mode, want := range map[viewer.PanelMode][]string{
		viewer.PanelFull:           {"24", "24 busy + 0 waiting", "18.00"},
		viewer.PanelReportAndGraph: {"24", "18.00"}, viewer.PanelHUD: {"24"}} {
		p.Change(func(o *viewer.Options) { o.Mode, o.Focused = mode, true })
		seen := map[string]bool{}
		for y := float32(0); y < 900; y += 18 {
			for _, x := range []float32{100, 400, 700, 1000} {
				p.SetHover(x, y)
				l := settled(t, p, 1280, 900, 1)
				for _, w := range l.AppendWords(nil) {
					seen[w.Text] = true
				}
			}
		}
		for w := range seen {
			if finer.MatchString(w) && !strings.Contains(w, "over budget") && !strings.HasPrefix(w, "average: ") {
				t.Errorf("mode %d: got %q; want no decimals", mode, w)
			}
		}
		for _, w := range want {
			if !seen[w] {
				t.Errorf("mode %d: got no words %q in %v", mode, w, seen)
			}
		}
	}
}

// finer is a time of one of the test's frames with decimals. None of its averages has these numbers.
var finer = regexp.MustCompile(`\b(2|4|10|12|20|24)\.\d`)
