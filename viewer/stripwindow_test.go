package viewer_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

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

// The legend has the means of the frames that a lens chooses, as the table, however old these are.
func TestTheLegendHasTheMeansOfALens(t *testing.T) {
	s := newSteps(t, 1000, "update", "render")
	for i := range 900 {
		switch {
		case i%300 == 100:
			s.frame(30, 2)
		case i == 50: // the frame shown
			s.frame(40, 7)
		default:
			s.frame(3, 2)
		}
	}
	p := s.panel()
	s.Pause()
	s.View().ShowFrame(50)
	s.View().SetLens(report.Lens{Kind: report.LensOver})
	words := settled(t, p, 1280, 720, 1).AppendWords(nil)
	want := map[string]string{"update": "32.50", "render": "3.25"} // (3·30 + 40)/4, (3·2 + 7)/4
	for name, value := range want {
		found := false
		for _, w := range words {
			for _, v := range words {
				beside := w.Text == name && v.Baseline == w.Baseline && v.X0 > w.X1 && v.X0 < w.X1+250
				found = found || beside && v.Text == value && w.X0 > 880
			}
		}
		if !found {
			t.Errorf("got no %s of %s in the legend; want the mean of the late frames", value, name)
		}
	}
}
