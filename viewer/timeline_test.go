package viewer_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// scopeOf returns the ends of a zone's first scope on the screen, once the timeline stands still.
func scopeOf(t *testing.T, d *demo, p *viewer.Panel, zone string) (x0, x1, y float32) {
	t.Helper()
	paint(t, p, 1280, 720, 1)
	want := report.ZoneID(d.find(zone))
	for y := float32(350); y < 480; y += 6 {
		x0, x1 := float32(-1), float32(-1)
		for x := float32(0); x < 1280; x++ {
			switch h := p.HitAt(x, y); {
			case h.Kind == hit.Timeline && h.Zone == want:
				if x0 < 0 {
					x0 = x
				}
				x1 = x
			case x0 >= 0:
				return x0, x1, y
			}
		}
	}
	return -1, -1, -1
}

func TestTimelineZoomKeepsThePlaceUnderTheMouse(t *testing.T) {
	d := newDemo()
	p := onTimeline(d, viewer.TimelineShown, 1280, 720, 1)
	x0, x1, y := scopeOf(t, d, p, "gbuffer")
	if x0 < 300 || x1-x0 < 100 {
		t.Fatalf("gbuffer: got it from %v to %v; want it on the screen", x0, x1)
	}
	viewer.Zoom(p, x0, 3)
	a, b, _ := scopeOf(t, d, p, "gbuffer")
	if math.Abs(float64(a-x0)) > 2 || math.Abs(float64(b-a)/float64(x1-x0)-1/0.512) > 0.05 {
		t.Errorf("zoomed at %v: got it from %v to %v; want its left edge there, and 1.95 times as wide as %v", x0, a,
			b, x1-x0)
	}
	viewer.Pan(p, -100, 0)
	if c, _, _ := scopeOf(t, d, p, "gbuffer"); math.Abs(float64(c-(a-100))) > 2 {
		t.Errorf("panned: got its left edge at %v; want %v", c, a-100)
	}
	viewer.RunAt(p, "fit", a, 1)
	if a, b, _ := scopeOf(t, d, p, "gbuffer"); a != x0 || b != x1 {
		t.Errorf("fitted: got it from %v to %v; want %v to %v, as at first", a, b, x0, x1)
	}
	viewer.RunAt(p, "fit", x0+20, y)
	if a, b, _ := scopeOf(t, d, p, "gbuffer"); a > 131 || b < 1250 {
		t.Errorf("fitted to a scope: got it from %v to %v; want the whole width", a, b)
	}
	if a, _, _ := scopeOf(t, d, p, "simulate"); a >= 0 {
		t.Errorf("simulate: got it at %v; want it out of sight", a)
	}
	viewer.RunAt(p, "fit", x0+20, y)
	if from, to, rows := span(p); from != 0 || to != 1 || rows != 5 {
		t.Errorf("fitted again: got %v to %v, %d rows; want the frame from 0 to 1, 5 rows", from, to, rows)
	}
	viewer.Zoom(p, float32(math.NaN()), 1000)
	viewer.Pan(p, float32(math.Inf(1)), float32(math.NaN()))
	viewer.ScrollTimeline(p, -10000)
	paint(t, p, 1280, 720, 1)
}

func TestTimelineReachesTheNeighbours(t *testing.T) {
	d := newDemo()
	d.paused, d.view.Age = true, 93
	p := onTimeline(d, viewer.TimelineShown, 1280, 720, 1)
	viewer.Zoom(p, 600, -100)
	paint(t, p, 1280, 720, 1)
	if from, to, _ := span(p); from > -1 || to < 2.5 {
		t.Errorf("zoomed out: got shares from %v to %v; want three frames beside it", from, to)
	}
	d.view.Age = 0
	paint(t, p, 1280, 720, 1)
	if from, to, _ := span(p); to > 1 || from > -2 {
		t.Errorf("newest frame: got shares from %v to %v; want nothing beyond its end", from, to)
	}
}

func TestTimelineHits(t *testing.T) {
	d := newDemo()
	p := onTimeline(d, viewer.TimelineLarge, 1280, 720, 1)
	found := scan(p, 1280, 720)
	kinds := map[hit.Kind]int{}
	commands := map[string]bool{}
	for h := range found {
		kinds[h.Kind]++
		commands[h.Name] = true
	}
	if kinds[hit.Record] > 0 || kinds[hit.Icicle] > 0 || kinds[hit.TimelineLane] != 3 ||
		kinds[hit.Timeline] < 60 {
		t.Errorf("large: got %v; want three lanes, scopes, and neither rows nor call structure", kinds)
	}
	if !commands["timeline"] || !commands["timeline-large"] {
		t.Errorf("signs: got %v; want those that lead to the call structure and reduce", commands)
	}
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge + 1 })
	paint(t, p, 1280, 720, 1)
	for h := range scan(p, 1280, 720) {
		kinds[h.Kind]++
	}
	if p.Options().Timeline != viewer.TimelineHidden || kinds[hit.Record] == 0 || kinds[hit.Icicle] == 0 {
		t.Errorf("hidden: got mode %v, %v; want rows and call structure", p.Options().Timeline, kinds)
	}
}

