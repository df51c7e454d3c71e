package draw_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// scopeOf is how far the first scope of a zone that is found reaches on the screen, once it stands still.
func scopeOf(t *testing.T, d *demo, p *draw.Panel, zone string) (x0, x1, y float32) {
	t.Helper()
	paint(t, p, 1280, 720, 1)
	want := int32(d.find(zone))
	for y := float32(350); y < 480; y += 6 {
		x0, x1 := float32(-1), float32(-1)
		for x := float32(0); x < 1280; x++ {
			switch h := p.HitAt(x, y); {
			case h.Kind == draw.HitTimeline && h.Zone == want:
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
	p := onTimeline(d, draw.TimelineShown, 1280, 720, 1)
	x0, x1, y := scopeOf(t, d, p, "gbuffer")
	if x0 < 300 || x1-x0 < 100 {
		t.Fatalf("gbuffer: got it from %v to %v; want it on the screen", x0, x1)
	}
	p.ZoomTimeline(x0, 3)
	a, b, _ := scopeOf(t, d, p, "gbuffer")
	if math.Abs(float64(a-x0)) > 2 || math.Abs(float64(b-a)/float64(x1-x0)-1/0.512) > 0.05 {
		t.Errorf("zoomed at %v: got it from %v to %v; want its left edge there, and 1.95 times as wide as %v", x0, a, b, x1-x0)
	}
	p.PanTimeline(-100, 0)
	if c, _, _ := scopeOf(t, d, p, "gbuffer"); math.Abs(float64(c-(a-100))) > 2 {
		t.Errorf("panned: got its left edge at %v; want %v", c, a-100)
	}
	p.FitTimeline(a, 1)
	if a, b, _ := scopeOf(t, d, p, "gbuffer"); a != x0 || b != x1 {
		t.Errorf("fitted: got it from %v to %v; want %v to %v, as at first", a, b, x0, x1)
	}
	p.FitTimeline(x0+20, y)
	if a, b, _ := scopeOf(t, d, p, "gbuffer"); a > 131 || b < 1250 {
		t.Errorf("fitted to a scope: got it from %v to %v; want the whole width", a, b)
	}
	if a, _, _ := scopeOf(t, d, p, "simulate"); a >= 0 {
		t.Errorf("simulate: got it at %v; want it out of sight", a)
	}
	p.FitTimeline(x0+20, y)
	if from, to, rows := p.TimelineSpan(); from != 0 || to != 1 || rows != 5 {
		t.Errorf("fitted again: got %v to %v, %d rows; want the frame from 0 to 1, 5 rows", from, to, rows)
	}
	p.ZoomTimeline(float32(math.NaN()), 1000)
	p.PanTimeline(float32(math.Inf(1)), float32(math.NaN()))
	p.ScrollTimeline(-10000)
	paint(t, p, 1280, 720, 1)
}

func TestTimelineReachesTheNeighbours(t *testing.T) {
	d := newDemo()
	d.paused, d.view.Age = true, 93
	p := onTimeline(d, draw.TimelineShown, 1280, 720, 1)
	p.ZoomTimeline(600, -100)
	paint(t, p, 1280, 720, 1)
	if from, to, _ := p.TimelineSpan(); from > -1 || to < 2.5 {
		t.Errorf("zoomed out: got shares from %v to %v; want three frames beside it", from, to)
	}
	d.view.Age = 0
	paint(t, p, 1280, 720, 1)
	if from, to, _ := p.TimelineSpan(); to > 1 || from > -2 {
		t.Errorf("newest frame: got shares from %v to %v; want nothing beyond its end", from, to)
	}
}

func TestTimelineHits(t *testing.T) {
	d := newDemo()
	p := onTimeline(d, draw.TimelineLarge, 1280, 720, 1)
	found := scan(p, 1280, 720)
	kinds := map[draw.HitKind]int{}
	commands := map[string]bool{}
	for h := range found {
		kinds[h.Kind]++
		commands[h.Name] = true
	}
	if kinds[draw.HitRecord] > 0 || kinds[draw.HitIcicle] > 0 || kinds[draw.HitTimelineLane] != 3 || kinds[draw.HitTimeline] < 60 {
		t.Errorf("large: got %v; want three lanes, scopes, and neither rows nor call structure", kinds)
	}
	if !commands["timeline"] || !commands["timeline-large"] {
		t.Errorf("signs: got %v; want those that lead to the call structure and reduce", commands)
	}
	p.SetTimeline(draw.TimelineLarge + 1)
	paint(t, p, 1280, 720, 1)
	for h := range scan(p, 1280, 720) {
		kinds[h.Kind]++
	}
	if p.Timeline() != draw.TimelineHidden || kinds[draw.HitRecord] == 0 || kinds[draw.HitIcicle] == 0 {
		t.Errorf("hidden: got mode %v, %v; want rows and call structure", p.Timeline(), kinds)
	}
}

// TestTimelineLightsUpAZone compares the pictures with and without the mouse on a zone's row.
func TestTimelineLightsUpAZone(t *testing.T) {
	d := newDemo()
	p := onTimeline(d, draw.TimelineShown, 1280, 720, 1)
	x0, x1, y := scopeOf(t, d, p, "gbuffer")
	before := paint(t, p, 1280, 720, 1).RGBAAt(int(x0+x1)/2, int(y))
	for h, at := range scan(p, 1280, 720) {
		if h.Kind == draw.HitRecord && h.Zone == int32(d.find("lighting")) {
			p.SetHover(at[0], at[1])
		}
	}
	paint(t, p, 1280, 720, 1)
	m := paint(t, p, 1280, 720, 1)
	if got := m.RGBAAt(int(x0+x1)/2, int(y)); int(got.R)*2 > int(before.R)*3/2 {
		t.Errorf("gbuffer, with lighting under the mouse: got %v; want it darker than %v", got, before)
	}
	a, b, y := scopeOf(t, d, p, "lighting")
	if got := m.RGBAAt(int(a+b)/2, int(y)-2); int(got.B) < 150 {
		t.Errorf("lighting: got %v; want its colour", got)
	}
}

func TestTimelineAsksOncePerFrame(t *testing.T) {
	s := manyLanes(newDemo())
	p := onTimeline(s, draw.TimelineShown, 1280, 720, 1)
	asked := s.asked
	for i := range 10 {
		p.ZoomTimeline(500, 1)
		p.SetHover(float32(300+20*i), 380)
		laidOut(p, 1280, 720)
	}
	if s.asked != asked {
		t.Errorf("ten pictures of one frame: got asked %d times more; want none", s.asked-asked)
	}
	s.view.Age = 3
	laidOut(p, 1280, 720)
	if s.asked != asked+1 {
		t.Errorf("another frame: got asked %d times; want once", s.asked-asked)
	}
}

// zoomed goes from the whole frame to the closest there is.
func zoomed(p *draw.Panel, visit func(l *draw.List, from, to float64)) {
	for range 30 {
		for i := 0; i == 0 || p.Settling() && i < 100; i++ {
			laidOut(p, 1280, 1000)
		}
		from, to, _ := p.TimelineSpan()
		visit(laidOut(p, 1280, 1000), from, to)
		p.ZoomTimeline(631, 3)
	}
}

func TestTimelineQuadsAreBounded(t *testing.T) {
	scopes := 1_000_000
	if testing.Short() {
		scopes = 100_000
	}
	d := newDemo()
	for _, s := range []draw.Source{crowd(d, scopes), deepCrowd(d, 40, scopes/40), deepCrowd(d, 60, 300)} {
		p := onTimeline(s, draw.TimelineHidden, 1280, 1000, 1)
		without := laidOut(p, 1280, 1000).Quads()
		p.SetTimeline(draw.TimelineLarge)
		p.SetHover(640, 500)
		zoomed(p, func(l *draw.List, from, to float64) {
			if got := l.Quads() - without; got > 8000 || got < 20-without {
				t.Errorf("%g to %g: got %d quads more than without a timeline; want no more than 8,000", from, to, got)
			}
		})
	}
}

// deepCrowd is a lane with that many levels of so many scopes each.
func deepCrowd(d *demo, levels, each int) *timed {
	t := &timed{demo: d, lanes: []process.TimelineLane{{ID: 1, Name: "deep", State: process.TimelineWhole}}}
	length := float64(d.memory[d.at()].Length)
	for level := range levels {
		for i := range each {
			begin := length * float64(i) / float64(each)
			t.scopes = append(t.scopes, process.TimelineScope{Lane: 1, Zone: int32(1 + (i*7+level)%28), Level: int32(level), Begin: begin, End: begin + 0.8*length/float64(each)})
		}
	}
	return t
}

func TestTimelineSaysWhatIsTooDeep(t *testing.T) {
	quads := func(levels int) int {
		s := deepCrowd(newDemo(), levels, 1)
		return laidOut(onTimeline(s, draw.TimelineLarge, 1280, 720, 1), 1280, 720).Quads()
	}
	if deep, deeper := quads(64), quads(70); deeper != deep+len("+6deeper") {
		t.Errorf("70 levels: got %d quads; want %d, as of 64 and the words that say how many scopes are deeper", deeper, deep+8)
	}
}

func TestTimelineAllocatesNothing(t *testing.T) {
	d := &frozen{demo: newDemo()}
	s := &timedFrozen{frozen: d, timed: crowd(d.demo, 5000)}
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	p.SetTimeline(draw.TimelineShown)
	p.SetHover(500, 400)
	var l draw.List
	step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1); s.step() }
	for range 5 {
		step()
	}
	if got := testing.AllocsPerRun(20, step); got != 0 {
		t.Errorf("got %v allocations a frame; want 0", got)
	}
}

// timedFrozen is a frozen demo with a timeline, which may be another frame's each time.
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

func (f *timedFrozen) AppendReport(dst *process.Report) {
	f.frozen.AppendReport(dst)
	dst.Frame.Frames += f.moves
}

func (f *timedFrozen) AppendTimelineLanes(dst []process.TimelineLane, age int) []process.TimelineLane {
	return f.timed.AppendTimelineLanes(dst, age)
}

func (f *timedFrozen) AppendTimelineFrames(dst []process.TimelineFrame, _, _, _ int) []process.TimelineFrame {
	return append(dst, process.TimelineFrame{End: float64(f.memory[f.at()].Length)})
}

func (f *timedFrozen) AppendTimelineRange(dst []process.TimelineScope, lane uint64, age, older, newer int) []process.TimelineScope {
	return append(dst, f.timed.scopes...)
}

// BenchmarkTimeline lays the timeline out. A new frame is put in order first; of the same frame another part is looked at.
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
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	var l draw.List
	paint := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
	paint()
	without := l.Quads()
	p.SetTimeline(draw.TimelineLarge)
	paint()
	n, quads := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		s.step()
		p.ZoomTimeline(float32(200+n*37%1000), []float64{1, 1, 1, -1, -1, -1}[n%6])
		paint()
		n, quads = n+1, max(quads, l.Quads()-without)
	}
	b.ReportMetric(float64(quads), "quads")
}

