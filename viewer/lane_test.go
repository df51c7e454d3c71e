package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// Choosing a lane changes the history, the headline, mean and max to those of the lane, also while paused.
func TestAChosenLaneIsTheWholeScreen(t *testing.T) {
	s, p := replayed(t)
	settled(t, p, 1120, 600, 1)
	s.Pause()
	s.SetFrame(20)
	settled(t, p, 1120, 600, 1)
	s.SetLane(2)
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
	i := s.Info()
	if text := string(i.AppendParts(nil, 2)); f.Lane.Self < 1 || i.Busy-f.Lane.Self > 0.001 {
		t.Errorf("headline: got %q; want %.2f busy", text, f.Lane.Self)
	} else if _, ok := textColor(words, text); !ok {
		t.Errorf("the screen does not say %q", text)
	}
	inBothScales(t, "lane", p)
}
