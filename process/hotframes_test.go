package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

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