// moving is a panel on a timeline whose frames the test makes.
func moving(d *demo, n int) (*timedFrozen, *draw.Panel) {
	s := &timedFrozen{frozen: &frozen{demo: d}, timed: crowd(d, n)}
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	p.SetTimeline(draw.TimelineLarge)
	laidOut(p, 1280, 720)
	return s, p
}

// nameAt is how far down a lane's name stands, -1 if nowhere.
func nameAt(p *draw.Panel, lane uint64) float32 {
	for y := float32(0); y < 720; y++ {
		if h := p.HitAt(40, y); h.Kind == draw.HitTimelineLane && h.Lane == lane {
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
		s.moves = frames
		laidOut(p, 1280, 720)
		if got := nameAt(p, 4); got != before {
			t.Errorf("%d frames after a lane ended and levels went: got lane 4 at %v; want it at %v", frames, got, before)
		}
	}
	s.moves = 200
	laidOut(p, 1280, 720)
	if got := nameAt(p, 4); got >= before || nameAt(p, 2) >= 0 {
		t.Errorf("after 200 frames: got lane 4 at %v, lane 2 at %v; want it above %v, the other gone", got, nameAt(p, 2), before)
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
	s := &timed{demo: d, lanes: []process.TimelineLane{{ID: 1, Name: "thin", State: process.TimelineWhole}}}
	for zone, at := range [...]float64{4, 4.001, 4.004, 4.005} {
		if zone > 0 {
			s.scopes[zone-1].End = at
		}
		s.scopes = append(s.scopes, process.TimelineScope{Lane: 1, Zone: int32(zone + 1), Begin: at, End: at + 0.001})
	}
	p := onTimeline(s, draw.TimelineShown, 1280, 720, 1)
	first, last, at := float32(-1), float32(-1), float32(-1)
	for y := float32(300); y < 420; y += 5 {
		for x := float32(380); x < 420; x += 0.0625 {
			if h := p.HitAt(x, y); h.Kind == draw.HitTimeline && h.Zone >= 0 {
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

// BenchmarkDrawTimeline lays out a whole screen with 60 rows, 300 frames of 12 zones, and a timeline of 5,000 scopes that are
// another frame's each time.
func BenchmarkDrawTimeline(b *testing.B) {
	f := &frozen{demo: newDemo()}
	f.demo.view.Mode = process.HierarchicalTime
	f.demo.AppendReport(&f.report)
	for len(f.report.Records) < 60 {
		f.report.Records = append(f.report.Records, f.report.Records...)
	}
	f.report.Records = f.report.Records[:60]
	s := &timedFrozen{frozen: f, timed: crowd(f.demo, 5000)}
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	p.SetKeys(demoKeys)
	p.SetTimeline(draw.TimelineShown)
	var l draw.List
	b.ReportAllocs()
	for b.Loop() {
		l.Reset()
		p.Draw(&l, 1280, 1900, 1)
		s.step()
	}
	b.ReportMetric(float64(l.Quads()), "quads")
}
