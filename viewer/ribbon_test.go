package viewer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// longRun returns the panel of a program with late frames of two causes.
func longRun(t *testing.T, history int) (*steps, *viewer.Panel) {
	s := newSteps(t, history, "update", "compact", "pathfind")
	for i := range 4000 {
		compact, path := 1.0, 1.0
		if i%500 == 499 {
			compact = 40
		}
		if i%777 == 300 {
			path = 30 + float64(i)/100
		}
		s.frame(6, compact, path)
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	return s, p
}

func ribbonHit(h viewer.Hit) bool { return h.Kind == hit.Ribbon }

// sight returns the numbers of the first and the last frame that the history shows.
func sight(p *viewer.Panel) (first, last uint64) {
	columns := viewer.Past(p).Columns
	return columns[0].From, columns[len(columns)-1].To - 1
}

// The window on the whole run follows the mouse, and its edges resize it.
func TestTheRibbonsWindowIsDragged(t *testing.T) {
	_, p := longRun(t, 4000)
	x0, y := find(t, p, ribbonHit)
	x1 := x0
	for p.HitAt(x1, y).Kind == hit.Ribbon {
		x1++
	}
	x0, x1 = x0+5, x1-5 // the reach of the edges
	at := func(frame float32) float32 { return x0 + frame/4000*(x1-x0) }
	drag := func(from, to float32) (first, last uint64) {
		viewer.StartRibbon(p, at(from))
		viewer.DragRibbon(p, at(to))
		viewer.EndRibbon(p)
		settled(t, p, 1280, 720, 1)
		return sight(p)
	}
	near := func(what string, got, want uint64) {
		t.Helper()
		if got+12 < want || got > want+12 {
			t.Errorf("%s: got frame %d; want about %d", what, got, want)
		}
	}
	first, last := drag(1000, 1000)
	half := uint64(viewer.Past(p).Frames / 2)
	near("a press", first, 1000-half)
	near("a press", last, 1000+half)
	first, last = drag(1000, 2000)
	near("a drag", first, 2000-half)
	near("a drag", last, 2000+half)
	first, last = drag(float32(2000-half), 500)
	near("a drag of the left edge", first, 500)
	near("a drag of the left edge", last, 2000+half)
	first, last = drag(float32(2000+half), 3000)
	near("a drag of the right edge", first, 500)
	near("a drag of the right edge", last, 3000)
	first, last = drag(1500, 9000)
	near("a drag beyond the end", first, 1500)
	near("a drag beyond the end", last, 4000)
}

// A click on a cause selects its frames, and the keys walk through them alone.
func TestKeysWalkTheFramesOfACause(t *testing.T) {
	s, p := longRun(t, 4000)
	for i, want := range map[int][]uint64{0: {3999, 3499, 2999}, 1: {3408, 2631, 1854}} {
		s.View().SetFrame(0)
		settled(t, p, 1280, 720, 1)
		x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.LateGroup && h.Index == i })
		viewer.Press(p, p.HitAt(x, y))
		for _, frame := range want {
			if i == 0 && frame == 3999 { // it is shown
				continue
			}
			p.Run("previous-late")
			settled(t, p, 1280, 720, 1)
			if got := s.View().Info().Index; got != frame {
				t.Errorf("cause %d: got frame %d; want %d", i, got, frame)
			}
		}
		p.Run("next-late")
		if got := s.View().Info().Index; got != want[1] {
			t.Errorf("cause %d, back: got frame %d; want %d", i, got, want[1])
		}
		settled(t, p, 1280, 720, 1)
		viewer.Press(p, p.HitAt(x, y)) // none is selected
	}
}

