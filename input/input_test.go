package input

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

const (
	testWidth  = 1280
	testHeight = 720
	testFrames = 60
)

// newTest returns a controller of a session with 60 replayed frames. Its panel is full and has the focus.
func newTest(t *testing.T) *Controller {
	t.Helper()
	s := process.NewSession()
	frames := world.NewGame(1, s)
	for range testFrames {
		must.Do(t, frames.Step())
	}
	c := NewController(viewer.PanelFor(s))
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	c.layOut()
	t.Cleanup(func() {
		if gather.Events() != 0 {
			t.Errorf("got %d events kept after the test; want none, as before", gather.Events())
			gather.SetEvents(0)
		}
	})
	return c
}

// layOut draws the panel, so that HitAt works.
func (c *Controller) layOut() {
	var l draw.List
	c.panel.Draw(&l, testWidth, testHeight, 1)
}

// strike presses and releases a key.
func (c *Controller) strike(key Key, mods Mods) (used bool) {
	used = c.Key(key, ActionPress, mods)
	c.Key(key, ActionRelease, mods)
	return used
}

// enter presses and releases a key whose character comes between, as in windows with a character callback.
func (c *Controller) enter(key Key, mods Mods, char rune) {
	c.Key(key, ActionPress, mods)
	c.Char(char)
	c.Key(key, ActionRelease, mods)
}

const callGraph = report.ReportCallGraph

func TestKeysDriveTheSession(t *testing.T) {
	view := func(c *Controller) report.View { return c.panel.View().Get() }
	paused := func(c *Controller) bool { return c.panel.View().Session().Paused() }
	for _, test := range []struct {
		keys string
		want func(c *Controller) bool
	}{
		{"↓ ↓", func(c *Controller) bool { return view(c).Cursor == 2 }},
		{"↓ ↓ ↑", func(c *Controller) bool { return view(c).Cursor == 1 }},
		{"PgDn", func(c *Controller) bool { return view(c).Cursor == 10 }},
		{"PgDn PgUp", func(c *Controller) bool { return view(c).Cursor == 0 }},
		{"↓ Enter", func(c *Controller) bool { return view(c).Mode == callGraph && !paused(c) }},
		{"←", func(c *Controller) bool { return view(c).Age == 1 && paused(c) }},
		{"Shift+← →", func(c *Controller) bool { return view(c).Age == 9 }},
		{"Shift+← Shift+→", func(c *Controller) bool { return view(c).Age == 0 }},
		{"Home", func(c *Controller) bool { return view(c).Age == testFrames-1 && paused(c) }},
		{"Home End", func(c *Controller) bool { return view(c).Age == 0 && !paused(c) }},
		{"[", func(c *Controller) bool { return view(c).Age == testFrames-1-45 && paused(c) }},
		{"Home ]", func(c *Controller) bool { return view(c).Age == testFrames-1-45 }},
		{"M", func(c *Controller) bool { return view(c).Age == testFrames-1-45 }},
		{"Space", func(c *Controller) bool { return paused(c) }},
		{"Space Space", func(c *Controller) bool { return !paused(c) }},
		{"← Space", func(c *Controller) bool { return !paused(c) && view(c).Age == 0 }},
		{"2", func(c *Controller) bool { return view(c).Mode == report.ReportHierarchicalTime }},
		{"2 1", func(c *Controller) bool { return view(c).Mode == report.ReportSelfTime }},
		{"3", func(c *Controller) bool { return view(c).Mode == report.ReportCallGraph }},
		{"4", func(c *Controller) bool { return view(c).Mode == report.ReportCallGraphDescendants }},
		{"5", func(c *Controller) bool { return view(c).Mode == report.ReportCallTree }},
		{"T", func(c *Controller) bool { return view(c).Mode == report.ReportHierarchicalTime }},
		{"T T", func(c *Controller) bool { return view(c).Mode == report.ReportSelfTime }},
		{"A", func(c *Controller) bool { return view(c).Average == report.AverageLong }},
		{"A A", func(c *Controller) bool { return view(c).Average == report.AverageInstant }},
		{"A A A", func(c *Controller) bool { return view(c).Average == report.AverageShort }},
		{"R", func(c *Controller) bool { return view(c).Recursion == report.RecursionSpread }},
		{"R R", func(c *Controller) bool { return view(c).Recursion == report.RecursionFlattened }},
		{"L", func(c *Controller) bool { return view(c).Lane == 1 }},
		{"L L", func(c *Controller) bool { return view(c).Lane == 2 }},
		{"L L L", func(c *Controller) bool { return view(c).Lane == 0 }},
		{"Shift+L", func(c *Controller) bool { return view(c).Lane == 2 }},
		{"P", func(c *Controller) bool { return c.panel.Options().Precision == 3 }},
		{"P P P", func(c *Controller) bool { return c.panel.Options().Precision == 1 }},
		{"X", func(c *Controller) bool { return len(c.panel.View().Session().AppendFrames(nil, 10)) == 10 }},
		{"X X", func(c *Controller) bool { return len(c.panel.View().Session().AppendFrames(nil, 10)) == 0 }},
		{"F1", func(c *Controller) bool { return mode(c) == viewer.PanelHUD && c.panel.Options().Focused }},
		{"F1 F1", func(c *Controller) bool { return mode(c) == viewer.PanelOff && !c.panel.Options().Focused }},
		{"F2", func(c *Controller) bool { return !c.panel.Options().Focused }},
		{"Esc", func(c *Controller) bool { return !c.panel.Options().Focused }},
	} {
		t.Run(test.keys, func(t *testing.T) {
			c := newTest(t)
			for _, name := range strings.Fields(test.keys) {
				c.strikeNamed(t, name)
			}
			if !test.want(c) {
				t.Errorf("%s: got %+v, paused %v, panel %v, precision %d; want otherwise", test.keys, view(c),
					paused(c), c.panel.Options().Mode, c.panel.Options().Precision)
			}
		})
	}
}

