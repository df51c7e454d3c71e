package viewer_test

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// restAt rests the mouse on a hit that satisfies a condition, and returns the text of the tip.
func restAt(t *testing.T, p *viewer.Panel, is func(viewer.Hit) bool) (title, words string) {
	t.Helper()
	settled(t, p, 1280, 720, 1)
	for y := float32(1); y < 720; y += 3 {
		for x := float32(1); x < 1280; x += 3 {
			if is(p.HitAt(x, y)) {
				p.SetHover(x, y)
				settled(t, p, 1280, 720, 1)
				return viewer.Tip(p)
			}
		}
	}
	t.Fatal("nothing of that kind is drawn")
	return "", ""
}

func TestTipsSayWhatThingsMean(t *testing.T) {
	header := func(c report.Column) func(viewer.Hit) bool {
		return func(h viewer.Hit) bool { return h.Kind == hit.Header && h.Index == int(c) }
	}
	for _, test := range []struct {
		name        string
		at          func(viewer.Hit) bool
		title, word string
	}{
		{"self", header(report.ColumnSelf), "self ms", "milliseconds"},
		{"count", header(report.ColumnCount), "calls", "called"},
		{"name", header(viewer.ColumnName), "zone", "idle"},
		{"tab", func(h viewer.Hit) bool { return h.Kind == hit.Tab && h.Index == int(report.ReportExtra) },
			"Slow frames", "slow frames"},
		{"bar", func(h viewer.Hit) bool { return h.Kind == hit.Icicle }, "render_world", " ms, calls 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := panelOf(newDemo(), viewer.PanelFull)
			if title, words := restAt(t, p, test.at); title != test.title || !strings.Contains(words, test.word) {
				t.Errorf("%s: got %q: %q; want %q: …%s…", test.name, title, words, test.title, test.word)
			}
		})
	}
	for c := range report.Column(viewer.Columns) {
		if name, words := viewer.Explained(c); name == "" || words == "" {
			t.Errorf("column %d: got %q: %q; want a name and words", c, name, words)
		}
	}
}

func TestTipWaitsUntilTheMouseRests(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	restAt(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Header })
	var l draw.List
	p.SetHover(1e4, 1e4)
	for range 3 {
		p.Draw(&l, 1280, 720, 1)
		if title, _ := viewer.Tip(p); title != "" {
			t.Errorf("mouse away: got a tip for %q; want none", title)
		}
	}
	if p.Settling() {
		t.Error("mouse away: got a panel that waits; want none, as nothing is to be explained there")
	}
}

func TestSparklinesEndWithTheFrameLookedAt(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	d.paused, d.view.Age = true, 93
	settled(t, p, 1280, 720, 1)
	if got := viewer.SparkEnd(p); got != 93 {
		t.Errorf("age 93: got %d; want it", got)
	}
	d.view.Lens.Kind = report.LensAll
	settled(t, p, 1280, 720, 2)
	if got := viewer.SparkEnd(p); got != 0 {
		t.Errorf("of all frames: got %d; want 0", got)
	}
}

// A panel without the focus names the key that gives it the focus.
func TestWithoutFocusTheKeyForItIsNamed(t *testing.T) {
	for _, mode := range []viewer.PanelMode{viewer.PanelFull, viewer.PanelReportAndGraph} {
		p := panelOf(newDemo(), mode)
		with := len(settled(t, p, 1280, 720, 1).V)
		p.Change(func(o *viewer.Options) { o.Focused = false })
		if without := len(settled(t, p, 1280, 720, 1).V); without == with {
			t.Errorf("mode %v: got the same %d vertices with and without focus; want the key named", mode, with)
		}
		viewer.SetHints(p, nil)
		if none := len(settled(t, p, 1280, 720, 1).V); none > with {
			t.Errorf("mode %v, no such key: got %d vertices; want no more than the %d with focus", mode, none, with)
		}
	}
}

func TestTipOfTheLengthHasTheWaitsOfAllGoroutines(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(3) {
		f := &gather.Frame{Index: i, Begin: platform.Ticks(20 * i), End: platform.Ticks(20*i + 20),
			TicksPerSecond: 1000, CPU: 30 * time.Millisecond, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true,
				End: 20, Nodes: []gather.Node{{Parent: -1, Self: 20}}}}}
		f.Memory.RunQueue, f.Memory.LockWait = 3*time.Millisecond, time.Millisecond
		must.Do(t, s.WriteFrame(f))
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 720, 1)
	p.SetHover(1180, 26)
	settled(t, p, 1280, 720, 1)
	title, words := viewer.Tip(p)
	if want := "all goroutines: about 3.00 ms until they ran, 1.00 ms for locks"; title != "frame length" ||
		!strings.Contains(words, want) {
		t.Errorf("got %q: %q; want it to say %q", title, words, want)
	}
	p.SetHover(1010, 32)
	settled(t, p, 1280, 720, 1)
	title, words = viewer.Tip(p)
	if want := "all threads: CPU 30.00 ms, 1.50 processors"; title != "busy and waiting" ||
		!strings.Contains(words, want) {
		t.Errorf("got %q: %q; want it to say %q", title, words, want)
	}
}

