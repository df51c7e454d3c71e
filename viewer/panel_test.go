package viewer_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// laidOut draws a panel once.
func laidOut(p *viewer.Panel, width, height float32) *draw.List {
	var l draw.List
	p.Draw(&l, width, height, 1)
	return &l
}

// scan returns the hits at the points of a grid.
func scan(p *viewer.Panel, width, height float32) map[viewer.Hit][2]float32 {
	found := map[viewer.Hit][2]float32{}
	for y := float32(1); y < height; y += 3 {
		for x := float32(1); x < width; x += 3 {
			found[p.HitAt(x, y)] = [2]float32{x, y}
		}
	}
	return found
}

func TestEverythingCanBeHit(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	laidOut(p, 1280, 720)
	found := scan(p, 1280, 720)
	for mode := range report.NumReportModes {
		if _, ok := found[viewer.Hit{Kind: hit.Tab, Index: mode, Zone: -1, Path: -1}]; !ok {
			t.Errorf("tab %d: got nothing; want it hit", mode)
		}
	}
	ages := 0
	for h := range found {
		if h.Kind == hit.Graph {
			ages++
		}
	}
	if ages < 290 {
		t.Errorf("graph: got %d ages; want all 300 but for a few between the points", ages)
	}
	lighting := report.ZoneID(d.find("lighting"))
	for _, want := range []viewer.Hit{
		{Kind: hit.Pause, Zone: -1, Path: -1},
		{Kind: hit.Header, Index: int(report.ColumnSelf), Zone: -1, Path: -1},
		{Kind: hit.Record, Index: 1, Zone: lighting, Path: int32(lighting)},
		{Kind: hit.Icicle, Zone: lighting, Path: int32(lighting)},
		{Kind: hit.Legend, Zone: lighting, Path: -1},
		{Kind: hit.Panel, Zone: -1, Path: -1},
	} {
		if _, ok := found[want]; !ok {
			t.Errorf("%+v: got nothing there; want it hit", want)
		}
	}
}

func TestGraphHitMatchesTheColumnDrawn(t *testing.T) {
	d := newDemo()
	d.paused, d.view.Age = true, 93
	p := panelOf(d, viewer.PanelFull)
	l := laidOut(p, 1280, 720)
	// The white column of the marker lies where a hit has that age.
	for i := 0; i < len(l.V); i += 4 {
		a, b := l.V[i], l.V[i+2]
		if a.R == 255 && a.G == 255 && a.B == 255 && b.Y-a.Y > 100 && a.A < 60 {
			if got := p.HitAt((a.X+b.X)/2, a.Y+50).Age; got < 92 || got > 94 {
				t.Errorf("age under the marker: got %d; want 93", got)
			}
			return
		}
	}
	t.Error("got no marker; want one")
}

func TestHitOutsideAndOff(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelHUD)
	laidOut(p, 1280, 720)
	if got := p.HitAt(20, 20).Kind; got != hit.Panel {
		t.Errorf("on the HUD: got %v; want HitPanel", got)
	}
	if got := p.HitAt(20, 400).Kind; got != hit.None {
		t.Errorf("below the HUD: got %v; want HitNone", got)
	}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	if l := laidOut(p, 1280, 720); len(l.V) != 0 || p.HitAt(20, 20).Kind != hit.None {
		t.Errorf("off: got %d vertices, hit %v; want nothing", len(l.V), p.HitAt(20, 20))
	}
}

func TestScrollStopsAtTheEnds(t *testing.T) {
	d := newDemo()
	d.view.Mode = report.ReportSelfTime
	p := panelOf(d, viewer.PanelFull)
	first := func() int {
		laidOut(p, 1280, 720)
		least := 1000
		for h := range scan(p, 1280, 720) {
			if h.Kind == hit.Record {
				least = min(least, h.Index)
			}
		}
		return least
	}
	if got := first(); got != 0 {
		t.Errorf("first row at first: got %d; want 0", got)
	}
	viewer.Scroll(p, 3)
	if got := first(); got != 3 {
		t.Errorf("first row after Scroll(3): got %d; want 3", got)
	}
	viewer.Scroll(p, 10000)
	if got := first(); got < 10 || got >= len(d.zones) {
		t.Errorf("first row after scrolling far down: got %d; want the last page", got)
	}
	viewer.Scroll(p, -20000)
	if got := first(); got != 0 {
		t.Errorf("first row after scrolling far up: got %d; want 0", got)
	}
	d.view.Cursor = len(d.zones) - 1
	if first(); !sees(p, d.view.Cursor) {
		t.Errorf("row %d: got it out of sight; want the table to follow the cursor", d.view.Cursor)
	}
}