// A live history that was moved shows the same frames while others come in. At the newest frame it follows.
func TestAMovedHistoryStaysWhereItIs(t *testing.T) {
	s, p := longRun(t, 20_000)
	p.Run("history-older")
	settled(t, p, 1280, 720, 1)
	first, last := sight(p)
	if last >= 3999 {
		t.Fatalf("moved: got frames up to %d", last)
	}
	for range 100 {
		s.frame(6, 1, 1)
		settled(t, p, 1280, 720, 1)
	}
	if a, b := sight(p); a != first || b != last {
		t.Errorf("after 100 frames: got frames %d to %d; want %d to %d", a, b, first, last)
	}
	p.Run("live")
	settled(t, p, 1280, 720, 1)
	s.frame(6, 1, 1)
	settled(t, p, 1280, 720, 1)
	if _, b := sight(p); b != 4100 {
		t.Errorf("live: got frames up to %d; want the newest, 4100", b)
	}
}

// A drag with Ctrl, or with the middle button, moves the history with the mouse: to the right it shows older frames.
func TestADragMovesTheHistory(t *testing.T) {
	for name, press := range map[string]viewer.MouseEvent{"Ctrl": {Button: viewer.ButtonLeft, Control: true},
		"middle button": {Button: viewer.ButtonMiddle}} {
		_, p := longRun(t, 4000)
		first, last := sight(p)
		x, y := find(t, p, graphOf(300))
		press.Action, press.X, press.Y = viewer.MousePress, x, y
		p.Mouse(press)
		p.Mouse(viewer.MouseEvent{Action: viewer.MouseMove, X: x + 100, Y: y})
		p.Mouse(viewer.MouseEvent{Action: viewer.MouseRelease, Button: press.Button, X: x + 100, Y: y})
		settled(t, p, 1280, 720, 1)
		from, to := sight(p)
		if h := p.HitAt(x+100, y); from >= first || last-to != first-from || max(h.Age-300, 300-h.Age) > 2 {
			t.Errorf("%s: got frames %d to %d of %d to %d, age %d under the mouse; want older ones, and age 300", name,
				from, to, first, last, h.Age)
		}
	}
}

// The keys zoom to all frames and back, and none is lost.
func TestKeysZoomTheHistory(t *testing.T) {
	_, p := longRun(t, 4000)
	p.Run("history-whole")
	settled(t, p, 1280, 720, 1)
	if first, last := sight(p); first != 0 || last != 3999 {
		t.Errorf("whole: got frames %d to %d; want all", first, last)
	}
	find(t, p, graphOf(3999-3408)) // a spike
	p.Run("history-in")
	settled(t, p, 1280, 720, 1)
	if got := viewer.Past(p).Frames; got != 2560 {
		t.Errorf("zoomed in: got %d frames; want 0.64 of all", got)
	}
	p.Run("history-out")
	settled(t, p, 1280, 720, 1)
	if got := viewer.Past(p).Frames; got != 4000 {
		t.Errorf("zoomed out: got %d frames; want all", got)
	}
}

// What the ribbon says of late frames comes from all frames, and its drawing allocates nothing.
func TestTheRibbonNamesCauses(t *testing.T) {
	_, p := longRun(t, 300)
	got := map[string]report.LateGroup{}
	for _, g := range viewer.OverviewOf(p).Groups {
		got[g.Name] = g
	}
	if c := got["compact"]; c.Count != 8 || c.Every != 500 {
		t.Errorf("compact: got %+v; want 8, every 500 frames", c)
	}
	if c := got["pathfind"]; c.Count != 5 || !c.Rising {
		t.Errorf("pathfind: got %+v; want 5, rising", c)
	}
}

// A frame that was long because it waited is not over budget. The ribbon says no more than that.
func TestTheRibbonJudgesByTheBudget(t *testing.T) {
	for over, want := range map[float64]string{1: "all 400 frames: none is over budget", 40: "all 400 frames"} {
		s := newSteps(t, 400, "update", "wait for the GPU")
		s.zones[2].Idle = true
		for i := range 400 {
			if i == 300 {
				s.frame(over, 60)
				continue
			}
			s.frame(1, 10)
		}
		p := s.panel()
		settled(t, p, 1280, 720, 1)
		if words := wordsOf(p, 1280, 720); !slices.Contains(words, want) {
			t.Errorf("after %v ms of work: got %q; want %q", over, words, want)
		}
	}
}