// The tip of a frame lies beside its column, and on the screen, whatever the frame and the size.
func TestTheTipOfAFrameDoesNotCoverIt(t *testing.T) {
	for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}, {1920, 1080}, {2560, 1440}} {
		for age := 0; age < 235; age += 13 {
			t.Run(fmt.Sprint(size, " age ", age), func(t *testing.T) {
				d := newDemo()
				d.paused, d.view.Age = true, age
				p := panelOf(d, viewer.PanelFull)
				words := settled(t, p, size[0], size[1], 1).AppendWords(nil)
				tip, found := tipOf(words)
				if !found {
					t.Fatal("got no tip of the paused frame; want one")
				}
				column := [2]float32{size[0], 0}
				y := topOf(p, size, hit.Graph) + 20
				for x := float32(0); x < size[0]; x += 0.5 {
					if h := p.HitAt(x, y); h.Kind == hit.Graph && h.Age == age {
						column = [2]float32{min(column[0], x), max(column[1], x)}
					}
				}
				if column[1] == 0 {
					t.Skip("clicks here go to the spike beside the frame")
				}
				if tip[0] < column[1]+10 && tip[1] > column[0]-10 {
					t.Errorf("got the tip from %v to %v over the column from %v to %v; want it beside", tip[0], tip[1],
						column[0], column[1])
				}
				if tip[0] < 0 || tip[1] > size[0] {
					t.Errorf("got the tip from %v to %v; want it on the screen", tip[0], tip[1])
				}
			})
		}
	}
}

// The whole tip of a frame is on the screen, although a history at the screen's bottom is lower than it.
func TestTheTipOfAFrameIsNotCutOff(t *testing.T) {
	for _, mode := range []viewer.PanelMode{viewer.PanelReportAndGraph, viewer.PanelFull} {
		for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}, {1920, 1080}} {
			s, p := replayed(t)
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = mode, true })
			s.View().ShowFrame(245)
			lowest := float32(0)
			l := settled(t, p, size[0], size[1], 1)
			for _, v := range l.V {
				lowest = max(lowest, v.Y)
			}
			if _, found := tipOf(l.AppendWords(nil)); !found || lowest > size[1] {
				t.Errorf("%v, mode %d: got a tip: %v, and something at y %v; want a tip, and nothing below %v", size,
					mode, found, lowest, size[1])
			}
		}
	}
}

// tipOf returns the left and right end of a frame's tip, which has the title "Frame" with a number and, at its right,
// the length.
func tipOf(words []draw.Words) (ends [2]float32, found bool) {
	const margin = 13
	for i, w := range words {
		if w.Face != draw.FaceBold || !strings.HasPrefix(w.Text, "Frame ") {
			continue
		}
		ends = [2]float32{w.X0 - margin, w.X1}
		for _, o := range words[i:] {
			beside := o.Baseline >= w.Baseline-2 && o.Baseline <= w.Baseline+2 && o.X0 > w.X1 && o.X0 < w.X1+280
			if beside && o.Text == "ms" {
				ends[1] = max(ends[1], o.X1+margin)
				return ends, true
			}
		}
	}
	return ends, false
}

// The tip of a chosen frame covers a part of the history. It ends when the user does something else, and the next frame
// has one again.
func TestTheTipOfAFrameEndsWithTheNextKey(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	seen := func(after string, want bool) {
		t.Helper()
		if _, got := tipOf(settled(t, p, 1280, 720, 1).AppendWords(nil)); got != want {
			t.Errorf("%s: got a tip: %v; want %v", after, got, want)
		}
	}
	s.View().ShowFrame(245)
	seen("a frame is shown", true)
	seen("drawn once more", true)
	p.Run("down")
	seen("another row", false)
	p.Run("older")
	seen("another frame", true)
	viewer.EndTip(p)
	seen("a click", false)
	p.Run("live")
	p.Run("pause")
	seen("paused", true)
}

// untold are the hits without a tip: the ground, and what has its own window under the mouse.
var untold = map[hit.Kind]bool{hit.None: true, hit.Panel: true, hit.Graph: true,
	hit.Timeline: true}

