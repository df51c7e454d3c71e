package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Choosing a lane changes the history, the headline, mean and max to those of the lane, also while paused.
func TestAChosenLaneIsTheWholeScreen(t *testing.T) {
	s, p := replayed(t)
	settled(t, p, 1120, 600, 1)
	s.Pause()
	s.View().SetFrame(20)
	settled(t, p, 1120, 600, 1)
	s.View().SetLane(2)
	words := settled(t, p, 1120, 600, 1).AppendWords(nil)
	var names []string
	for _, zone := range viewer.Layers(p) {
		names = append(names, s.Zone(zone).Name)
	}
	slices.Sort(names)
	if want := []string{"decompress", "load chunk", "mesh"}; !slices.Equal(names, want) {
		t.Errorf("layers of the history: got %q; want %q", names, want)
	}
	var f report.PastFrame
	s.FrameOf(&f, 2, 20)
	i := s.View().Info()
	if text := string(i.AppendParts(nil, 2)); f.Lane.Self < 1 || i.Busy-f.Lane.Self > 0.001 {
		t.Errorf("headline: got %q; want %.2f busy", text, f.Lane.Self)
	} else if _, ok := textColor(words, text); !ok {
		t.Errorf("the screen does not say %q", text)
	}
}

// A zone that only other goroutines have entered is not said to be in other frames.
func TestAZoneOfOtherGoroutines(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{End: 16e6, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"},
		{Name: "decode"}}, Lanes: []gather.LaneFrame{
		{ID: 1, Name: "main", Updater: true, End: 16e6, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Count: 1, Self: 16e6}}},
		{ID: 2, Name: "worker", End: 16e6, Nodes: []gather.Node{{ID: 2, Parent: -1},
			{ID: 3, Zone: 2, Count: 1, Self: 16e6}}}}}
	must.Do(t, s.WriteFrame(f))
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	s.View().SetLane(1)
	p.Run("find")
	for _, r := range "decode" {
		viewer.Type(p, r)
	}
	var words []string
	for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
		words = append(words, w.Text)
	}
	all := strings.Join(words, "\n")
	if !strings.Contains(all, "entered on others") || strings.Contains(all, "in other frames") {
		t.Errorf("got\n%s\nwant that other goroutines have entered the zone", all)
	}
}