// Groups of late frames look different, also when their names are cut, or are the same.
func TestGroupsOfLateFramesHaveDifferentNames(t *testing.T) {
	const service = "example.com/shop/internal/orders/service.Handle"
	names := []string{service + "TheFirstOfAllOrders", service + "AllOrders", "read", "read",
		service + "OneOrderOfTheDayAllOrders", service + "OneOrderOfANightAllOrders"}
	s := newSteps(t, 1000, names...)
	for i := range s.zones {
		s.zones[i].File, s.zones[i].Line = "/src/shop/orders.go", 10*i
	}
	s.zones[6].Line = s.zones[5].Line // not even their places differ
	for i := range 800 {
		ms := []float64{1, 1, 1, 1, 1, 1}
		if i > 100 && i%10 == 0 {
			ms[i/10%6] = 40 + float64(i%7)
		}
		s.frame(ms...)
	}
	p := s.panel()
	settled(t, p, 2600, 1080, 1)
	shown := map[string]bool{}
	words := settled(t, p, 2600, 1080, 1).AppendWords(nil)
	for i, w := range words {
		before, _, found := strings.Cut(w.Text, "x, every")
		if !found || i == 0 || words[i-1].Baseline != w.Baseline {
			continue
		}
		name := words[i-1].Text + " " + strings.TrimRight(before, "0123456789")
		if shown[name] {
			t.Errorf("two groups are shown as %q", name)
		}
		shown[name] = true
	}
	if len(shown) != 6 {
		t.Errorf("got groups %v; want six", shown)
	}
}

// When older frames have been read, those in sight stay, though all have other numbers.
func TestTheFramesInSightStayWhenOlderOnesAreRead(t *testing.T) {
	whole, newest := newSteps(t, 4000, "update"), newSteps(t, 4000, "update")
	for i := range 3000 {
		ms := 5 + float64(i%7)
		whole.frame(ms)
		if newest.next = uint64(i); i >= 2000 {
			newest.frame(ms)
		}
	}
	p := newest.panel()
	newest.Pause()
	newest.View().SetFrame(500)
	settled(t, p, 1280, 720, 1)
	was := viewer.Past(p).Columns[0].Index
	newest.Adopt(whole.Session)
	settled(t, p, 1280, 720, 1)
	if is := viewer.Past(p).Columns[0].Index; is != was {
		t.Errorf("frame %d is at the left edge; want still %d", is, was)
	}
}

// steps is a program of some zones, one frame at a time.
type steps struct {
	*process.Session
	t     *testing.T
	zones []gather.ZoneInfo
	next  uint64

	section gather.SectionInfo // of the frames to come
	marks   []gather.MarkInfo  // of the next frame
}

func newSteps(t *testing.T, history int, zones ...string) *steps {
	s := &steps{Session: process.NewSession(), t: t, zones: []gather.ZoneInfo{{Name: "(root)"}}}
	s.SetHistory(history, history)
	for _, name := range zones {
		s.zones = append(s.zones, gather.ZoneInfo{Name: name})
	}
	return s
}

// frame ends a frame in which each zone took some milliseconds.
func (s *steps) frame(ms ...float64) {
	s.t.Helper()
	sum := 0.0
	l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Zone: 0, Parent: -1}}}
	for i, v := range ms {
		sum += v
		l.Nodes = append(l.Nodes, gather.Node{Zone: gather.ZoneID(i + 1), ID: gather.NodeID(i + 1), Count: 1,
			Self: platform.Ticks(v * 1e6)})
	}
	l.End = platform.Ticks(sum * 1e6)
	f := gather.Frame{Index: s.next, End: l.End, TicksPerSecond: 1e9, Zones: s.zones, Lanes: []gather.LaneFrame{l},
		Section: s.section, Marks: s.marks}
	s.next, s.marks = s.next+1, nil
	must.Do(s.t, s.WriteFrame(&f))
}

