package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// moving returns a panel with a timeline whose frames the test makes.
func moving(d *demo, n int) (*timedFrozen, *viewer.Panel) {
	s := &timedFrozen{frozen: &frozen{demo: d}, timed: crowd(d, n)}
	p := viewer.NewPanel(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	laidOut(p, 1280, 720)
	return s, p
}

// nameAt returns the y of a lane's name, -1 if there is none.
func nameAt(p *viewer.Panel, lane report.LaneID) float32 {
	for y := float32(0); y < 720; y++ {
		if h := p.HitAt(40, y); h.Kind == hit.TimelineLane && h.Lane == lane {
			return y
		}
	}
	return -1
}

func TestTimelineBandsKeepTheirPlaces(t *testing.T) {
	s, p := moving(newDemo(), 400)
	before := nameAt(p, 4)
	all := *s.timed
	s.timed.lanes, s.timed.scopes = append(s.timed.lanes[:1:1], s.timed.lanes[2:]...), nil
	for _, scope := range all.scopes {
		if scope.Lane != 2 && scope.Level < 2 {
			s.timed.scopes = append(s.timed.scopes, scope)
		}
	}
	for _, frames := range []uint64{1, 40} {
		t.Run(fmt.Sprint(frames), func(t *testing.T) {
			s.moves = frames
			laidOut(p, 1280, 720)
			if got := nameAt(p, 4); got != before {
				t.Errorf("%d frames after a lane ended and levels went: got lane 4 at %v; want it at %v", frames, got,
					before)
			}
		})
	}
	s.moves = 200
	laidOut(p, 1280, 720)
	if got := nameAt(p, 4); got >= before || nameAt(p, 2) >= 0 {
		t.Errorf("after 200 frames: got lane 4 at %v, lane 2 at %v; want it above %v, the other gone", got,
			nameAt(p, 2), before)
	}
	s.timed.lanes, s.timed.scopes = all.lanes, all.scopes
	s.moves = 201
	laidOut(p, 1280, 720)
	if got := nameAt(p, 4); got != before {
		t.Errorf("when they come again: got lane 4 at %v; want it at %v", got, before)
	}
}

func TestTimelineLightsUpInTheNextFrameToo(t *testing.T) {
	d := newDemo()
	s, p := moving(d, 4000)
	p.SetHover(1150, 174)
	laidOut(p, 1280, 720)
	s.timed = crowd(d, 4400)
	s.step()
	laidOut(p, 1280, 720)
	got := laidOut(p, 1280, 720)
	_, fresh := moving(d, 4400)
	fresh.SetHover(1150, 174)
	laidOut(fresh, 1280, 720)
	want := laidOut(fresh, 1280, 720)
	if len(got.V) != len(want.V) {
		t.Fatalf("got %d quads; want %d, as in a fresh panel", got.Quads(), want.Quads())
	}
	for i := range got.V {
		if got.V[i] != want.V[i] {
			t.Fatalf("vertex %d: got %+v; want %+v, as in a fresh panel", i, got.V[i], want.V[i])
		}
	}
}

func TestTimelineHitsTheLongestInAPixel(t *testing.T) {
	d := newDemo()
	s := &timed{demo: d, lanes: []timeline.Lane{{ID: 1, Name: "thin", State: timeline.Whole}}}
	for zone, at := range [...]float64{4, 4.001, 4.004, 4.005} {
		if zone > 0 {
			s.scopes[zone-1].End = at
		}
		s.scopes = append(s.scopes, timeline.Scope{Lane: 1, Zone: report.ZoneID(zone + 1), Begin: at,
			End: at + 0.001})
	}
	p := onTimeline(s, viewer.TimelineShown, 1280, 720, 1)
	first, last, at := float32(-1), float32(-1), float32(-1)
	for y := float32(300); y < 420; y += 5 {
		for x := float32(380); x < 420; x += 0.0625 {
			if h := p.HitAt(x, y); h.Kind == hit.Timeline && h.Zone >= 0 {
				if first < 0 {
					first = x
				}
				last, at = x, y
			}
		}
	}
	for x := first + 0.8; x < last-0.8; x += 0.0625 {
		if h := p.HitAt(x, at); h.Zone != 2 || h.Lane != 1 {
			t.Errorf("at %v, from %v to %v: got %+v; want zone 2, the longest within the pixel", x, first, last, h)
		}
	}
	if last-first < 2 {
		t.Errorf("got scopes from %v to %v; want them for a pixel round about", first, last)
	}
}
