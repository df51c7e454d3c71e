package process_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The time of a callee stands at the line that calls it, and the card says what is not known.
func TestCodeTimes(t *testing.T) {
	zone := func(name, function, file string, line int) gather.ZoneInfo {
		return gather.ZoneInfo{Name: name, Function: function, File: file, Line: line}
	}
	f := &gather.Frame{End: 100, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"},
		zone("step", "game.(*World).step", "/world.go", 11), zone("inner", "game.(*World).step", "/world.go", 13),
		zone("move", "game.(*World).move.func1", "/move.go", 5), zone("collide", "game/hit.Collide[...]", "/hit.go", 7),
		zone("far", "game/net.poll", "/net.go", 9), zone("nowhere", "", "", 0)},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 100, Nodes: []gather.Node{{Parent: -1, Self: 10},
			{ID: 1, Zone: 1, Parent: 0, Depth: 1, Self: 6, Count: 1}}}}}
	for i, self := range []int{9, 30, 25, 12, 8} {
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: gather.NodeID(2 + i), Zone: gather.ZoneID(2 + i),
			Parent: 1, Depth: 2, Self: ticks(int64(self)), Count: 1})
	}
	s := process.NewSession()
	must.Do(t, s.WriteFrame(f))
	s.View().SetAverage(report.AverageInstant)
	s.View().SetCursorZone(1)
	var snap process.Snapshot
	s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
	c := &report.Code{Function: "step", First: 10, Lines: make([]string, 12), Calls: []report.CodeCall{
		{Line: 12, Function: "move"}, {Line: 15, Function: "Collide"}, {Line: 15, Function: "Collide"},
		{Line: 17, Function: "Collide"}, {Line: 18, Function: "Collide"}}}
	var got []string
	for _, at := range c.AppendTimes(nil, &snap.Around, snap.Zones) {
		got = append(got, fmt.Sprint(snap.Zones[at.Zone].Name, " ", at.Line, " ", at.Ms, " ", at.How, " ", at.More))
	}
	want := []string{
		fmt.Sprint("move 12 30 ", report.CodeCalled, " 0"),
		fmt.Sprint("collide 15 25 ", report.CodeCalled, " 2"),
		fmt.Sprint("far 0 12 ", report.CodeBelow, " 0"),
		fmt.Sprint("inner 13 9 ", report.CodeBegin, " 0"),
		fmt.Sprint("nowhere 0 8 ", report.CodeBelow, " 0"),
		fmt.Sprint("step 11 6 ", report.CodeSelf, " 0"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestCodePicksLinesWithTimes(t *testing.T) {
	c := &report.Code{First: 100, Lines: make([]string, 50)}
	times := []report.CodeTime{{Line: 140, Ms: 9}, {Line: 0, Ms: 8}, {Line: 110, Ms: 7}, {Line: 120, Ms: 1}}
	for _, test := range []struct {
		n    int
		want []int
	}{{1, []int{0}}, {3, []int{0, 10, 40}}, {6, []int{0, 1, 10, 20, 40, 41}}} {
		if got := c.Pick(nil, times, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%d lines: got %v; want %v", test.n, got, test.want)
		}
	}
	if got := c.Pick(nil, times, 50); len(got) != 50 || got[49] != 49 {
		t.Errorf("room for all: got %v; want all", got)
	}
	if got := c.Pick(nil, times, 49); len(got) != 49 || !slices.IsSorted(got) {
		t.Errorf("room for all but one: got %v; want 49 in order", got)
	}
}

func TestFunctionName(t *testing.T) {
	for function, want := range map[string]string{
		"main.main": "main", "game/world.(*World).step": "step", "game.step.func1": "step", "game.step.func2.1": "step",
		"game.Max[...]": "Max", "game.(*List[...]).Add": "Add", "game.init.0": "init", "game.(*T).run-fm": "run",
		"": "", "main": "", "game.run.gowrap1": "run", "example.com/a.b/c.f": "f", "..": "",
		"game.(*T).step-range1": "step", "game.step-range1-range2": "step", "game.step-range1.2": "step",
	} {
		if got := report.FunctionName(function); got != want {
			t.Errorf("%q: got %q; want %q", function, got, want)
		}
	}
}

func FuzzFunctionName(f *testing.F) {
	f.Add("game.(*List[...]).Add")
	f.Add("a[b")
	f.Add("]a[")
	f.Fuzz(func(t *testing.T, function string) {
		if got := report.FunctionName(function); len(got) > len(function) {
			t.Errorf("%q: got %q; want a part of it", function, got)
		}
	})
}

// hotFrames are samples of zone 1 in the frames that begin at 1000 and 1200.
func hotFrames() *report.HotZones {
	lines := func(n int) []report.HotLines {
		return []report.HotLines{{Zone: 1, Samples: n, Lines: []report.HotLine{{Function: "load", Samples: n}}}}
	}
	return &report.HotZones{Zones: lines(100), Samples: 130, Outside: 7, Frames: []report.HotFrame{
		{Begin: 1000, Zones: lines(8), Samples: 9, Outside: 1}, {Begin: 1200, Zones: lines(0), Samples: 2}}}
}

// The card has the lines of the frame shown, where it has samples of the zone, and of all frames elsewhere.
func TestHotLinesAreOfTheFrameShown(t *testing.T) {
	s := process.NewSession()
	for i := range platform.Ticks(20) {
		write(t, s, &gather.Frame{Index: uint64(i), Begin: 100 * i, End: 100*i + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 10},
				{ID: 1, Zone: 1, Count: 1, Self: 90}}}}})
	}
	s.SetSources(func(c *process.Sources) { c.Hot = hotFrames() })
	s.Pause()
	for name, c := range map[string]struct {
		look          func()
		samples       int
		ofFrame       bool
		others, outer int
	}{
		"a slow frame":                {func() { s.View().ShowFrame(10) }, 8, true, 1, 1},
		"another frame":               {func() { s.View().ShowFrame(11) }, 100, false, 30, 7},
		"no samples of the zone":      {func() { s.View().ShowFrame(12) }, 100, false, 30, 7},
		"the newest, which is a mean": {func() { s.View().ShowFrame(19) }, 100, false, 30, 7},
		"a mean over frames": {func() {
			s.View().ShowFrame(10)
			s.View().SetLens(report.Lens{Kind: report.LensAll})
		}, 100, false, 30, 7},
	} {
		t.Run(name, func(t *testing.T) {
			var snap process.Snapshot
			s.View().SetLens(report.Lens{})
			c.look()
			s.View().SetCursorZone(1)
			s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
			h := snap.Around.Hot
			if h == nil || h.Samples != c.samples || h.OfFrame != c.ofFrame || h.Others != c.others ||
				h.Outside != c.outer {
				t.Errorf("got %+v; want %d samples, of the frame: %t, %d others, %d outside", h, c.samples, c.ofFrame,
					c.others, c.outer)
			}
		})
	}
}

// The lines of one frame, if it was a slow one.
func ExampleHotZones_OfFrame() {
	h := report.HotZones{Frames: []report.HotFrame{{Begin: 1000, Samples: 5, Zones: []report.HotLines{
		{Zone: 1, Samples: 5, Lines: []report.HotLine{{Function: "main.load", Line: 88, Samples: 5}}}}}}}
	for _, l := range h.OfFrame(1000, 1).Lines {
		fmt.Println(l.Function, l.Line, l.Samples)
	}
	fmt.Println(h.OfFrame(2000, 1) == nil)
	// Output:
	// main.load 88 5
	// true
}