func sees(p *viewer.Panel, index int) bool {
	for h := range scan(p, 1280, 720) {
		if h.Kind == hit.Record && h.Index == index {
			return true
		}
	}
	return false
}

func TestRowsKeepTheirPlaces(t *testing.T) {
	d := newDemo()
	d.view.Mode = report.ReportSelfTime
	p := panelOf(d, viewer.PanelFull)
	place := func(zone string) float32 {
		laidOut(p, 1280, 720)
		for h, at := range scan(p, 1280, 720) {
			if h.Kind == hit.Record && h.Zone == report.ZoneID(d.find(zone)) {
				return at[1]
			}
		}
		return -1
	}
	before := place("ai_think")
	if before < 0 {
		t.Fatal("ai_think: got it out of sight; want it on the screen")
	}
	d.zones[d.find("ai_think")].self[demoFrames-1] = 9
	for i := range 10 {
		d.memory[demoFrames-1].Index += uint64(20 * (i & 1)) // 100 frames of 17 ms go by
		if got := place("ai_think"); got != before {
			t.Fatalf("ai_think at y: got %v; want %v for two seconds", got, before)
		}
	}
	d.memory[demoFrames-1].Index += 40
	if got := place("ai_think"); got >= before {
		t.Errorf("ai_think at y after two seconds: got %v; want it above %v", got, before)
	}
}

func TestNoAllocationInSteadyState(t *testing.T) {
	for name, m := range map[string]viewer.PanelMode{"HUD": viewer.PanelHUD, "over": viewer.PanelReportAndGraph,
		"full": viewer.PanelFull} {
		p := viewer.PanelOf(&frozen{newDemo(), report.Report{}, nil, nil})
		p.Change(func(o *viewer.Options) { o.Mode = m })
		p.SetKeys(usualKeys())
		p.Run("card")
		p.Run("baseline")
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
		viewer.SetFilter(p, "a")
		viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(report.ColumnMax)})
		p.Run("group")
		var l draw.List
		step := func() { l.Reset(); p.Draw(&l, 1280, 720, 1) }
		step()
		if got := allocstest.PerRun(20, step); got != 0 {
			t.Errorf("%s: got %v allocations a frame; want 0", name, got)
		}
	}
}

// hostile names try to break the line, to reverse it, or to take a very long time.
var hostile = map[string]string{
	"lighting": "two\nlines\x1b[31m\x00", "gbuffer": "\u202egnp.exe", "simulate": "\xff\xfe\xc3(",
	"audio": strings.Repeat("long ", 200000), "ai_think": "\U0001f600 中文 é", "present": "",
	"streaming": strings.Repeat("\n", 1<<20),
}

func TestHostileNames(t *testing.T) {
	d := newDemo()
	d.hostile = hostile
	d.warn = []string{strings.Repeat("\x1b", 1<<20)}
	for _, m := range []viewer.PanelMode{viewer.PanelHUD, viewer.PanelReportAndGraph, viewer.PanelFull} {
		for mode := range report.NumReportModes {
			d.view.Mode = report.ReportMode(mode)
			l := laidOut(panelOf(d, m), 1280, 720)
			if l.Quads() > 20000 {
				t.Errorf("mode %d: got %d quads; want names cut", m, l.Quads())
			}
			for _, v := range l.V {
				if !(v.X > -40 && v.X < 1320 && v.Y > -40 && v.Y < 760) {
					t.Fatalf("mode %d: got a vertex at %v, %v; want all on the screen", m, v.X, v.Y)
				}
			}
		}
	}
}

// TestHelpSaysWhichClock draws the help without a sentence about the clock, with one, and with one of a hostile file.
func TestHelpSaysWhichClock(t *testing.T) {
	var quads [3]int
	for i, clock := range []string{"", "clock: Go's, 41 ns a reading", strings.Repeat("\x1bW", 1<<19)} {
		d := newDemo()
		d.clock = clock
		p := panelOf(d, viewer.PanelFull)
		p.Run("help")
		laidOut(p, 1280, 720)
		p.Run("help")
		l := laidOut(p, 1280, 720)
		for _, v := range l.V {
			if !(v.X > -40 && v.X < 1320 && v.Y > -40 && v.Y < 760) {
				t.Fatalf("%.30q: got a vertex at %v, %v; want all on the screen", clock, v.X, v.Y)
			}
		}
		quads[i] = l.Quads()
	}
	if n := quads[1] - quads[0]; n < 20 || n > 40 || quads[2] > quads[0]+400 {
		t.Errorf("got %d quads; want those of the sentence more, and a long one cut", quads)
	}
}

