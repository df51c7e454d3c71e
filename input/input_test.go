package input

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

const (
	testWidth  = 1280
	testHeight = 720
	testFrames = 60
)

// newTest is a controller over 60 replayed frames, shown in full and focused.
func newTest(t *testing.T) *Controller {
	t.Helper()
	s := process.NewSession()
	frames := replay.New(1, s)
	for range testFrames {
		if err := frames.Step(); err != nil {
			t.Fatal(err)
		}
	}
	c := newController(s)
	c.panel.SetMode(draw.Full)
	c.panel.SetFocused(true)
	c.layOut()
	return c
}

// layOut draws the panel, so that it knows where things are.
func (c *Controller) layOut() {
	var l draw.List
	c.panel.Draw(&l, testWidth, testHeight, 1)
}

// strike presses and releases a key.
func (c *Controller) strike(key Key, mods Mods) (used bool) {
	used = c.Key(key, Press, mods)
	c.Key(key, Release, mods)
	return used
}

func TestKeysDriveTheSession(t *testing.T) {
	view := func(c *Controller) process.View { return c.session.View() }
	for _, test := range []struct {
		keys string
		want func(c *Controller) bool
	}{
		{"↓ ↓", func(c *Controller) bool { return view(c).Cursor == 2 }},
		{"↓ ↓ ↑", func(c *Controller) bool { return view(c).Cursor == 1 }},
		{"PgDn", func(c *Controller) bool { return view(c).Cursor == pageRows }},
		{"PgDn PgUp", func(c *Controller) bool { return view(c).Cursor == 0 }},
		{"Enter", func(c *Controller) bool { return view(c).Mode == process.CallGraph }},
		{"←", func(c *Controller) bool { return view(c).Age == 1 && c.session.Paused() }},
		{"Shift+← →", func(c *Controller) bool { return view(c).Age == 9 }},
		{"Shift+← Shift+→", func(c *Controller) bool { return view(c).Age == 0 }},
		{"Home", func(c *Controller) bool { return view(c).Age == testFrames-1 && c.session.Paused() }},
		{"Home End", func(c *Controller) bool { return view(c).Age == 0 && !c.session.Paused() }},
		{"[", func(c *Controller) bool { return view(c).Age == testFrames-1-45 && c.session.Paused() }},
		{"Home ]", func(c *Controller) bool { return view(c).Age == testFrames-1-45 }},
		{"M", func(c *Controller) bool { return view(c).Age == testFrames-1-45 }},
		{"Space", func(c *Controller) bool { return c.session.Paused() }},
		{"Space Space", func(c *Controller) bool { return !c.session.Paused() }},
		{"← Space", func(c *Controller) bool { return !c.session.Paused() && view(c).Age == 0 }},
		{"2", func(c *Controller) bool { return view(c).Mode == process.HierarchicalTime }},
		{"2 1", func(c *Controller) bool { return view(c).Mode == process.SelfTime }},
		{"3", func(c *Controller) bool { return view(c).Mode == process.CallGraph }},
		{"4", func(c *Controller) bool { return view(c).Mode == process.CallGraphDescendants }},
		{"5", func(c *Controller) bool { return view(c).Mode == process.CallTree }},
		{"T", func(c *Controller) bool { return view(c).Mode == process.HierarchicalTime }},
		{"T T", func(c *Controller) bool { return view(c).Mode == process.SelfTime }},
		{"A", func(c *Controller) bool { return view(c).Average == process.Long }},
		{"A A", func(c *Controller) bool { return view(c).Average == process.Instant }},
		{"A A A", func(c *Controller) bool { return view(c).Average == process.Short }},
		{"R", func(c *Controller) bool { return view(c).Recursion == process.Spread }},
		{"R R", func(c *Controller) bool { return view(c).Recursion == process.Flattened }},
		{"L", func(c *Controller) bool { return view(c).Lane == 1 }},
		{"L L", func(c *Controller) bool { return view(c).Lane == 2 }},
		{"L L L", func(c *Controller) bool { return view(c).Lane == 0 }},
		{"Shift+L", func(c *Controller) bool { return view(c).Lane == 2 }},
		{"P", func(c *Controller) bool { return c.panel.Precision() == 3 }},
		{"P P P", func(c *Controller) bool { return c.panel.Precision() == 1 }},
		{"X", func(c *Controller) bool { return len(c.session.AppendFrames(nil, 10)) == 0 }},
		{"F1", func(c *Controller) bool { return c.panel.Mode() == draw.Off && !c.panel.Focused() }},
		{"F2", func(c *Controller) bool { return !c.panel.Focused() }},
		{"Esc", func(c *Controller) bool { return !c.panel.Focused() }},
	} {
		c := newTest(t)
		for _, name := range strings.Fields(test.keys) {
			c.strikeNamed(t, name)
		}
		if !test.want(c) {
			t.Errorf("%s: got %+v, paused %v, panel %v, precision %d; want otherwise", test.keys, view(c), c.session.Paused(), c.panel.Mode(), c.panel.Precision())
		}
	}
}

// strikeNamed strikes the key that help calls so.
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
	c.session.SetCursor(0)
	c.strike(KeyEnter, 0)
	from := c.session.View().Focus
	c.strike(KeyBackspace, 0)
	if got := c.session.View().Focus; got == from {
		t.Errorf("focus: got %d again; want its parent", got)
	}
}

