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

// wordsOf returns the words of a screen.
func wordsOf(p *viewer.Panel, width, height float32) (words []string) {
	for _, w := range laidOut(p, width, height).AppendWords(nil) {
		words = append(words, strings.TrimSpace(w.Text))
	}
	return words
}

func TestTheLineHasTheTimeOfTheGPU(t *testing.T) {
	for name, gpu := range map[string]bool{"with a GPU": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			s.View().SetAverage(report.AverageInstant)
			must.Do(t, s.WriteFrame(&gather.Frame{Begin: 100, End: 130, TicksPerSecond: 1000,
				Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "blur"}},
				Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 100, End: 130,
					Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 30}}},
					{ID: 2, Name: "card", Device: gpu, Begin: 100, End: 130, Nodes: []gather.Node{
						{ID: 2, Parent: -1, Self: 7}, {ID: 3, Zone: 1, Count: 1, Self: 23}}}}}))
			p := viewer.NewPanel(s.View())
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
			line := strings.Join(wordsOf(p, 1120, 80), " ")
			if strings.Contains(line, "GPU 23 ") != gpu {
				t.Errorf("got %q; want the GPU's 23: %v", line, gpu)
			}
		})
	}
}

func TestTheTimelineMarksTheLanesOfGPUs(t *testing.T) {
	d := newDemo()
	s := manyLanes(d)
	s.lanes[1].Name, s.lanes[1].Device, s.lanes[1].Drift = "card", true, -12.5e-6
	p := onTimeline(s, viewer.TimelineLarge, 1280, 720, 1)
	words := wordsOf(p, 1280, 720)
	if at := slices.Index(words, "GPU"); at < 0 || !slices.Contains(words, "card") {
		t.Errorf("got %q; want a sign GPU and the lane's name", words)
	}
	drift := func() bool {
		p.SetHover(40, nameAt(p, 2)+2)
		hurried(p)
		for range 20 { // a tip appears when the mouse has rested
			words = wordsOf(p, 1280, 720)
		}
		return slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(w, "its clock differs by -12.50 µs a second")
		})
	}
	if !drift() {
		t.Errorf("got %q; want how the clock runs", words)
	}
	s.lanes[1].Device = false
	if words := wordsOf(onTimeline(s, viewer.TimelineLarge, 1280, 720, 1), 1280, 720); slices.Contains(words, "GPU") {
		t.Error("got a sign GPU at a goroutine")
	}
}