func mode(c *Controller) viewer.PanelMode { return c.panel.Options().Mode }

// strikeNamed strikes the key of a name in the help.
func (c *Controller) strikeNamed(t *testing.T, name string) {
	t.Helper()
	for _, b := range c.Bindings() {
		if keyName(b.Key, b.Mods) == name {
			if !c.strike(b.Key, b.Mods) {
				t.Errorf("%s: got not used; want used", name)
			}
			return
		}
	}
	t.Errorf("no key is called %q", name)
}

func TestBackspaceGoesToTheLargestParent(t *testing.T) {
	c := newTest(t)
	c.panel.View().SetCursor(0)
	c.strike(KeyEnter, 0)
	from := c.panel.View().Get().Focus
	c.strike(KeyBackspace, 0)
	if got := c.panel.View().Get().Focus; got == from {
		t.Errorf("focus: got %d again; want its parent", got)
	}
}

func TestUnfocusedTakesOnlyF1AndF2(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		t.Run(fmt.Sprint("hidden=", hidden), func(t *testing.T) {
			c := newTest(t)
			c.panel.Change(func(o *viewer.Options) { o.Focused = false })
			if hidden {
				c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
			}
			var taken []string
			for _, b := range c.Bindings() {
				if mode := c.panel.Options().Mode; c.strike(b.Key, b.Mods) {
					taken = append(taken, keyName(b.Key, b.Mods))
					c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = mode, false })
				}
			}
			want := []string{"F1", "F2"}
			if hidden {
				want = want[:1]
			}
			if !slices.Equal(taken, want) {
				t.Errorf("hidden %v: got keys %v; want %v", hidden, taken, want)
			}
		})
	}
}

func TestUnfocusedLeavesTheMouseAlone(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Record && h.Index == 2 })
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if c.Cursor(x, y) || c.Button(ButtonLeft, ActionPress, 0) || c.Button(ButtonLeft, ActionRelease, 0) ||
		c.Scroll(0, -1) || c.Captured() {
		t.Error("got an event used or input captured; want none")
	}
	if got := c.panel.View().Get().Cursor; got != 0 {
		t.Errorf("cursor: got %d; want 0", got)
	}
}

func TestReleaseFollowsItsPress(t *testing.T) {
	c := newTest(t)
	c.Key(KeySpace, ActionPress, 0)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if !c.Key(KeySpace, ActionRelease, 0) {
		t.Error("release of a key whose press was used: got not used; want used")
	}
	c.panel.Change(func(o *viewer.Options) { o.Focused = true })
	c.Key(KeyDown, ActionPress, 0)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if !c.Key(KeyDown, ActionRepeat, 0) {
		t.Error("repeat of a key whose press was used: got not used; want used")
	}
	c.Key(KeySpace, ActionPress, 0)
	c.panel.Change(func(o *viewer.Options) { o.Focused = true })
	if c.Key(KeySpace, ActionRelease, 0) {
		t.Error("release of a key whose press was the program's: got used; want not")
	}
}

func TestHeldKeys(t *testing.T) {
	c := newTest(t)
	c.Key(KeySpace, ActionPress, 0)
	if !c.Key(KeySpace, ActionRepeat, 0) || !c.panel.View().Session().Paused() {
		t.Error("Space held: got resumed, or the repeat not used; want paused and used")
	}
	c.Key(KeyDown, ActionPress, 0)
	c.Key(KeyDown, ActionRepeat, 0)
	if got := c.panel.View().Get().Cursor; got != 2 {
		t.Errorf("Down held: got cursor %d; want 2", got)
	}
}

