package viewer_test

import (
	"math"
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
	"example.com/iprof/viewer/hit"
)

func TestCardShowsTheCursorsZone(t *testing.T) {
	d := newDemo()
	d.view.Cursor = 7 // physics_solve
	p := panelOf(d, viewer.PanelFull)
	calls := 0
	p.Change(func(o *viewer.Options) {
		o.Source = func(zone gather.ZoneInfo) *report.Code {
			calls++
			if want := 12 + d.find("physics_solve"); zone.File != "/game/engine/physics.go" || zone.Line != want {
				t.Errorf("Source called for %+v; want line %d of physics.go", zone, want)
			}
			if calls < 3 {
				return nil
			}
			return &report.Code{Why: "not here"}
		}
	})
	p.Run("source")
	for range 5 {
		laidOut(p, 1280, 720)
	}
	if calls != 3 {
		t.Errorf("Source: got %d calls; want three, because it answered the third", calls)
	}
	p.Run("source")
	laidOut(p, 1280, 720)
	ccd := report.ZoneID(d.find("ccd"))
	if _, ok := scan(p, 1280, 720)[viewer.Hit{Kind: hit.Zone, Zone: ccd, Path: int32(ccd)}]; !ok {
		t.Error("callee on the card: got nothing; want it hit")
	}
}

// The card has the quantiles of a zone's time in the frames of the history.
func TestCardShowsQuantiles(t *testing.T) {
	s := newSteps(t, 300, "update")
	for i := range 101 {
		s.frame(float64(i*37%101) + 0.001)
	}
	s.Pause()
	p := s.panel()
	p.Run("card")
	s.View().MoveCursor(1)
	all := strings.Join(wordsOf(p, 1600, 1000), " ")
	for _, want := range []string{"min 1.0µs", "p10 10.0", "p25 25.0", "p50 50.0", "p75 75.0", "p90 90.0", "p95 95.0",
		"p99 99.0"} {
		if !strings.Contains(all, want) {
			t.Errorf("got %q; want %s ms", all, want)
		}
	}
}

// cardOf writes a frame and opens the card of its first zone.
func cardOf(t *testing.T, s *process.Session, f *gather.Frame) *viewer.Panel {
	t.Helper()
	must.Do(t, s.WriteFrame(f))
	s.View().SetAverage(report.AverageInstant)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Run("card")
	return p
}

// The card of a recursive zone has its calls at each depth.
func TestTheCardHasCallsByDepth(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1000, End: 60, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 60, Nodes: []gather.Node{{Parent: -1}}}}}
	for depth, calls := range []uint32{7, 23, 5} {
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: gather.NodeID(depth + 1), Zone: 1, Self: 20,
			Parent: int32(depth), Depth: int32(depth), Count: calls})
	}
	p := cardOf(t, s, f)
	var l draw.List
	for range 60 {
		l.Reset()
		p.Draw(&l, 1280, 900, 1)
	}
	var line strings.Builder
	for _, w := range l.AppendWords(nil) {
		line.WriteString(w.Text + " ")
	}
	if !strings.Contains(line.String(), "calls by depth 7 23 5 ") {
		t.Errorf("got no calls by depth in %q", line.String())
	}
}

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

// countedLater is a source of calls that has those of countedElsewhere once they are wanted.
type countedLater struct{ wanted bool }

func (c *countedLater) AppendCalls(dst []gather.Calls) []gather.Calls {
	if c.wanted {
		dst = countedElsewhere{}.AppendCalls(dst)
	}
	return dst
}

// A number of calls says since when they are counted.
func TestCountedCallsSaySinceWhen(t *testing.T) {
	f := &gather.Frame{Index: 41, TicksPerSecond: 1e6, End: 200_000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 200_000, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 135_000, Count: 1001}}}}}
	count := func(report.ZoneID) func() { return func() {} }
	for want, c := range map[string]process.Sources{
		"1001 in this capture, average ":      {Calls: &countedLater{true}},
		"1001 since counting began, average ": {Calls: &countedLater{true}, Count: count},
		"1001 since frame 41, average ":       {Calls: &countedLater{}, Count: count},
	} {
		s := process.NewSession()
		s.SetSources(func(of *process.Sources) { of.Calls, of.Count = c.Calls, c.Count })
		p := cardOf(t, s, f)
		settled(t, p, 1280, 900, 1)
		c.Calls.(*countedLater).wanted = true
		var words []string
		next := *f
		for range 20 { // calls are read each 15th time
			next.Index, next.Begin, next.End = next.Index+1, next.End, next.End+200_000
			must.Do(t, s.WriteFrame(&next))
			words = wordsOf(p, 1280, 900)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("got %q; want %q", words, want)
		}
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

// countedElsewhere is a source of calls of a zone: a thousand of 20 to 49 µs, and one of 100 ms.
type countedElsewhere struct{}

func (countedElsewhere) AppendCalls(dst []gather.Calls) []gather.Calls {
	k := gather.Calls{Lane: 1, Node: 1, Zone: 1}
	for i := range 1000 {
		k.Add(20 + platform.Ticks(i%30))
	}
	k.Add(100_000)
	return append(dst, k)
}

// One long call does not flatten the histogram of calls: its scale is logarithmic, and each power of ten has a label.
func TestOneLongCallDoesNotFlattenTheHistogramOfCalls(t *testing.T) {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Calls = countedElsewhere{} })
	f := &gather.Frame{TicksPerSecond: 1e6, End: 200_000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 200_000, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 135_000, Count: 1001}}}}}
	words := settled(t, cardOf(t, s, f), 1280, 900, 1).AppendWords(nil)
	var at []float64
	for _, label := range []string{"100 µs", "1.00 ms", "10.0 ms"} {
		i := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == label })
		if i < 0 {
			t.Fatalf("got no label %q in %v", label, words)
		}
		at = append(at, float64(words[i].X0))
	}
	if steps := at[1] - at[0]; steps < 40 || math.Abs(at[2]-at[1]-steps) > 3 {
		t.Errorf("got labels at %v; want equal steps of at least 40 pixels", at)
	}
}

// The card says whether its hot lines are of the frame shown alone, and its words fit a small window.
func TestTheCardSaysOfWhatItsHotLinesAre(t *testing.T) {
	for name, c := range map[string]struct {
		ofFrame bool
		want    string
	}{
		"of some seconds": {false, "hot lines: 412 samples, 10 % in no zone"},
		"of the frame":    {true, "frame: 412 samples, 10 % in no zone"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDemo()
			p := panelOf(d, viewer.PanelFull)
			paused(d, p)
			d.view.Cursor, d.coded, d.hot = rowNamed(d, "physics_solve"), true, d.hotLines()
			d.hot.OfFrame = c.ofFrame
			p.Change(func(o *viewer.Options) { o.Source = d.source })
			p.Run("source")
			settled(t, p, 960, 540, 1)
			if words := wordsOf(p, 960, 540); !slices.Contains(words, c.want) {
				t.Errorf("got %q; want %q", words, c.want)
			}
		})
	}
}