// TestTimelineLightsUpAZone compares the pictures with and without the mouse on a zone's row.
func TestTimelineLightsUpAZone(t *testing.T) {
	d := newDemo()
	p := onTimeline(d, viewer.TimelineShown, 1280, 720, 1)
	x0, x1, y := scopeOf(t, d, p, "gbuffer")
	before := paint(t, p, 1280, 720, 1).RGBAAt(int(x0+x1)/2, int(y))
	for h, at := range scan(p, 1280, 720) {
		if h.Kind == hit.Record && h.Zone == report.ZoneID(d.find("lighting")) {
			p.SetHover(at[0], at[1])
		}
	}
	paint(t, p, 1280, 720, 1)
	m := paint(t, p, 1280, 720, 1)
	if got := m.RGBAAt(int(x0+x1)/2, int(y)); int(got.R)*2 > int(before.R)*3/2 {
		t.Errorf("gbuffer, with lighting under the mouse: got %v; want it darker than %v", got, before)
	}
	a, b, y := scopeOf(t, d, p, "lighting")
	own := viewer.ZoneColors(p)["lighting"]
	if got := m.RGBAAt(int(a+b)/2, int(y)-2); int(got.G) < int(own.G)*3/4 || int(got.B) < int(own.B)*3/4 {
		t.Errorf("lighting: got %v; want its colour, %v", got, own)
	}
}

func TestTimelineAsksOncePerFrame(t *testing.T) {
	s := manyLanes(newDemo())
	p := onTimeline(s, viewer.TimelineShown, 1280, 720, 1)
	reads := s.reads
	for i := range 10 {
		viewer.Zoom(p, 500, 1)
		p.SetHover(float32(300+20*i), 380)
		laidOut(p, 1280, 720)
	}
	if s.reads != reads {
		t.Errorf("ten pictures of one frame: got %d more reads; want none", s.reads-reads)
	}
	s.view.Age = 3
	laidOut(p, 1280, 720)
	if s.reads != reads+1 {
		t.Errorf("another frame: got %d reads; want 1", s.reads-reads)
	}
}

// zoomed zooms from the whole frame to the shortest stretch of time.
func zoomed(p *viewer.Panel, visit func(l *draw.List, from, to float64)) {
	for range 30 {
		for i := 0; i == 0 || p.Settling() && i < 100; i++ {
			laidOut(p, 1280, 1000)
		}
		from, to, _ := span(p)
		visit(laidOut(p, 1280, 1000), from, to)
		viewer.Zoom(p, 631, 3)
	}
}

func TestTimelineQuadsAreBounded(t *testing.T) {
	scopes := 1_000_000
	if testing.Short() {
		scopes = 100_000
	}
	d := newDemo()
	for _, s := range []viewer.Source{crowd(d, scopes), deepCrowd(d, 40, scopes/40), deepCrowd(d, 60, 300)} {
		p := onTimeline(s, viewer.TimelineHidden, 1280, 1000, 1)
		without := laidOut(p, 1280, 1000).Quads()
		p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
		p.SetHover(640, 500)
		zoomed(p, func(l *draw.List, from, to float64) {
			if got := l.Quads() - without; got > 8000 || got < 20-without {
				t.Errorf("%g to %g: got %d quads more than without a timeline; want no more than 8,000", from, to, got)
			}
		})
	}
}

// deepCrowd has a lane with a number of levels, and a number of scopes on each.
func deepCrowd(d *demo, levels, each int) *timed {
	t := &timed{demo: d, lanes: []timeline.Lane{{ID: 1, Name: "deep", State: timeline.Whole}}}
	length := float64(d.memory[d.at()].Length)
	for level := range levels {
		for i := range each {
			begin := length * float64(i) / float64(each)
			t.scopes = append(t.scopes, timeline.Scope{Lane: 1, Zone: report.ZoneID(1 + (i*7+level)%28),
				Level: int32(level), Begin: begin, End: begin + 0.8*length/float64(each)})
		}
	}
	return t
}