func TestLocksDoNotMatterAndModifiersDo(t *testing.T) {
	c := newTest(t)
	const capsAndNumLock = 0x10 | 0x20
	if !c.strike('2', capsAndNumLock) {
		t.Error("2 with caps lock: got not used; want used")
	}
	if c.strike('2', ModControl) {
		t.Error("Ctrl+2: got used; want it left to the program")
	}
}

type (
	hostWindow struct{ keys, moves, presses, scrolls int }
	hostKey    int
	hostAction int
	hostMods   int
	hostButton int
)

func TestForPassesOnWhatIsNotUsed(t *testing.T) {
	c := newTest(t)
	w := &hostWindow{}
	key := For(c, func(w *hostWindow, _ hostKey, _ int, _ hostAction, _ hostMods) { w.keys++ })
	move := ForCursor(c, func(w *hostWindow, _, _ float64) { w.moves++ })
	button := ForButton(c, func(w *hostWindow, _ hostButton, _ hostAction, _ hostMods) { w.presses++ })
	scroll := ForScroll(c, func(w *hostWindow, _, _ float64) { w.scrolls++ })
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Record })
	all := func() hostWindow {
		*w = hostWindow{}
		key(w, hostKey(KeyDown), 0, hostAction(ActionPress), 0)
		key(w, hostKey(KeyDown), 0, hostAction(ActionRelease), 0)
		move(w, x, y)
		button(w, hostButton(ButtonLeft), hostAction(ActionPress), 0)
		button(w, hostButton(ButtonLeft), hostAction(ActionRelease), 0)
		scroll(w, 0, 1)
		return *w
	}
	if got := all(); got != (hostWindow{}) {
		t.Errorf("focused: got the host %+v; want nothing", got)
	}
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if got, want := all(), (hostWindow{2, 1, 2, 1}); got != want {
		t.Errorf("unfocused: got the host %+v; want %+v", got, want)
	}
	For[*hostWindow, hostKey, hostAction, hostMods](c, nil)(w, 'Z', 0, 1, 0) // no host, no crash
}

func TestCallbacksDriveTheDefaultSession(t *testing.T) {
	p := viewer.PanelFor(process.Default())
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelHUD, false })
	defer p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	w := &hostWindow{}
	GLFW(w, hostKey(KeyF2), 0, hostAction(ActionPress), hostMods(0))
	GLFW(w, hostKey(KeyF2), 0, hostAction(ActionRelease), hostMods(0))
	if p.Options().Focused != gather.Enabled || Captured() != gather.Enabled {
		t.Errorf("F2: got focused %v, captured %v; want both unless the profiler is compiled out",
			p.Options().Focused, Captured())
	}
	SetScale(2)
	GLFWCursor(w, 10, 20)
	GLFWButton(w, hostButton(ButtonRight), hostAction(ActionPress), hostMods(0))
	GLFWScroll(w, 0, 1)
	if c := ControllerFor(nil); gather.Enabled && (c.x != 20 || c.y != 40) {
		t.Errorf("cursor: got %g,%g; want 20,40", c.x, c.y)
	}
	SetScale(1)
	p.Change(func(o *viewer.Options) { o.Focused = false })
}

func TestEventsFromManyGoroutines(t *testing.T) {
	defer gather.SetEvents(0) // which key is struck last on which menu is chance
	c := newTest(t)
	all := defaults()
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range 50 {
				c.Cursor(float64(n*20), float64(n*10+i))
				c.Button(ButtonLeft, ActionPress, 0)
				b := all[(n+i)%len(all)]
				c.strike(b.Key, b.Mods)
				c.Button(ButtonLeft, ActionRelease, 0)
				c.Bindings()
			}
		}()
	}
	wait.Wait()
}

// The keys of a second window move only its own cursor, and what its panel shows.
func TestASecondWindowHasItsOwnKeys(t *testing.T) {
	first := newTest(t)
	panel := viewer.NewPanel(process.NewView(first.panel.View().Session()))
	panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	second := NewController(panel)
	second.layOut()
	second.strike(KeyDown, 0)
	second.strike('5', 0)
	must.Do(t, second.Rebind("pause", 'W', 0))
	second.layOut()
	got, other := panel.View().Get(), first.panel.View().Get()
	if got.Cursor != 1 || got.Mode != report.ReportCallTree || other.Cursor != 0 || other.Mode == got.Mode {
		t.Errorf("got views %+v and %+v; want the second to move alone", got, other)
	}
	for _, b := range first.Bindings() {
		if b.Key == 'W' && b.Command == "pause" {
			t.Errorf("got %+v in the first window; want its own bindings", b)
		}
	}
}