// panel returns the full screen of the program.
func (s *steps) panel() *viewer.Panel {
	p := viewer.PanelFor(s.Session)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	return p
}

// find returns a place with a hit.
func find(t *testing.T, p *viewer.Panel, is func(viewer.Hit) bool) (x, y float32) {
	t.Helper()
	for y := float32(1); y < 720; y += 3 {
		for x := float32(1); x < 1280; x++ {
			if is(p.HitAt(x, y)) {
				return x, y
			}
		}
	}
	t.Fatal("nothing of that kind is drawn")
	return 0, 0
}

func graphOf(age int) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Graph && h.Age == age }
}

// One frame of 280 ms among frames of 8 ms leaves those readable.
func TestOneOutlierIsCut(t *testing.T) {
	s := newSteps(t, 300, "work")
	for range 300 {
		s.frame(8)
	}
	s.frame(280)
	for range 100 {
		s.frame(8)
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	if got := viewer.Scale(p); got > 80 {
		t.Errorf("one of 280 ms among 8 ms: got a scale up to %v ms; want at most the next step above three budgets",
			got)
	}
	slow := newSteps(t, 300, "work")
	for range 300 {
		slow.frame(280)
	}
	p = slow.panel()
	settled(t, p, 1280, 720, 1)
	if got := viewer.Scale(p); got < 280 {
		t.Errorf("all of 280 ms: got a scale up to %v ms; want one that reaches them", got)
	}
}

func TestWheelZoomsTheHistory(t *testing.T) {
	s := newSteps(t, 20_000, "work")
	for i := range 4000 {
		if i == 1234 {
			s.frame(40)
		}
		s.frame(8)
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	x, _ := find(t, p, graphOf(100))
	viewer.ZoomHistory(p, x, 0, 100)
	settled(t, p, 1280, 720, 1)
	if got := viewer.Past(p).Frames; got != 30 {
		t.Errorf("zoomed far in: got %d frames; want 30", got)
	}
	for range 3 {
		viewer.ZoomHistory(p, x, 0, -50)
		settled(t, p, 1280, 720, 1)
	}
	if got := viewer.Past(p).Frames; got != 4001 {
		t.Errorf("zoomed far out: got %d frames; want all 4001", got)
	}
	find(t, p, graphOf(4000-1234)) // the spike has a column
}

// A frame beyond those that the strip shows at first is on the strip when it is chosen.
func TestChosenFrameIsOnTheStrip(t *testing.T) {
	s := newSteps(t, 5000, "work")
	for range 3000 {
		s.frame(8)
	}
	p := s.panel()
	settled(t, p, 1280, 720, 1)
	s.Pause()
	for _, age := range []int{1200, 300, 299, 2999, 0} {
		t.Run(fmt.Sprint(age), func(t *testing.T) {
			s.View().SetFrame(age)
			settled(t, p, 1280, 720, 1)
			find(t, p, graphOf(age))
		})
	}
}

// A click near a spike is one on the spike. Elsewhere it is exact.
func TestClicksSnapToSpikes(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	settled(t, p, 1280, 720, 1)
	for _, test := range []struct{ near, want int }{{205, 204}, {133, 132}, {250, 250}, {94, 93}} {
		t.Run(fmt.Sprint(test.near), func(t *testing.T) {
			x, _ := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Axis && h.Age == test.near })
			if got := p.HitAt(x+1, 150); got.Kind != hit.Graph || got.Age != test.want {
				t.Errorf("over the column of age %d: got %d; want %d", test.near, got.Age, test.want)
			}
		})
	}
}