func TestTimelineSaysWhatIsTooDeep(t *testing.T) {
	quads := func(levels int) int {
		s := deepCrowd(newDemo(), levels, 1)
		return laidOut(onTimeline(s, viewer.TimelineLarge, 1280, 720, 1), 1280, 720).Quads()
	}
	deep := quads(64)
	deeper := quads(70)
	if deeper != deep+len("+6deeper") {
		t.Errorf("70 levels: got %d quads; want %d, as of 64 and the words that say how many scopes are deeper",
			deeper, deep+8)
	}
}

func TestTimelineAllocatesNothing(t *testing.T) {
	d := &frozen{demo: newDemo()}
	s := &timedFrozen{frozen: d, timed: crowd(d.demo, 5000)}
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	p.SetHover(500, 400)
	var l draw.List
	step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1); s.step() }
	for range 5 {
		step()
	}
	if got := allocstest.PerRun(20, step); got != 0 {
		t.Errorf("got %v allocations a frame; want 0", got)
	}
}

// span returns the part of the frame that the timeline shows, and its rows of scopes.
func span(p *viewer.Panel) (from, to float64, rows int) {
	s := p.State()
	return s.TimelineFrom, s.TimelineTo, s.TimelineRows
}

// timedFrozen is a frozen demo with a timeline. The timeline may be of another frame each time.
type timedFrozen struct {
	*frozen
	timed *timed
	moves uint64
	still bool
}

func (f *timedFrozen) step() {
	if !f.still {
		f.moves++
	}
}

func (f *timedFrozen) AppendReport(dst *report.Report) {
	f.frozen.AppendReport(dst)
	dst.Frame.Frames += f.moves
}

func (f *timedFrozen) AppendTimelineLanes(dst []timeline.Lane, age int) []timeline.Lane {
	return f.timed.AppendTimelineLanes(dst, age)
}

func (f *timedFrozen) AppendTimelineFrames(dst []timeline.Frame, _, _, _ int) []timeline.Frame {
	return append(dst, timeline.Frame{End: float64(f.memory[f.at()].Length)})
}

func (f *timedFrozen) AppendTimelineRange(
	dst []timeline.Scope, lane report.LaneID, age, older, newer int,
) []timeline.Scope {
	return append(dst, f.timed.scopes...)
}

// BenchmarkTimeline lays the timeline out: each time a new frame, which must be sorted first, or another part of the
// same frame.
func BenchmarkTimeline(b *testing.B) {
	for _, scopes := range []int{5000, 1_000_000} {
		for _, fresh := range []bool{false, true} {
			name := fmt.Sprintf("scopes=%d/frame=same", scopes)
			if fresh {
				name = fmt.Sprintf("scopes=%d/frame=new", scopes)
			}
			b.Run(name, func(b *testing.B) { benchmarkTimeline(b, scopes, fresh) })
		}
	}
}

func benchmarkTimeline(b *testing.B, scopes int, fresh bool) {
	d := &frozen{demo: newDemo()}
	s := &timedFrozen{frozen: d, timed: crowd(d.demo, scopes), still: !fresh}
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	var l draw.List
	paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	paint()
	without := l.Quads()
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	paint()
	n, quads := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		s.step()
		viewer.Zoom(p, float32(200+n*37%1000), []float64{1, 1, 1, -1, -1, -1}[n%6])
		paint()
		n, quads = n+1, max(quads, l.Quads()-without)
	}
	b.ReportMetric(float64(quads), "quads")
}

// BenchmarkDrawTimeline lays out a whole screen with 60 rows, 300 frames of 12 zones, and a timeline of 5,000 scopes of
// another frame each time.
func BenchmarkDrawTimeline(b *testing.B) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = report.ReportHierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	s := &timedFrozen{frozen: f, timed: crowd(f.demo, 5000)}
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.SetKeys(usualKeys())
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p.Draw(&l, 1280, 1900, 1)
		s.step()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}

// BenchmarkTimelineMillion lays out 1,000,000 scopes, which have been read, at every zoom from all of them to a single
// one, with and without a zone under the mouse. The time is that of the whole screen.
func BenchmarkTimelineMillion(b *testing.B) {
	for _, hover := range []bool{false, true} {
		b.Run(fmt.Sprintf("hover=%v", hover), func(b *testing.B) {
			d := &frozen{demo: newDemo()}
			s := &timedFrozen{frozen: d, timed: crowd(d.demo, 1_000_000), still: true}
			p := viewer.PanelOf(s)
			p.Change(func(o *viewer.Options) { o.Mode, o.Timeline = viewer.PanelFull, viewer.TimelineLarge })
			if hover {
				p.SetHover(640, 420)
			}
			var l draw.List
			paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
			n := 0
			step := func() {
				viewer.Zoom(p, 631, float64(1-n/60%2*2))
				n++
				paint()
			}
			for range 240 {
				step()
			}
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}
