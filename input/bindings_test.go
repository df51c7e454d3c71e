package input

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

func TestNoKeyHasTwoCommands(t *testing.T) {
	seen := map[string]string{}
	for _, b := range defaults() {
		name := keyName(b.Key, b.Mods)
		if seen[name] != "" {
			t.Errorf("%s: got %s and %s; want one command", name, seen[name], b.Command)
		}
		seen[name] = b.Command
		if c, ok := newTest(t).panel.Command(b.Command); !ok || c.Action == "" || c.Do == nil ||
			strings.Contains(name, "?") && name != "?" {
			t.Errorf("%s: got %+v; want a command with words and something to do", name, c)
		}
	}
}

func TestHelpIsTheKeymap(t *testing.T) {
	got := map[string]string{}
	for _, h := range newTest(t).panel.Hints(Keys(defaults())) {
		got[h.Action] = h.Keys
	}
	for action, keys := range map[string]string{
		"move": "↑ ↓", "frame": "← →", "mode": "1 2 3 4 5 6", "open zone": "Enter",
		"10 frames":         "Shift+← Shift+→",
		"frame over budget": "[ ]", "help": "?", "precision": "P", "overlay: half, full, line, off": "F1",
	} {
		t.Run(action, func(t *testing.T) {
			if got[action] != keys {
				t.Errorf("keys for %q: got %q; want %q", action, got[action], keys)
			}
		})
	}
}

func TestRebindMovesACommand(t *testing.T) {
	c := newTest(t)
	must.Do(t, c.Rebind("pause", 'A', 0))
	c.strike('A', 0)
	if !c.panel.View().Session().Paused() || c.panel.View().Get().Average != report.AverageShort {
		t.Error("A after Rebind: got not paused, or the average changed; want paused only")
	}
	if c.strike(KeySpace, 0) {
		t.Error("Space after Rebind: got used; want it free")
	}
	if err := c.Rebind("select", 'S', 0); err != nil || c.strike(KeyEnter, 0) || c.strike(KeyKeypadEnter, 0) ||
		!c.strike('S', 0) {
		t.Errorf("Rebind of a command with two keys: got error %v, or an old key used; want S alone", err)
	}
	if err := c.Rebind("nonsense", 'A', 0); err == nil || !strings.Contains(err.Error(), "precision") {
		t.Errorf("unknown command: got %v; want an error that lists the known", err)
	}
}

func TestBindAndUnbind(t *testing.T) {
	c := newTest(t)
	ran := 0
	c.panel.AddCommand(viewer.Command{Name: "jump", Action: "jump",
		Do: func(*process.Session, *viewer.Panel) { ran++ }})
	c.Bind(KeySpace, 0, "jump")
	c.strike(KeySpace, 0)
	if ran != 1 || c.panel.View().Session().Paused() {
		t.Errorf("bound Space: got run %d times, paused %v; want once, not paused", ran,
			c.panel.View().Session().Paused())
	}
	c.Unbind(KeySpace, 0)
	if c.strike(KeySpace, 0) {
		t.Error("unbound Space: got used; want it free")
	}
	if len(defaults()) != len(newTest(t).Bindings()) {
		t.Error("a new controller: got another's bindings; want the defaults")
	}
}

func TestKeyNames(t *testing.T) {
	for want, chord := range map[string]Binding{
		"?": {Key: KeySlash, Mods: ModShift}, "/": {Key: KeySlash}, "Ctrl+Q": {Key: 'Q', Mods: ModControl},
		"Alt+Shift+←": {Key: KeyLeft, Mods: ModAlt | ModShift}, "F12": {Key: KeyF1 + 11}, "F9": {Key: KeyF1 + 8},
		"Space": {Key: KeySpace},
	} {
		t.Run(want, func(t *testing.T) {
			if got := keyName(chord.Key, chord.Mods); got != want {
				t.Errorf("key %d with %d: got %q; want %q", chord.Key, chord.Mods, got, want)
			}
		})
	}
}

// The help and the menu of all commands show a command that the program adds, and a key can have it.
func TestACommandIsAddedOnce(t *testing.T) {
	c := newTest(t)
	ran := 0
	c.panel.AddCommand(viewer.Command{Name: "greet", Group: viewer.GroupOutput, Action: "say hello", Page: true,
		Do: func(*process.Session, *viewer.Panel) { ran++ }})
	c.Bind('N', 0, "greet")
	help := c.panel.Hints(Keys(c.Bindings()))
	if at := slices.IndexFunc(help, func(h viewer.KeyHint) bool { return h.Action == "say hello" }); at < 0 ||
		help[at].Keys != "N" {
		t.Errorf("help: got %+v; want a line for the command with the key N", help)
	}
	c.strike('N', 0)
	c.strike(KeyTab, 0)
	for range 200 {
		if c.panel.State().Choice.Name == "greet" {
			break
		}
		c.strike(KeyDown, 0)
	}
	if c.strike(KeyEnter, 0); ran != 2 {
		t.Errorf("by key and from the menu: got it run %d times; want 2", ran)
	}
}

// The help of a small window has more pages rather than words that are cut.
func TestTheHelpCutsNoWords(t *testing.T) {
	for _, size := range [][2]float32{{800, 600}, {960, 540}, {1280, 720}, {1920, 1080}} {
		c := newTest(t)
		c.strike(KeySlash, ModShift)
		c.strike(KeySlash, ModShift)
		seen := 0
		for pages := 0; pages < 20; pages++ {
			var l draw.List
			c.panel.Draw(&l, size[0], size[1], 1)
			words := l.AppendWords(nil)
			begin := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == "Keys" })
			if begin < 0 {
				break
			}
			for _, w := range words[begin:] {
				whole := slices.ContainsFunc(c.panel.Hints(Keys(defaults())), func(h viewer.KeyHint) bool {
					return h.Words == w.Text || h.Action == w.Text
				})
				if seen++; strings.HasSuffix(w.Text, "…") && !whole {
					t.Errorf("%v: got %q; want all of it", size, w.Text)
				}
			}
			c.strike(KeySlash, ModShift)
		}
		if seen < len(Bindings()) {
			t.Errorf("%v: got %d texts; want more than the %d keys", size, seen, len(Bindings()))
		}
	}
}

func TestKeysOfTheTableAreKeys(t *testing.T) {
	for _, c := range viewer.Commands() {
		for _, name := range strings.Fields(c.Keys) {
			key, mods, ok := keyOf(name)
			if got := keyName(key, mods); !ok || got != name {
				t.Errorf("%s: %q is the key %q, %v; want a key of that name", c.Name, name, got, ok)
			}
		}
	}
	for _, name := range []string{"F0", "F26", "Fx", "", "Shift+", "Enterr"} {
		if key, mods, ok := keyOf(name); ok {
			t.Errorf("%q: got the key %q; want none", name, keyName(key, mods))
		}
	}
}