func TestUnfocusedTakesOnlyF1AndF2(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		c := newTest(t)
		c.panel.SetFocused(false)
		if hidden {
			c.panel.SetMode(draw.Off)
		}
		var taken []string
		for _, b := range c.Bindings() {
			if mode := c.panel.Mode(); c.strike(b.Key, b.Mods) {
				taken = append(taken, keyName(b.Key, b.Mods))
				c.panel.SetMode(mode)
				c.panel.SetFocused(false)
			}
		}
		want := []string{"F1", "F2"}
		if hidden {
			want = want[:1]
		}
		if !slices.Equal(taken, want) {
			t.Errorf("hidden %v: got keys %v; want %v", hidden, taken, want)
		}
	}
}

func TestUnfocusedLeavesTheMouseAlone(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, func(h draw.Hit) bool { return h.Kind == draw.HitRecord && h.Index == 2 })
	c.panel.SetFocused(false)
	if c.Cursor(x, y) || c.Button(Left, Press, 0) || c.Button(Left, Release, 0) || c.Scroll(0, -1) || c.Captured() {
		t.Error("got an event used or input captured; want none")
	}
	if got := c.session.View().Cursor; got != 0 {
		t.Errorf("cursor: got %d; want 0", got)
	}
}

func TestReleaseFollowsItsPress(t *testing.T) {
	c := newTest(t)
	c.Key(KeySpace, Press, 0)
	c.panel.SetFocused(false)
	if !c.Key(KeySpace, Release, 0) {
		t.Error("release of a key whose press was used: got not used; want used")
	}
	c.panel.SetFocused(true)
	c.Key(KeyDown, Press, 0)
	c.panel.SetFocused(false)
	if !c.Key(KeyDown, Repeat, 0) {
		t.Error("repeat of a key whose press was used: got not used; want used")
	}
	c.Key(KeySpace, Press, 0)
	c.panel.SetFocused(true)
	if c.Key(KeySpace, Release, 0) {
		t.Error("release of a key whose press was the program's: got used; want not")
	}
}

func TestHeldKeys(t *testing.T) {
	c := newTest(t)
	c.Key(KeySpace, Press, 0)
	if !c.Key(KeySpace, Repeat, 0) || !c.session.Paused() {
		t.Error("Space held: got resumed, or the repeat not used; want paused and used")
	}
	c.Key(KeyDown, Press, 0)
	c.Key(KeyDown, Repeat, 0)
	if got := c.session.View().Cursor; got != 2 {
		t.Errorf("Down held: got cursor %d; want 2", got)
	}
}

func TestLocksDoNotMatterAndModifiersDo(t *testing.T) {
	c := newTest(t)
	const capsAndNumLock = 0x10 | 0x20
	if !c.strike('2', capsAndNumLock) {
		t.Error("2 with caps lock: got not used; want used")
	}
	if c.strike('2', Control) {
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
	controllersMu.Lock()
	controllers[c.session] = c
	controllersMu.Unlock()
	w := &hostWindow{}
	key := For(c.session, func(w *hostWindow, _ hostKey, _ int, _ hostAction, _ hostMods) { w.keys++ })
	move := ForCursor(c.session, func(w *hostWindow, _, _ float64) { w.moves++ })
	button := ForButton(c.session, func(w *hostWindow, _ hostButton, _ hostAction, _ hostMods) { w.presses++ })
	scroll := ForScroll(c.session, func(w *hostWindow, _, _ float64) { w.scrolls++ })
	x, y := c.place(t, func(h draw.Hit) bool { return h.Kind == draw.HitRecord })
	all := func() hostWindow {
		*w = hostWindow{}
		key(w, hostKey(KeyDown), 0, hostAction(Press), 0)
		key(w, hostKey(KeyDown), 0, hostAction(Release), 0)
		move(w, x, y)
		button(w, hostButton(Left), hostAction(Press), 0)
		button(w, hostButton(Left), hostAction(Release), 0)
		scroll(w, 0, 1)
		return *w
	}
	if got := all(); got != (hostWindow{}) {
		t.Errorf("focused: got the host %+v; want nothing", got)
	}
	c.panel.SetFocused(false)
	if got, want := all(), (hostWindow{2, 1, 2, 1}); got != want {
		t.Errorf("unfocused: got the host %+v; want %+v", got, want)
	}
	For[*hostWindow, hostKey, hostAction, hostMods](c.session, nil)(w, 'Z', 0, 1, 0) // no host, no crash
}

func TestCallbacksDriveTheDefaultSession(t *testing.T) {
	p := draw.PanelFor(process.Default())
	p.SetMode(draw.HUD)
	p.SetFocused(false)
	defer p.SetMode(p.Mode())
	w := &hostWindow{}
	GLFW(w, hostKey(KeyF2), 0, hostAction(Press), hostMods(0))
	GLFW(w, hostKey(KeyF2), 0, hostAction(Release), hostMods(0))
	if !p.Focused() || !Captured() {
		t.Error("F2: got not focused; want focused")
	}
	SetScale(2)
	GLFWCursor(w, 10, 20)
	GLFWButton(w, hostButton(Right), hostAction(Press), hostMods(0))
	GLFWScroll(w, 0, 1)
	if c := ControllerFor(nil); c.x != 20 || c.y != 40 {
		t.Errorf("cursor: got %g,%g; want 20,40", c.x, c.y)
	}
	SetScale(1)
	p.SetFocused(false)
}

func TestEventsFromManyGoroutines(t *testing.T) {
	defer gather.SetEvents(0) // which key is struck last on which menu is chance
	c := newTest(t)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range 50 {
				c.Cursor(float64(n*20), float64(n*10+i))
				c.Button(Left, Press, 0)
				c.strike(defaults[(n+i)%len(defaults)].Key, defaults[(n+i)%len(defaults)].Mods)
				c.Button(Left, Release, 0)
				c.Bindings()
			}
		}()
	}
	wait.Wait()
}
