//go:build !iprof_off

package viewer_test

import (
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// rest draws until nothing moves.
func rest(p *viewer.Panel) {
	var l draw.List
	for i := 0; i == 0 || p.Settling() && i < 300; i++ {
		l.Reset()
		p.Draw(&l, 1280, 720, 1)
	}
}

// middle returns the time in the middle of the timeline, ms from the beginning of the frame shown.
func middle(d *demo, p *viewer.Panel) float64 {
	from, to, _ := span(p)
	return (from + to) / 2 * float64(d.memory[d.at()].Length)
}

func TestTimelineFindsOccurrencesInAllFrames(t *testing.T) {
	d := newDemo()
	paused(d, nil)
	p := onTimeline(d, viewer.TimelineShown, 1280, 720, 1)
	d.view.Cursor = rowOf(t, d, "gbuffer")
	rest(p)
	viewer.Zoom(p, 640, 8)
	rest(p)
	var want []float64
	for _, s := range d.AppendTimelineRange(nil, 0, d.view.Age, neighbours, neighbours) {
		if s.Zone == report.ZoneID(d.find("gbuffer")) {
			want = append(want, (s.Begin+s.End)/2)
		}
	}
	if len(want) < 5 {
		t.Fatalf("got %d scopes of gbuffer in 7 frames; want some in most", len(want))
	}
	var got []float64
	for range len(want) + 2 {
		p.Run("previous-occurrence")
		rest(p)
	}
	for i := range want {
		got = append(got, middle(d, p))
		if math.Abs(got[i]-want[i]) > 1.5 {
			t.Errorf("scope %d: got the middle at %.2f ms; want %.2f", i, got[i], want[i])
		}
		p.Run("next-occurrence")
		rest(p)
	}
	if got := middle(d, p); math.Abs(got-want[len(want)-1]) > 1.5 {
		t.Errorf("after the last: got the middle at %.2f ms; want it to stay at %.2f", got, want[len(want)-1])
	}
}

func TestTimelineShowsTheWholeHistory(t *testing.T) {
	d := newDemo()
	paused(d, nil)
	p := onTimeline(d, viewer.TimelineShown, 1280, 720, 1)
	rest(p)
	p.Run("fit-history")
	rest(p)
	frames := d.AppendTimelineFrames(nil, d.view.Age, neighbours, neighbours)
	length := float64(d.memory[d.at()].Length)
	from, to, _ := span(p)
	if math.Abs(from*length-frames[0].Begin) > 1e-6 || math.Abs(to*length-frames[len(frames)-1].End) > 1e-6 {
		t.Errorf("got %.3f to %.3f ms; want all frames, %.3f to %.3f", from*length, to*length, frames[0].Begin,
			frames[len(frames)-1].End)
	}
}

func TestTimelineRuler(t *testing.T) {
	d := newDemo()
	paused(d, nil)
	p := onTimeline(d, viewer.TimelineLarge, 1280, 720, 1)
	rest(p)
	viewer.StartRuler(p, 400, 690)
	viewer.DragRuler(p, 800, 690)
	length := float64(d.memory[d.at()].Length)
	first := p.State().Ruler
	if first <= 0.2*length || first >= 0.6*length {
		t.Errorf("got %.3f ms of %.3f; want about a third", first, length)
	}
	viewer.Zoom(p, 600, 2)
	d.view.Age--
	rest(p)
	if got := p.State().Ruler; got != first {
		t.Errorf("zoomed, another frame: got %.3f ms; want %.3f", got, first)
	}
	if !viewer.Dismiss(p) || p.State().Ruler != 0 {
		t.Errorf("Escape: got %.3f ms; want no ruler", p.State().Ruler)
	}
	viewer.StartRuler(p, float32(math.NaN()), 400)
	viewer.DragRuler(p, float32(math.Inf(1)), 400)
	rest(p)
}

// rowOf returns the row of a zone.
func rowOf(t *testing.T, d *demo, zone string) int {
	t.Helper()
	var r report.Report
	d.AppendReport(&r)
	for i := range r.Records {
		if r.Records[i].Zone == report.ZoneID(d.find(zone)) {
			return i
		}
	}
	t.Fatalf("no row of %s", zone)
	return -1
}

// One scope alone is marked as the found one: of the zone, the lane and the level, and in its time.
func TestOnlyTheFoundScopeIsMarked(t *testing.T) {
	d := newDemo()
	paused(d, nil)
	p := onTimeline(d, viewer.TimelineLarge, 1280, 720, 1)
	accent := draw.PaletteOf(p.Options().Theme).Accent
	upper := func() (n int) { // edges of borders, which are one pixel high
		for _, b := range boxesOf(settled(t, p, 1280, 720, 1), accent) {
			if b.Height() == 1 && p.HitAt((b.X0+b.X1)/2, b.Y0+4).Kind == hit.Timeline {
				n++
			}
		}
		return n
	}
	rest(p)
	before := upper()
	d.view.Cursor = rowOf(t, d, "gbuffer")
	p.Run("next-occurrence")
	rest(p)
	if got := upper() - before; got < 1 || got > 2 {
		t.Errorf("got %d edges of marked scopes; want those of one", got)
	}
}
