package viewer_test

import (
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The history has a band for what all other lanes did in each frame. It is the sum of their busy times, and a click on
// it chooses the frame. A lane alone has none.
func TestTheHistoryHasABandOfTheOtherLanes(t *testing.T) {
	s, p := replayed(t)
	settled(t, p, 1120, 600, 1)
	band, ok := viewer.OthersBand(p)
	if !ok {
		t.Fatal("got no band; want one, because a loader works beside the main lane")
	}
	var f report.PastFrame
	var shown []report.FrameSummary
	shown = s.AppendFrames(shown, 30)
	worked := 0
	for age := range shown {
		of := shown[len(shown)-1-age]
		if s.FrameOf(&f, 2, age); !near(float64(of.Others), f.Lane.Self) {
			t.Errorf("age %d: got %.3f ms of other lanes; want %.3f", age, of.Others, f.Lane.Self)
		}
		worked += int(of.OtherLanes)
	}
	if worked == 0 {
		t.Error("no lane worked beside the main lane")
	}
	if h := p.HitAt((band[0]+band[2])/2, (band[1]+band[3])/2); h.Kind != hit.Graph || h.Age == 0 {
		t.Errorf("in the band: got %+v; want a frame of the history", h)
	}
	pictured(t, "others", p)
	s.View().SetLane(2)
	settled(t, p, 1120, 600, 1)
	if _, ok := viewer.OthersBand(p); ok {
		t.Error("one lane: got a band of others; want none")
	}
}

func near(a, b float64) bool { return a-b < 1e-3*(1+b) && b-a < 1e-3*(1+b) }