func TestAnySizeDraws(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	p.Run("help")
	for _, m := range []viewer.PanelMode{viewer.PanelHUD, viewer.PanelReportAndGraph, viewer.PanelFull} {
		p.Change(func(o *viewer.Options) { o.Mode = m })
		for _, size := range [][3]float32{{1, 1, 1}, {0, 0, 1}, {40, 900, 1}, {900, 30, 2}, {320, 200, 4},
			{7680, 4320, 3}} {
			var l draw.List
			p.Draw(&l, size[0], size[1], size[2])
			for _, v := range l.V {
				x := float64(v.X)
				y := float64(v.Y)
				if math.IsNaN(x+y) || math.IsInf(x+y, 0) {
					t.Fatalf("mode %d, %v: got a corner at %v, %v; want numbers", m, size, x, y)
				}
			}
		}
	}
}

func TestPanelIsSafeForGoroutines(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	done := make(chan bool)
	go func() {
		for i := range 20 {
			p.SetHover(float32(i*60), 300)
			viewer.Scroll(p, 1)
			p.Change(func(o *viewer.Options) { o.Precision = i })
			p.HitAt(10, 10)
		}
		close(done)
	}()
	for range 5 {
		laidOut(p, 640, 360)
	}
	<-done
	if got := p.Options().Precision; got != 4 {
		t.Errorf("precision: got %d; want 4, the greatest", got)
	}
}

func TestHelpHasAllKeys(t *testing.T) {
	for _, size := range [][2]float32{{1280, 720}, {640, 360}, {200, 120}} {
		p := panelOf(newDemo(), viewer.PanelFull)
		keys := make([]viewer.KeyHint, 60)
		viewer.SetHints(p, keys)
		settled(t, p, size[0], size[1], 1)
		pages, blank := 0, laidOut(p, size[0], size[1]).Quads()
		p.Run("help")
		for ; laidOut(p, size[0], size[1]).Quads() != blank && pages < 100; pages++ {
			p.Run("help")
		}
		if want := map[float32]int{720: 2, 360: 4, 120: 62}[size[1]]; pages != want {
			t.Errorf("pages of signs and 60 keys at %v: got %d; want %d", size, pages, want)
		}
	}
	p := panelOf(newDemo(), viewer.PanelFull)
	viewer.SetFilter(p, "a")
	p.Run("pick-lane")
	p.Run("help")
	if !viewer.Dismiss(p) || !p.State().MenuOpen || !viewer.Dismiss(p) || p.State().Filter == "" ||
		!viewer.Dismiss(p) || p.State().Filter != "" || viewer.Dismiss(p) {
		t.Error("Dismiss: got another order; want the help, the menu and the filter gone one by one, then nothing")
	}
}

func TestCycle(t *testing.T) {
	p := viewer.PanelOf(newDemo())
	for _, want := range []viewer.PanelMode{viewer.PanelReportAndGraph, viewer.PanelFull, viewer.PanelHUD,
		viewer.PanelOff} {
		if p.Run("cycle"); p.Options().Mode != want {
			t.Errorf("Cycle: got %v; want %v", p.Options().Mode, want)
		}
	}
}

func TestAskingAPanelAllocatesNothing(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	ask := func() { _, _, _ = p.Options().Mode, p.Settling(), p.State().Filter }
	if got := allocstest.PerRun(100, ask); got != 0 {
		t.Errorf("asking: got %v allocations; want 0", got)
	}
}

// A question is answered by the same question again while it is shown, once. A hidden panel asks nothing.
func TestAskTwiceIsYes(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	laidOut(p, 1280, 720)
	got := []bool{p.Ask("sure?"), p.Ask("really?"), p.Ask("really?"), p.Ask("really?")}
	if want := []bool{false, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("got answers %v; want %v", got, want)
	}
	if note := viewer.NoteOf(p); !strings.Contains(note, "really?") {
		t.Errorf("got note %q; want the question", note)
	}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	if !p.Ask("hidden?") {
		t.Error("a hidden panel: got no; want yes")
	}
}