// While the mouse is over the history or a list, the picture stays as it is, but for the mark.
func TestThePictureHoldsStillUnderTheMouse(t *testing.T) {
	s := newSteps(t, 300, "first", "second")
	for i := range 200 {
		s.frame(float64(i%7), 5)
	}
	p := s.panel()
	for _, kind := range []hit.Kind{hit.Graph, hit.Record, hit.Icicle, hit.Legend} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			p.SetHover(nan, nan)
			settled(t, p, 1280, 720, 1)
			x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == kind })
			p.SetHover(x, y)
			settled(t, p, 1280, 720, 1)
			rows, newest := p.TableText(), viewer.Newest(p)
			for range 37 {
				s.frame(9, 2)
				settled(t, p, 1280, 720, 1)
			}
			if p.TableText() != rows || viewer.Newest(p) != newest || viewer.Behind(p) != 37 {
				t.Errorf("after 37 frames: got %v and the rows\n%s\n%d behind; want %v\n%s\n37 behind",
					viewer.Newest(p),
					p.TableText(), viewer.Behind(p), newest, rows)
			}
			p.SetHover(nan, nan)
			settled(t, p, 1280, 720, 1)
			settled(t, p, 1280, 720, 1)
			if p.TableText() == rows || viewer.Behind(p) != 0 {
				t.Errorf("without the mouse: got the old rows, %d behind; want those of now", viewer.Behind(p))
			}
		})
	}
}

// Zones whose times change places do not swap layers. A zone that becomes great takes the place of one that has been
// small for two seconds.
func TestLayersDoNotSwap(t *testing.T) {
	var names []string
	for i := range 14 {
		names = append(names, fmt.Sprint("zone ", i))
	}
	s := newSteps(t, 300, names...)
	ms := make([]float64, 14)
	step := func(frames int, great ...int) {
		for i := range ms {
			ms[i] = 0.5
		}
		ms[12], ms[13] = 0.001, 0.0005
		for _, i := range great {
			ms[i] = 3
		}
		for range frames {
			s.frame(ms...)
		}
	}
	p := s.panel()
	for range 300 {
		step(1, 1, 2)
		settled(t, p, 1280, 720, 1)
	}
	before := viewer.Layers(p)
	for range 300 {
		step(1, 5, 7)
		settled(t, p, 1280, 720, 1)
	}
	if got := viewer.Layers(p); !slices.Equal(got, before) {
		t.Fatalf("other zones are greatest: got the layers %v; want %v as before", got, before)
	}
	for range 600 {
		step(1, 12)
		settled(t, p, 1280, 720, 1)
	}
	after := viewer.Layers(p)
	kept := slices.DeleteFunc(slices.Clone(after), func(z report.ZoneID) bool { return !slices.Contains(before, z) })
	old := slices.DeleteFunc(slices.Clone(before), func(z report.ZoneID) bool { return !slices.Contains(kept, z) })
	if !slices.Contains(after, 13) || !slices.Equal(kept, old) || len(kept) < len(before)-1 {
		t.Errorf("zone 12 is great: got %v after %v; want its id, 13, and the others in their order", after, before)
	}
}

// Each cause stands once above the ribbon, also where a zone makes some frames late and others are late as usual.
func TestCausesAboveTheRibbonStandOnce(t *testing.T) {
	s := newSteps(t, 400, "update", "draw")
	for i := range 200 {
		switch {
		case i%40 == 25:
			s.frame(60, 6)
		case i%2 == 0:
			s.frame(19, 6)
		default:
			s.frame(6, 19)
		}
	}
	p := s.panel()
	s.Pause()
	settled(t, p, 1280, 720, 1)
	seen := map[string]bool{}
	for _, g := range viewer.OverviewOf(p).Groups {
		if seen[g.Name] {
			t.Errorf("got %+v; want each cause once", viewer.OverviewOf(p).Groups)
		}
		seen[g.Name] = true
	}
	if !seen["as usual"] || !seen["update"] {
		t.Errorf("got %+v; want update, and frames as usual", viewer.OverviewOf(p).Groups)
	}
}
