package desk

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// homeless gives the test a folder of settings and one of caches, and returns the path of the settings.
func homeless(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME", "AppData", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	name := must.Get(SettingsFile())(t)
	return name
}

// The next start reads the settings that were saved. Damaged settings are as at a first start.
func TestSettingsComeBack(t *testing.T) {
	name := homeless(t)
	if s := LoadSettings(); !reflect.DeepEqual(s, Settings{}) {
		t.Errorf("no file: got %+v; want nothing", s)
	}
	want := Settings{&Place{10, 20, 800, 600, true}, 1.25, "light", []string{"self_ms", "bar"}, []string{"/a", "b:1"},
		[]string{"render"}, []string{"main", "loader"}}
	must.Do(t, want.Save())
	if got := LoadSettings(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	for _, text := range []string{"", "{", "[]", `{"tabs":7}`} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
		if got := LoadSettings(); !reflect.DeepEqual(got, Settings{}) {
			t.Errorf("%q: got %+v; want nothing", text, got)
		}
	}
}

// Theme, scale and columns by their names; what is not known is passed over.
func TestSettingsDressPanels(t *testing.T) {
	s := Settings{Scale: 1.5, Theme: "light", Columns: []string{"count", "spark", "nothing", "", "zone"}}
	var o viewer.Options
	s.dress(&o)
	want := []report.Column{report.ColumnCount, viewer.ColumnSpark}
	if o.Scale != 1.5 || o.Theme != draw.ThemeLight || !slices.Equal(o.Columns, want) {
		t.Errorf("got scale %v, theme %v, columns %v; want 1.5, light, %v", o.Scale, o.Theme, o.Columns, want)
	}
	s.KeptZones, s.KeptLanes = []string{"render"}, []string{"loader"}
	if s.dress(&o); !slices.Equal(o.KeptZones, s.KeptZones) || !slices.Equal(o.KeptLanes, s.KeptLanes) {
		t.Errorf("kept: got %q and %q; want %q and %q", o.KeptZones, o.KeptLanes, s.KeptZones, s.KeptLanes)
	}
	s = Settings{Theme: "mauve"}
	if s.dress(&o); o.Scale != 1 || o.Theme != draw.ThemeDark || o.Columns != nil {
		t.Errorf("a first start: got scale %v, theme %v, columns %v; want the usual ones", o.Scale, o.Theme, o.Columns)
	}
}

// On any monitor, but not beside all of them, nor with sides that no window has.
func TestAWindowIsPutWhereItIsFound(t *testing.T) {
	monitors := []image.Rectangle{image.Rect(0, 0, 1920, 1080), image.Rect(-1280, 0, 0, 1024)}
	for p, want := range map[Place]bool{
		{100, 100, 800, 600, false}:      true,
		{-1200, 50, 800, 600, false}:     true,
		{1900, 100, 800, 600, false}:     false,
		{100, 1070, 800, 600, false}:     false,
		{100, -500, 800, 600, false}:     false,
		{100, 100, 10, 600, false}:       false,
		{100, 100, 1 << 40, 600, false}:  false,
		{-1 << 62, 100, 800, 600, false}: false,
	} {
		if got := p.OnScreen(monitors); got != want {
			t.Errorf("%+v: got %v; want %v", p, got, want)
		}
	}
}

// The prompt for a program goes into other folders.
func TestFoldersWithSourcesArePrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	must.Do(t, os.Mkdir(dir, 0o700))
	if hasSources(dir) {
		t.Error("an empty folder has sources")
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), nil, 0o600))
	if !hasSources(dir) {
		t.Error("a folder with main.go has no sources")
	}
}

// Tab completes folders and captures; other files are not offered.
func TestPromptCompletes(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	for _, name := range []string{"game-1.iprof", "game-2.iprof", "game.txt"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	var opened string
	var p prompt
	q := question{"", func(text string) []string { return completions(text, true) }, isFolder,
		func(path string) { opened = path }}
	p.ask(q)
	p.set(filepath.Join(dir, "ga"))
	p.complete()
	if want := filepath.Join(dir, "game-"); p.text != want || len(p.lines) != 2 {
		t.Errorf("got %q, %q; want %q and two files", p.text, p.lines, want)
	}
	p.at = 1
	p.enter()
	if want := filepath.Join(dir, "game-2.iprof"); opened != want || p.open {
		t.Errorf("opened %q, still open: %t; want %q", opened, p.open, want)
	}
	p.ask(q)
	p.set(filepath.Join(dir, "fo"))
	p.complete()
	if want := filepath.Join(dir, "folder") + string(filepath.Separator); p.text != want {
		t.Errorf("got %q; want %q", p.text, want)
	}
	if p.enter(); !p.open {
		t.Error("a folder was opened as a file")
	}
}

// run writes frames of a program into a session: update has path and steer, render has sprites, which take so long
// more, and draw. Times vary from frame to frame.
func run(t *testing.T, s *process.Session, first, frames uint64, more float64) {
	t.Helper()
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "update", Function: "game.update"},
		{Name: "pathfind", Function: "game.pathfind"}, {Name: "steer", Function: "game.steer"},
		{Name: "render", Function: "game.render"}, {Name: "sprites", Function: "game.sprites"},
		{Name: "submit", Function: "game.submit"}, {Name: "<b>evil\n", Function: "game.evil"},
		{Name: "present", Function: "game.present", Idle: true}}
	ms := [...]float64{0.1, 0.6, 2.4, 0.7, 0.8, 2 + more, 1.1, 0.3, 8 - more}
	parents := [...]int32{-1, 0, 1, 1, 0, 4, 4, 1, 0}
	begin := platform.Ticks(first) * 16_000
	for n := range frames {
		f := gather.Frame{Index: first + n, Begin: begin, TicksPerSecond: 1e6, Zones: zones}
		nodes := make([]gather.Node, len(zones))
		for i := range nodes {
			swing := 1 + 0.12*math.Sin(float64((n+3)*uint64(i+2)*7%61))
			nodes[i] = gather.Node{ID: gather.NodeID(i + 1), Parent: parents[i], Zone: gather.ZoneID(i), Count: 1,
				Self: platform.Ticks(1000 * ms[i] * swing), Open: i == 0}
			f.End += nodes[i].Self
		}
		f.End += begin
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: begin, End: f.End, Nodes: nodes}}
		must.Do(t, s.WriteFrame(&f))
		begin = f.End
	}
}