// Everything that reacts to the mouse says what it is when the mouse rests there.
func TestEveryHitHasATip(t *testing.T) {
	longtest.Skip(t)
	told := map[hit.Kind]bool{}
	for name, open := range map[string]func(s *process.Session, p *viewer.Panel){
		"live":  func(*process.Session, *viewer.Panel) {},
		"tree":  func(s *process.Session, _ *viewer.Panel) { s.View().SetReportMode(report.ReportCallTree) },
		"card":  func(_ *process.Session, p *viewer.Panel) { p.Run("card") },
		"lane":  func(s *process.Session, _ *viewer.Panel) { s.View().SetLane(2) },
		"group": func(_ *process.Session, p *viewer.Panel) { p.Run("group") },
		"range": func(s *process.Session, p *viewer.Panel) { p.Run("over-frames"); p.Run("pin") },
		"find":  func(_ *process.Session, p *viewer.Panel) { viewer.SetFilter(p, "a") },
		"base":  func(_ *process.Session, p *viewer.Panel) { p.Run("baseline") },
		"slow":  func(s *process.Session, p *viewer.Panel) { second(p, viewer.StripSlowest); s.View().ShowFrame(245) },
		"bytes": func(_ *process.Session, p *viewer.Panel) { second(p, viewer.StripMemory) },
		"time":  func(s *process.Session, p *viewer.Panel) { s.Pause(); p.Run("timeline") },
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{} // a small screen has some things that a large one has not
			for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}} {
				s, p := replayed(t)
				p.Change(func(o *viewer.Options) { o.Focused = true })
				open(s, p)
				hitsHaveTips(t, p, size[0], size[1], seen, told)
			}
		})
	}
	for kind := hit.Record; kind <= hit.TimelineLane; kind++ {
		menus := kind == hit.Column || kind == hit.Lane || kind == hit.MenuAway ||
			kind == hit.Guide
		if !told[kind] && !untold[kind] && !menus {
			t.Errorf("kind %d: got it on no screen", kind)
		}
	}
}

func second(p *viewer.Panel, second viewer.Strip) {
	p.Change(func(o *viewer.Options) { o.Strip = second })
}

// hitsHaveTips rests the mouse on each thing that reacts to it.
func hitsHaveTips(
	t *testing.T, p *viewer.Panel, width, height float32, seen map[string]bool, told map[hit.Kind]bool,
) {
	t.Helper()
	settled(t, p, width, height, 1)
	for y := float32(1); y < height; y += 4 {
		for x := float32(1); x < width; x += 4 {
			h := p.HitAt(x, y)
			key := fmt.Sprint(h.Kind, h.Name)
			if h.Kind == hit.Header || h.Kind == hit.Tab {
				key += fmt.Sprint(h.Index)
			}
			if seen[key] || untold[h.Kind] {
				continue
			}
			seen[key], told[h.Kind] = true, true
			p.SetHover(x, y)
			settled(t, p, width, height, 1)
			if title, words := viewer.Tip(p); title == "" || words == "" {
				t.Errorf("kind %d, %q at %v, %v: got tip %q: %q", h.Kind, h.Name, x, y, title, words)
			}
			p.SetHover(nan, nan)
			settled(t, p, width, height, 1)
		}
	}
}

// Every label, column and mark says what it is when the mouse rests on it: all that has ink on the ground of the panel,
// and is no more than some pixels beside what has a tip.
func TestEveryLabelHasATip(t *testing.T) {
	longtest.Skip(t)
	for name, open := range map[string]func(s *process.Session, p *viewer.Panel){
		"live":   func(*process.Session, *viewer.Panel) {},
		"tree":   func(s *process.Session, p *viewer.Panel) { s.Pause(); p.Run("calltree"); p.Run("card") },
		"memory": func(_ *process.Session, p *viewer.Panel) { second(p, viewer.StripMemory); p.Run("lines") },
		"slow":   func(_ *process.Session, p *viewer.Panel) { second(p, viewer.StripSlowest) },
		"over": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })
		},
		"over, no focus": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelReportAndGraph, false })
		},
		"over, paused": func(s *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })
			s.View().ShowFrame(245)
		},
		"one line": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
		},
		"one line, paused": func(s *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
			s.View().ShowFrame(245)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := replayed(t)
			p.Change(func(o *viewer.Options) { o.Focused, o.Title = true, "game" })
			p.SetKeys(usualKeys())
			open(s, p)
			m := paintOver(t, p, 1280, 720, 1, func(*image.RGBA) {})
			for y := 3; y < 720; y += 5 {
				for x := 3; x < 1280; x += 4 {
					kind := p.HitAt(float32(x), float32(y)).Kind
					if kind != hit.Panel && kind != hit.None || !inked(m, x, y) {
						continue
					}
					if !toldNear(t, p, x, y) {
						t.Errorf("at %d, %d: got no tip", x, y)
					}
					x += 60 // the rest of the word
				}
			}
		})
	}
}

// toldNear reports whether there is a tip at a place, or just beside it.
func toldNear(t *testing.T, p *viewer.Panel, x, y int) bool {
	defer p.SetHover(nan, nan)
	for _, by := range [...]image.Point{{}, {X: -12}, {X: 12}, {Y: -8}, {Y: 8}} {
		p.SetHover(float32(x+by.X), float32(y+by.Y))
		settled(t, p, 1280, 720, 1)
		title, words := viewer.Tip(p)
		if kind := p.HitAt(float32(x+by.X), float32(y+by.Y)).Kind; title != "" && words != "" || untold[kind] &&
			kind >= hit.Record {
			return true
		}
	}
	return false
}

// inked reports whether something bright is drawn at a place.
func inked(m *image.RGBA, x, y int) bool {
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if c := m.RGBAAt(x+dx, y+dy); int(c.R)+int(c.G)+int(c.B) > 270 {
				n++
			}
		}
	}
	return n > 1
}
