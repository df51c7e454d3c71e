//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// raggedRun returns the panel of a program whose frames follow each other and have different lengths, with their
// events and a value each.
func raggedRun(t *testing.T, frames int) (*process.Session, *viewer.Panel) {
	t.Helper()
	s, events, begin := process.NewSession(), &causeEvents{}, platform.Ticks(0)
	s.SetSources(func(c *process.Sources) { c.Events = events })
	for i := range uint64(frames) {
		f := causeFrame(i)
		f.Begin = begin
		for k := range f.Lanes {
			f.Lanes[k].Begin = begin
		}
		f.Lanes[0].Nodes[nodeUpdate].Self += platform.Ticks(i*37%90) + platform.Ticks(max(int(i%23)-21, 0)*700)
		f.Counters = []gather.CounterInfo{{Name: "shots"}, {Name: "entities", Level: true}}
		f.Values = []gather.CounterValue{{Counter: 0, Value: float64(i % 7)}, {Counter: 1, Value: float64(i)}}
		closeFrame(f)
		events.frames = append(events.frames, f)
		if begin = f.End; s.WriteFrame(f) != nil {
			t.Fatal("the frame is refused")
		}
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	hurried(p)
	s.Pause()
	return s, p
}

// axisWindow is a size of the window that the tests of one axis look at.
type axisWindow struct{ width, height, scale float32 }

var axisWindows = []axisWindow{{640, 480, 1}, {1120, 700, 1}, {1920, 1080, 1}, {1400, 875, 1.25}, {2240, 1400, 2}}

// firstX returns the first x of each frame at a height, by age.
func firstX(p *viewer.Panel, width, y float32, kind hit.Kind) map[int]float32 {
	at := map[int]float32{}
	for x := float32(0); x < width; x++ {
		if h := p.HitAt(x, y); h.Kind == kind && h.Age >= 0 {
			if _, known := at[h.Age]; !known {
				at[h.Age] = x
			}
		}
	}
	return at
}

// stacked returns the first x of each frame in the history's axis, in the strip below it and in the timeline.
func stacked(p *viewer.Panel, w axisWindow) (history, strip, timeline map[int]float32) {
	x := w.width / 2
	for y := float32(0); y < w.height; y++ {
		switch h := p.HitAt(x, y); {
		case h.Kind == hit.Axis && history == nil:
			history = firstX(p, w.width, y, h.Kind)
		case h.Kind == hit.Graph && history != nil && strip == nil:
			strip = firstX(p, w.width, y, h.Kind)
		case h.Kind == hit.Timeline && h.Age >= 0 && timeline == nil:
			timeline = firstX(p, w.width, y, h.Kind)
		}
	}
	return history, strip, timeline
}

// crossedAt returns the left edges of the marks of the frame under the mouse, the same for all that is stacked.
func crossedAt(l *draw.List, strength float32) (at []float32) {
	strong := draw.PaletteOf(draw.ThemeDark).Strong
	want := draw.Fade(strong, strength)
	for i := 0; i+4 <= len(l.V); i += 4 {
		v := &l.V[i]
		if (color.NRGBA{R: v.R, G: v.G, B: v.B, A: v.A}) == want && l.V[i+2].Y-v.Y > 10 {
			at = append(at, v.X)
		}
	}
	return at
}

// With the timeline on the axis of the history, a frame begins at the same x in both and in the strip between them, and
// the frame under the mouse is marked there in each.
func TestAFrameHasOneXInAllThatIsStacked(t *testing.T) {
	for _, w := range axisWindows {
		for _, second := range []viewer.Strip{viewer.StripMemory, viewer.StripValues} {
			t.Run(fmt.Sprint(w, " ", second), func(t *testing.T) {
				_, p := raggedRun(t, 60)
				p.Change(func(o *viewer.Options) {
					o.Strip, o.Timeline = second, viewer.TimelineLarge
				})
				settled(t, p, w.width, w.height, w.scale)
				p.Run("fit-history")
				settled(t, p, w.width, w.height, w.scale)
				history, strip, timeline := stacked(p, w)
				if len(history) != 60 || len(strip) != 60 || len(timeline) != 60 {
					t.Fatalf("got %d frames in the history, %d below, %d in the timeline; want 60 in each",
						len(history), len(strip), len(timeline))
				}
				wide := map[float32]bool{}
				for age, x := range history {
					if strip[age] != x || timeline[age] != x {
						t.Errorf("age %d: got x %v in the history, %v below, %v in the timeline", age, x, strip[age],
							timeline[age])
					}
					if age > 0 {
						wide[history[age-1]-x] = true
					}
				}
				if len(wide) < 4 {
					t.Errorf("got widths %v; want them by time", wide)
				}
				marksOfTheMouse(t, p, w, history[17]+2)
			})
		}
	}
}

// marksOfTheMouse compares the marks of the frame under the mouse.
func marksOfTheMouse(t *testing.T, p *viewer.Panel, w axisWindow, x float32) {
	t.Helper()
	y := float32(0)
	for p.HitAt(x, y).Kind != hit.Axis {
		y++
	}
	p.SetHover(x, y)
	l := settled(t, p, w.width, w.height, w.scale)
	if dir := os.Getenv("IPROF_PICTURES"); dir != "" { // to look at
		save(t, filepath.Join(dir, fmt.Sprint("one-axis-", w.width, "x", w.height, ".png")),
			paint(t, p, int(w.width), int(w.height), w.scale))
	}
	strips, timeline := crossedAt(l, 0.1), crossedAt(l, 0.06)
	if len(strips) < 2 || len(timeline) != 1 {
		t.Fatalf("got marks at %v, in the timeline at %v; want two, and one", strips, timeline)
	}
	for _, x := range strips {
		if x != timeline[0] {
			t.Errorf("got marks at %v, in the timeline at %v; want the same x", strips, timeline)
		}
	}
}

// By frame, too, a frame has one x in the history and in the strip below it.
func TestAFrameHasOneXByFrame(t *testing.T) {
	for _, w := range axisWindows {
		for _, second := range []viewer.Strip{viewer.StripMemory, viewer.StripValues} {
			t.Run(fmt.Sprint(w, " ", second), func(t *testing.T) {
				_, p := raggedRun(t, 300)
				p.Change(func(o *viewer.Options) { o.Strip = second })
				settled(t, p, w.width, w.height, w.scale)
				history, strip, _ := stacked(p, w)
				for age, x := range history {
					if strip[age] != x {
						t.Errorf("age %d: got x %v in the history, %v below", age, x, strip[age])
					}
				}
				if len(history) < 250 {
					t.Errorf("got %d frames; want almost all of 300", len(history))
				}
			})
		}
	}
}

// The wheel over the history zooms both; over the timeline it ends the axis. The command does so, too, and shows what
// was there before.
func TestTheAxisOfTheHistoryFollowsAndEnds(t *testing.T) {
	_, p := raggedRun(t, 120)
	w := axisWindow{1280, 720, 1}
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	see := func() (history, timeline int, same bool) {
		settled(t, p, w.width, w.height, w.scale)
		a, _, b := stacked(p, w)
		same = len(b) > 1
		for age, x := range b {
			same = same && a[age] == x
		}
		return len(a), len(b), same
	}
	see()
	p.Run("fit-history")
	if n, m, same := see(); n != 120 || m != 120 || !same {
		t.Errorf("got %d frames in the history, %d in the timeline, at the same x: %v; want 120", n, m, same)
	}
	viewer.ZoomHistory(p, 800, 0, 4)
	if n, m, same := see(); n > 80 || m != n || !same {
		t.Errorf("zoomed: got %d frames in the history, %d in the timeline, at the same x: %v", n, m, same)
	}
	viewer.ScrollTimeline(p, 1)
	if _, _, same := see(); !same {
		t.Error("lanes scrolled: got another axis; want the same")
	}
	p.Run("fit-history")
	if _, m, _ := see(); m != 1 || viewer.Past(p).Frames != 120 {
		t.Errorf("once more: got %d frames in the timeline, %d in the history; want 1, and 120 as before", m,
			viewer.Past(p).Frames)
	}
	p.Run("fit-history")
	see()
	viewer.Zoom(p, 800, 3)
	if _, _, same := see(); same {
		t.Error("the timeline zoomed: got the same axis; want its own")
	}
}

// Drawing on one axis allocates nothing.
func TestOneAxisAllocatesNothing(t *testing.T) {
	_, p := raggedRun(t, 120)
	p.Change(func(o *viewer.Options) { o.Timeline, o.Strip = viewer.TimelineLarge, viewer.StripValues })
	settled(t, p, 1280, 720, 1)
	p.Run("fit-history")
	var l draw.List
	step := func() { l.Reset(); p.SetHover(3, 3); p.SetHover(4, 4); p.Draw(&l, 1280, 720, 1) }
	for range 60 {
		step()
	}
	if n := allocstest.PerRun(20, step); n > 0 {
		t.Errorf("got %v allocations; want none", n)
	}
}

// The picture of one axis: history, values and timeline.
func TestPictureOfOneAxis(t *testing.T) {
	s, p := raggedRun(t, 60)
	p.Change(func(o *viewer.Options) { o.Timeline, o.Strip = viewer.TimelineLarge, viewer.StripValues })
	s.View().SetFrame(14)
	settled(t, p, 1120, 700, 1)
	p.Run("fit-history")
	pictured(t, "one-axis", p)
}