// window is a desk without a window: its lines and pictures are looked at.
func window(t *testing.T, names ...string) *Desk {
	t.Helper()
	size := func() (int, int) { return 1280, 720 }
	d := New(Options{}, Host{Wake: func() {}, Title: func(string) {}, Size: size, Scale: func() float32 { return 1 },
		Close: func() {}})
	d.NewTab("own") // it has the session of the test program
	for _, name := range names {
		d.NewTab(name)
	}
	d.tabs = d.tabs[1:]
	d.switchTo(d.tabs[0])
	d.SetScale(1)
	return d
}

// look paints the desk alone.
func look(d *Desk) *image.RGBA {
	var l draw.List
	d.Draw(&l, 1280, 720)
	img := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	soft.Render(img, &l)
	return img
}

func press(d *Desk, k input.Key, m input.Mods) {
	d.Key(k, input.ActionPress, m)
	d.Key(k, input.ActionRelease, m)
}

func click(d *Desk, x, y float32) {
	d.Cursor(float64(x), float64(y), 1)
	d.Button(input.ButtonLeft, input.ActionPress, 0)
	d.Button(input.ButtonLeft, input.ActionRelease, 0)
}

// TestTheLeftTabIsBefore, whichever of two is shown, until X swaps them.
func TestTheLeftTabIsBefore(t *testing.T) {
	d := window(t, "old", "new")
	run(t, d.tabs[0].session, 1, 200, 0)
	run(t, d.tabs[1].session, 1, 200, 1.5)
	for _, shown := range d.tabs {
		d.switchTo(shown)
		press(d, 'D', input.ModControl)
		if got := contrastLineOf(d.contrast); !strings.Contains(got, "slower sprites, called by render") {
			t.Errorf("from %s: got %q; want sprites slower", shown.name, got)
		}
		press(d, 'X', 0)
		if got := contrastLineOf(d.contrast); !strings.Contains(got, "faster sprites, called by render") {
			t.Errorf("swapped: got %q; want sprites faster", got)
		}
		press(d, input.KeyEscape, 0)
		if d.contrast != nil {
			t.Error("after Escape: got the comparison; want the tab")
		}
	}
}

// A path begins at one place in both, in proportion to its time, and a click on it draws its times. Nothing reaches the
// screen below.
func TestBothStructuresAreDrawnAligned(t *testing.T) {
	d := window(t, "old", "new")
	run(t, d.tabs[0].session, 1, 200, 0)
	run(t, d.tabs[1].session, 1, 200, 1.5)
	view := d.tab.session.View().Get()
	press(d, 'D', input.ModControl)
	look(d)
	c := d.contrast
	at := slices.IndexFunc(c.Paths, func(p changes.Path) bool { return p.Name == "sprites" })
	var bars []contrastBar
	for _, b := range c.laid.bars {
		if b.path == at {
			bars = append(bars, b)
		}
	}
	if len(bars) != 2 || bars[0].x0 != bars[1].x0 || bars[0].y1 >= bars[1].y0 {
		t.Fatalf("got %v; want sprites above and below the axis, at one place", bars)
	}
	got := (bars[1].x1 - bars[1].x0) / (bars[0].x1 - bars[0].x0)
	if want := float32(c.Paths[at].After / c.Paths[at].Before); got < want-0.01 || got > want+0.01 {
		t.Errorf("got a bar %.3f as wide; want %.3f", got, want)
	}
	click(d, bars[1].x0+3, bars[1].y0+3)
	press(d, input.KeySpace, 0)
	d.Scroll(0, -1)
	was, is := c.spread.times[0], c.spread.times[1]
	if got := c.Changes[c.chosen].Name; got != "sprites" || len(was) != 200 || len(is) != 200 {
		t.Errorf("got %s with %d and %d frames; want sprites, 200 and 200", got, len(was), len(is))
	}
	if now := d.tab.session.View().Get(); now.Focus != view.Focus || now.Cursor != view.Cursor ||
		d.tab.session.Paused() {
		t.Errorf("got the view %+v below; want it as it was", now)
	}
	picture := look(d)
	if dir := os.Getenv("IPROF_PICTURES"); dir != "" { // to look at
		out := must.Get(os.Create(filepath.Join(dir, "contrast.png")))(t)
		if err := png.Encode(out, picture); err != nil || out.Close() != nil {
			t.Fatal(err)
		}
	}
	b := bars[1]
	p := draw.PaletteOf(draw.ThemeDark)
	got8, want := picture.RGBAAt(int(b.x1)-6, int(b.y0)+4), draw.Mix(p.Surface, p.Red, 0.55)
	if got := color.NRGBA(got8); got != want {
		t.Errorf("got %v; want red, %v", got, want)
	}
}