// settled draws until nothing moves, 60 times a second by the panel's clock.
func settled(t *testing.T, p *viewer.Panel, width, height, scale float32) *draw.List {
	t.Helper()
	hurried(p)
	for range 200 {
		var l draw.List
		if p.Draw(&l, width, height, scale); !p.Settling() {
			return &l
		}
	}
	t.Fatalf("%vx%v: not settled after 200 draws", width, height)
	return nil
}

// hurried gives a panel a clock by which a frame passes each time it is read.
func hurried(p *viewer.Panel) {
	if p.Options().Now == nil {
		at := time.Now()
		p.Change(func(o *viewer.Options) { o.Now = func() time.Time { at = at.Add(time.Second / 60); return at } })
	}
}

func TestAfterAnyResizeThePictureIsAFreshOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	open := func(d *demo, m viewer.PanelMode) *viewer.Panel {
		p := panelOf(d, m)
		ranged(d, p)
		p.Run("card")
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
		p.Run("group")
		return p
	}
	for _, m := range []viewer.PanelMode{viewer.PanelFull, viewer.PanelReportAndGraph, viewer.PanelHUD} {
		d := newDemo()
		p := open(d, m)
		for range 20 {
			width, height := float32(300+r.IntN(1600)), float32(200+r.IntN(900))
			scale := float32(1 + r.IntN(4))
			if scale > 2 {
				scale = 1
			}
			got := settled(t, p, width, height, scale)
			want := settled(t, open(newDemo(), m), width, height, scale)
			if !slices.Equal(got.V, want.V) || got.Atlas != want.Atlas {
				t.Errorf("mode %v at %vx%v, scale %v: got %d quads, other than a fresh panel's %d", m, width, height,
					scale, got.Quads(), want.Quads())
			}
		}
	}
}

// The same data drawn again is the same picture. The panel does not read the session's data again.
func TestAnUnchangedPictureIsNotLaidOutAgain(t *testing.T) {
	f := &still{demo: newDemo()}
	f.paused, f.view.Age = true, 93
	p := viewer.PanelOf(f)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 720, 1)
	first := settled(t, p, 1280, 720, 1)
	reads := f.reads
	again := settled(t, p, 1280, 720, 1)
	if f.reads != reads || !slices.Equal(first.V, again.V) {
		t.Errorf("again: got %d more reads, equal %v; want none and an equal picture", f.reads-reads,
			slices.Equal(first.V, again.V))
	}
	p.SetHover(1150, 120)
	if lit := settled(t, p, 1280, 720, 1); f.reads == reads || slices.Equal(first.V, lit.V) {
		t.Error("with the mouse over a name: got the old picture; want it lit")
	}
	reads = f.reads
	settled(t, p, 900, 720, 1)
	f.generation++
	if settled(t, p, 900, 720, 1); f.reads < reads+2 {
		t.Errorf("another size, other data: got %d reads; want one for each", f.reads-reads)
	}
}

// still is a demo that changes only when a test changes it. It counts the reads of its tree.
type still struct {
	*demo
	generation uint64
	reads      int
}

func (s *still) Generation() uint64 { return s.generation }

func (s *still) AppendTree(dst []report.TreeNode, v report.View) []report.TreeNode {
	s.reads++
	return s.demo.AppendTree(dst, v)
}

func TestTableText(t *testing.T) {
	d := newDemo()
	d.hostile = map[string]string{"lighting": "=cmd|'/c'!A0", "gbuffer": "a\tb\nc\x1b",
		"audio": strings.Repeat("x", 1<<20)}
	p := panelOf(d, viewer.PanelFull)
	setColumns(p, report.ColumnSelf, report.ColumnCount, viewer.ColumnSpark)
	laidOut(p, 1280, 720)
	lines := strings.Split(p.TableText(), "\n")
	if len(lines) != 16 || lines[15] != "" {
		t.Fatalf("lines: got %d; want headings, 14 rows, and nothing after the last line's end", len(lines))
	}
	for i, want := range []string{"zone\tself ms\tcalls", "render_world\t0.14\t1", "  '=cmd|'/c'!A0\t2.11\t1",
		`  a\x09b\x0ac\x1b` + "\t1.73\t1"} {
		t.Run(want, func(t *testing.T) {
			if lines[i] != want {
				t.Errorf("line %d: got %q; want %q", i, lines[i], want)
			}
		})
	}
	viewer.SetFilter(p, "skel")
	p.Run("baseline")
	laidOut(p, 1280, 720)
	if got, want := p.TableText(),
		"zone\tself ms\tΔ ms\tΔ %\tcalls\n"+
			"simulate\t0.08\t~0.00\t~0.0\t2\n  skeletal_anim\t1.15\t~0.00\t~0.0\t118\n"; got != want {
		t.Errorf("filtered and compared: got %q; want %q", got, want)
	}
}

