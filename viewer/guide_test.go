package viewer_test

import (
	"fmt"
	"image"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// guideTo walks to a step of the guided look.
func guideTo(p *viewer.Panel, step int) {
	p.Run("guide")
	for range step - p.State().Guide {
		viewer.Press(p, viewer.Hit{Kind: hit.Guide})
	}
}

// The guided look has six stops. It goes on and back, skips, and ends after the last.
func TestGuideGoesThroughTheScreen(t *testing.T) {
	_, p := replayed(t)
	on, back, end := viewer.Hit{Kind: hit.Guide}, viewer.Hit{Kind: hit.Guide, Index: 1},
		viewer.Hit{Kind: hit.Guide, Index: 2}
	settled(t, p, 1280, 720, 1)
	p.OfferGuide()
	settled(t, p, 1280, 720, 1)
	if got := p.State().Guide; got != 1 {
		t.Fatalf("offered: got step %d; want 1", got)
	}
	var steps []int
	for _, hit := range []viewer.Hit{on, on, back, back, on, on, on, on, on, on} {
		viewer.Press(p, hit)
		settled(t, p, 1280, 720, 1)
		steps = append(steps, p.State().Guide)
	}
	if got, want := fmt.Sprint(steps), "[2 3 2 2 3 4 5 6 7 0]"; got != want {
		t.Errorf("steps: got %s; want %s", got, want)
	}
	p.Run("guide")
	viewer.Press(p, on)
	if viewer.Press(p, end); p.State().Guide != 0 {
		t.Errorf("skipped: got step %d; want none", p.State().Guide)
	}
	p.Run("guide")
	if !viewer.Dismiss(p) || p.State().Guide != 0 {
		t.Errorf("dismissed: got step %d; want none", p.State().Guide)
	}
}

// A low screen has no call structure: its stop is left out.
func TestGuideLeavesOutWhatIsNotThere(t *testing.T) {
	_, p := replayed(t)
	settled(t, p, 640, 360, 1)
	p.Run("guide")
	for range 6 {
		settled(t, p, 640, 360, 1)
		if p.State().Guide == 5 {
			t.Error("got the stop of the call structure, which is not on the screen")
		}
		viewer.Press(p, viewer.Hit{Kind: hit.Guide})
	}
}

// The card and what it is about stay in place while frames come.
func TestGuideHoldsStill(t *testing.T) {
	s, p := replayed(t)
	frames := world.NewGame(7, s)
	for step := 2; step <= 7; step++ {
		settled(t, p, 1280, 720, 1)
		viewer.Press(p, viewer.Hit{Kind: hit.Guide, Index: 2})
		guideTo(p, step)
		settled(t, p, 1280, 720, 1)
		before := places(p)
		for range longtest.Pick(40, 4) {
			must.Do(t, frames.Step())
			var l draw.List
			p.Draw(&l, 1280, 720, 1)
			if got := places(p); got != before {
				t.Fatalf("step %d: got the card at %s; want it at %s", step, got, before)
			}
		}
	}
}

// places returns the corners of the guide's buttons.
func places(p *viewer.Panel) string {
	found := map[int]image.Rectangle{}
	for y := 0; y < 720; y += 2 {
		for x := 0; x < 1280; x += 2 {
			if h := p.HitAt(float32(x), float32(y)); h.Kind == hit.Guide && h.Index > 0 {
				found[h.Index] = found[h.Index].Union(image.Rect(x, y, x+2, y+2))
			}
		}
	}
	return fmt.Sprint(found)
}