// Frames until the baseline are before, those since are after.
func TestTheBaselineIsComparedInOneTab(t *testing.T) {
	d := window(t, "game")
	s := d.tab.session
	run(t, s, 1, 100, 0)
	press(d, 'D', input.ModControl)
	if d.contrast != nil {
		t.Fatal("got a comparison; want a note that there is nothing to compare with")
	}
	s.View().PinBaseline()
	run(t, s, 101, 100, 1.5)
	press(d, 'D', input.ModControl)
	if got := contrastLineOf(d.contrast); !strings.Contains(got, "slower sprites") {
		t.Errorf("got %q; want sprites slower", got)
	}
	if c := d.contrast; c != nil && (c.sides[0].frames != 100 || c.sides[1].frames != 100) {
		t.Errorf("got %d and %d frames; want 100 each", c.sides[0].frames, c.sides[1].frames)
	}
}

// Two chosen ranges are compared with each other: the baseline is before, the range in the view after. After a drag to
// the left, From is above To.
func TestTwoRangesOfATabAreCompared(t *testing.T) {
	ranges := func(t *testing.T, before, after report.Lens, want [2]int, first string) {
		t.Helper()
		d := window(t, "game")
		s := d.tab.session
		run(t, s, 1, 100, 0)
		run(t, s, 101, 100, 1.5)
		s.View().SetLens(before)
		s.View().PinBaseline()
		s.View().SetLens(after)
		press(d, 'D', input.ModControl)
		c := d.contrast
		if c == nil {
			t.Fatalf("%+v, %+v: got no comparison", before, after)
		}
		if c.sides[0].frames != want[0] || c.sides[1].frames != want[1] || c.sides[0].name != first ||
			!strings.Contains(contrastLineOf(c), "slower sprites") {
			t.Errorf("%+v, %+v: got %+v, %s; want %v frames, %s, sprites slower", before, after, c.sides,
				contrastLineOf(c), want, first)
		}
	}
	of := func(from, to uint64) report.Lens { return report.Lens{Kind: report.LensRange, From: from, To: to} }
	ranges(t, of(10, 29), of(110, 159), [2]int{20, 50}, "frames 10 to 29")
	ranges(t, of(29, 10), of(159, 110), [2]int{20, 50}, "frames 10 to 29")
	ranges(t, of(10, 29), report.Lens{}, [2]int{20, 171}, "frames 10 to 29")
	ranges(t, of(29, 10), of(29, 10), [2]int{20, 171}, "frames 10 to 29")
	ranges(t, report.Lens{}, of(110, 159), [2]int{200, 50}, "until frame 200")
}

// In a browser no key does two things. Each command with a key has one there, too, but the one that ends the viewer.
func TestABrowserKeepsItsKeys(t *testing.T) {
	keys := func(browser bool) []input.Binding {
		d := window(t, "first")
		d.options.Browser = browser
		return input.ControllerFor(d.NewTab("game").session).Bindings()
	}
	own, there := keys(false), keys(true)
	for _, b := range there {
		plain, key := b.Mods&^input.ModShift, rune(b.Key)
		if plain == input.ModControl &&
			strings.ContainsRune("NTWRLQPUJHVC+-=0123456789\u0102", key) || // \u0102 is Tab
			plain == input.ModAlt && strings.ContainsRune("DFE", key) ||
			b.Key > input.KeyF2 && b.Key <= input.KeyF1+11 {
			t.Errorf("got %+v; want that key left to the browser", b)
		}
		same := func(o input.Binding) bool { return o.Key == b.Key && o.Mods == b.Mods }
		if first := there[slices.IndexFunc(there, same)]; first != b {
			t.Errorf("got %+v and %+v; want one command", first, b)
		}
	}
	for _, b := range own {
		has := slices.ContainsFunc(there, func(o input.Binding) bool { return o.Command == b.Command })
		if !has && b.Command != "quit" {
			t.Errorf("got no key for %s in a browser", b.Command)
		}
	}
}