func TestCopyNeedsAClipboard(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	settled(t, p, 1280, 720, 1)
	if p.Run("copy"); p.Settling() {
		t.Error("without a clipboard: got a note; want none")
	}
	var got string
	// The Clipboard function may call methods of the panel.
	p.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { got = text; p.Options() } })
	if p.Run("copy"); got != p.TableText() {
		t.Errorf("copied: got %q; want the table", got)
	}
	for n := 0; p.Settling(); n++ {
		if laidOut(p, 640, 360); n > 100 {
			t.Fatal("the note stays; want it to go")
		}
	}
}

func TestUIScale(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	for _, c := range [][2]float32{{1.3, 1.25}, {0.1, 0.75}, {99, 3}, {0, 1}} {
		p.Change(func(o *viewer.Options) { o.Scale = c[0] })
		if got := p.Options().Scale; got != c[1] {
			t.Errorf("scale %v: got %v; want %v", c[0], got, c[1])
		}
	}
	p.Change(func(o *viewer.Options) { o.Scale = 1.5 })
	var l draw.List
	p.Draw(&l, 1280, 720, 2)
	if got := l.Atlas.Scale(); got != 3 {
		t.Errorf("1.5 on a screen of scale 2: got %v; want 3", got)
	}
}

func TestPanelForIsOnePerSession(t *testing.T) {
	a, b := process.NewSession(), process.NewSession()
	p := viewer.PanelFor(a)
	if p != viewer.PanelFor(a) || p == viewer.PanelFor(b) || p.Session() != a {
		t.Error("PanelFor: got another panel for the same session, or the same for another")
	}
	if o := p.Options(); o.Mode != viewer.PanelOff || o.Focused || o.Precision != 2 {
		t.Errorf("new panel: got mode %v, focused %v, precision %d; want off, not focused, 2", o.Mode, o.Focused,
			o.Precision)
	}
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	var l draw.List
	if p.Draw(&l, 640, 360, 1); l.Quads() < 50 {
		t.Errorf("session without frames: got %d quads; want a picture that says what to do", l.Quads())
	}
}

// TestSmallScreens checks that screens of any size show what matters most: the frame's length, with nothing over it,
// the live or paused sign, and rows.
func TestSmallScreens(t *testing.T) {
	for _, size := range [][2]int{{320, 200}, {320, 180}, {360, 640}, {420, 300}, {480, 320}, {480, 800}, {640, 200},
		{800, 240}, {1000, 200}, {1280, 720}} {
		for _, scale := range []int{1, 3} {
			t.Run(fmt.Sprintf("%dx%d@%d", size[0], size[1], scale), func(t *testing.T) {
				p := panelOf(newDemo(), viewer.PanelFull)
				paint(t, p, size[0]*scale, size[1]*scale, float32(scale))
				kinds := map[hit.Kind]int{}
				end := float32(0) // of the tabs and the sign
				for y := float32(0); y < float32(size[1]); y += 2 {
					for x := float32(0); x < float32(size[0]); x += 2 {
						h := p.HitAt(x*float32(scale), y*float32(scale))
						if kinds[h.Kind]++; h.Kind == hit.Tab || h.Kind == hit.Pause {
							end = max(end, x)
						}
					}
				}
				const number = 110 // pixels of "16.72 ms"
				if room := float32(size[0]) - end; room < number || kinds[hit.Tab] == 0 ||
					kinds[hit.Pause] == 0 {
					t.Errorf("got %v pixels beside the tabs and the sign, %d and %d points of those; "+
						"want %d or more, and some",
						room, kinds[hit.Tab], kinds[hit.Pause], number)
				}
				if kinds[hit.Record] == 0 {
					t.Error("got no row to point at")
				}
			})
		}
	}
}
