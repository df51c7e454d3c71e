//go:build !iprof_off

package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// stroke is a press of a key on a layout: GLFW's number of its place, the modifiers that GLFW reports, and the
// character that comes then, 0 for none.
type stroke struct {
	key  Key
	mods Mods
	char rune
}

// layouts have the strokes of the same characters, and the labels of keys as GetKeyName returns them.
var layouts = map[string]struct {
	strokes map[string]stroke // by the command's key
	labels  map[Key]string    // where they differ from those of a US layout
}{
	"us": {strokes: map[string]stroke{"?": {'/', ModShift, '?'}, "/": {'/', 0, '/'}, "[": {'[', 0, '['},
		"]": {']', 0, ']'}, "Z": {'Z', 0, 'z'}, "Y": {'Y', 0, 'y'}, "Shift+Z": {'Z', ModShift, 'Z'}, "1": {'1', 0, '1'},
		"M": {'M', 0, 'm'}, "Shift+0": {'0', ModShift, ')'}, "6": {'6', 0, '6'},
		".": {'.', 0, '.'}, "Ctrl+Z": {'Z', ModControl, 0},
		"Alt+M": {'M', ModAlt, 0}}},
	"de": {strokes: map[string]stroke{"?": {'-', ModShift, '?'}, "/": {'7', ModShift, '/'}, "[": {'8', 0, '['}, // AltGr
		"]": {'9', ModControl | ModAlt, ']'}, "Z": {'Y', 0, 'z'}, "Y": {'Z', 0, 'y'}, "Shift+Z": {'Y', ModShift, 'Z'},
		"1": {'1', 0, '1'}, "M": {'M', 0, 'm'}, "6": {'6', 0, '6'}, ".": {'.', 0, '.'}, "Ctrl+Z": {'Y', ModControl, 0},
		"Alt+M": {'M', ModAlt, 0}},
		labels: map[Key]string{'Z': "y", 'Y': "z", '[': "ü", '-': "ß", '/': "-"}},
	"fr": {strokes: map[string]stroke{"?": {'M', ModShift, '?'}, "/": {'.', ModShift, '/'}, "[": {'5', 0, '['}, // AltGr
		"]": {'-', ModControl | ModAlt, ']'}, "Z": {'W', 0, 'z'}, "Y": {'Y', 0, 'y'}, "Shift+Z": {'W', ModShift, 'Z'},
		"1": {'1', 0, '&'}, "M": {';', 0, 'm'}, "Shift+0": {'0', ModShift, '0'}, "6": {'6', ModShift, '6'},
		".": {',', ModShift, '.'}, "Ctrl+Z": {'W', ModControl, 0}, "Alt+M": {';', ModAlt, 0}},
		labels: map[Key]string{'Q': "a", 'A': "q", 'W': "z", 'Z': "w", ';': "m", 'M': ",", '1': "&", '6': "-"}},
	"dvorak": {strokes: map[string]stroke{"?": {'[', ModShift, '?'}, "/": {'[', 0, '/'}, "[": {'-', 0, '['},
		"]": {'=', 0, ']'}, "Z": {'/', 0, 'z'}, "Y": {'T', 0, 'y'}, "Shift+Z": {'/', ModShift, 'Z'}, "1": {'1', 0, '1'},
		"M": {'M', 0, 'm'}, "6": {'6', 0, '6'}, ".": {'E', 0, '.'}, "Ctrl+Z": {'/', ModControl, 0},
		"Alt+M": {'M', ModAlt, 0}},
		labels: map[Key]string{'/': "z", 'Z': ";", 'T': "y", 'Y': "f", 'E': ".", '[': "/"}},
	"ru": {strokes: map[string]stroke{"Z": {'Z', 0, 'я'}, "M": {'M', 0, 'ь'}, "1": {'1', 0, '1'}},
		labels: map[Key]string{'Z': "я", 'M': "ь"}},
}

// ran binds a command to each key, and returns the list of those that ran.
func ran(c *Controller, keys map[string]stroke) *[]string {
	var all []string
	for name := range keys {
		key, mods, _ := keyOf(name)
		c.panel.AddCommand(viewer.Command{Name: "test " + name, Action: name,
			Do: func(*process.Session, *viewer.Panel) { all = append(all, name) }})
		c.Bind(key, mods, "test "+name)
	}
	return &all
}

// A key of a command is the character that the layout has, from the first press on. Digits have their places.
func TestKeysFollowTheLayout(t *testing.T) {
	for layout, l := range layouts {
		for name, s := range l.strokes {
			c := newTest(t)
			label := func(k Key) string {
				if l.labels[k] == "" && k < 128 {
					return fmt.Sprintf("%c", k)
				}
				return l.labels[k]
			}
			c.SetKeyLabels(label)
			got := ran(c, layouts["us"].strokes)
			for range 2 { // before it is known that characters come, and after
				*got = nil
				c.Key(s.key, ActionPress, s.mods)
				if s.char != 0 {
					c.Char(s.char)
				}
				c.Key(s.key, ActionRelease, s.mods)
				if !slices.Equal(*got, []string{name}) {
					t.Errorf("%s, %s: got %q", layout, name, *got)
				}
			}
			if c.panel.State().Typing {
				t.Errorf("%s, %s: got its character typed into the filter", layout, name)
			}
		}
	}
}

// Without characters, keys have their places on a US layout.
func TestKeysWithoutCharactersHaveTheirPlaces(t *testing.T) {
	c := newTest(t)
	got := ran(c, layouts["us"].strokes)
	for name, s := range layouts["us"].strokes {
		*got = nil
		c.strike(s.key, s.mods)
		if !slices.Equal(*got, []string{name}) {
			t.Errorf("%s: got %q", name, *got)
		}
	}
	c.Key('Z', ActionPress, 0) // known by now, so it runs at once
	if (*got)[len(*got)-1] != "Z" {
		t.Errorf("Z pressed: got %q; want Z at once", *got)
	}
}

// A dead key is no command, nor is the character that it makes with the next key.
func TestDeadKeysAreNoCommands(t *testing.T) {
	c := newTest(t)
	got := ran(c, layouts["us"].strokes)
	c.enter('M', 0, 'm')
	*got = nil
	c.strike('[', 0) // ^ on a French keyboard
	c.enter('E', 0, 'ê')
	if len(*got) > 0 {
		t.Errorf("got %q; want none", *got)
	}
}

// The key of the search opens it with no character, wherever it is.
func TestTheSearchOpensEmptyOnAnyLayout(t *testing.T) {
	for layout, l := range layouts {
		s, has := l.strokes["/"]
		if !has {
			continue
		}
		c := newTest(t)
		for range 2 {
			c.enter(s.key, s.mods, s.char)
			c.enter('A', 0, 'a')
			if q := c.panel.State(); !q.Typing || q.Filter != "a" {
				t.Errorf("%s: got filter %q, typing %v; want a", layout, q.Filter, q.Typing)
			}
			c.strike(KeyEscape, 0)
		}
	}
}

// The key of the help turns its pages on any layout, although characters there are words to search.
func TestTheHelpTurnsOnAnyLayout(t *testing.T) {
	for layout, l := range layouts {
		s, has := l.strokes["?"]
		if !has {
			continue
		}
		c := newTest(t)
		c.enter(s.key, s.mods, s.char)
		c.layOut()
		pages := 0
		for ; pages < 50; pages++ {
			c.enter(s.key, s.mods, s.char)
			c.layOut()
			if q := c.panel.State(); !q.Help {
				break
			}
		}
		if pages == 0 || pages == 50 {
			t.Errorf("%s: got the help closed after %d presses; want some", layout, pages)
		}
	}
}

// shown returns the words on the pages of the help, in the order of drawing: keys are before their effect.
func (c *Controller) shown() (words []string) {
	c.panel.Run("help") // the signs
	c.layOut()
	c.panel.Run("help")
	for c.panel.State().Help {
		var l draw.List
		c.panel.Draw(&l, 1600, 1000, 1)
		for _, w := range l.AppendWords(nil) {
			words = append(words, strings.TrimSpace(w.Text))
		}
		c.panel.Run("help")
	}
	return words
}

// Footer, help and menus name a key as it is printed: the layout's character, if the host says it.
func TestKeysAreNamedAsTheyArePrinted(t *testing.T) {
	for _, test := range []struct {
		layout string
		chars  bool
		action string // words after the keys
		want   []string
	}{
		{"us", true, "card: histogram, callers, source", []string{"Z"}},
		{"us", false, "what the signs mean, then all keys", []string{"?"}},
		{"de", true, "card: histogram, callers, source", []string{"Z"}},
		{"de", true, "find zones by name", []string{"/", "Ctrl+F"}},
		{"de", false, "find zones by name", []string{"-", "Ctrl+F"}},
		{"de", false, "what the signs mean, then all keys", []string{"Shift+-"}},
		{"de", true, "view before, after this", []string{"Ctrl+Z", "Alt+→"}},
		{"fr", true, "report: self … slow frames", []string{"1", "2", "3", "4", "5", "6"}},
		{"ru", true, "card: histogram, callers, source", []string{"Я"}},
		{"ru", true, "view before, after this", []string{"Ctrl+Я", "Alt+→"}},
		{"ru", true, "slowest frame", []string{"Ь"}},
	} {
		c := newTest(t)
		labels := layouts[test.layout].labels
		c.SetKeyLabels(func(k Key) string {
			if labels[k] == "" {
				return strings.ToLower(string(rune(k)))
			}
			return labels[k]
		})
		if c.strike('H', 0); test.chars {
			c.enter('H', 0, 'h')
		}
		words := c.shown()
		at := slices.Index(words, test.action)
		if got := words[max(0, at-len(test.want)):max(0, at)]; !slices.Equal(got, test.want) {
			t.Errorf("%s, characters %v, %s: got %q; want %q", test.layout, test.chars, test.action, got, test.want)
		}
	}
}

// A window without characters on a keyboard of unknown layout says that keys have US places.
func TestTheHelpSaysUSPlaces(t *testing.T) {
	for _, test := range []struct{ chars, labels, says bool }{
		{false, false, true}, {true, false, false}, {false, true, false},
	} {
		c := newTest(t)
		if test.labels {
			c.SetKeyLabels(func(k Key) string { return string(rune(k)) })
		}
		for range 2 {
			if c.Key('H', ActionPress, 0); test.chars {
				c.Char('h')
			}
			c.Key('H', ActionRelease, 0)
		}
		says := slices.ContainsFunc(c.shown(), func(w string) bool { return strings.Contains(w, "US places") })
		if says != test.says {
			t.Errorf("%+v: got %v", test, says)
		}
	}
}

// A user may change the layout while the program runs. A window library may panic for a key that the keyboard lacks.
func TestANewLayoutShowsAtTheNextPress(t *testing.T) {
	c := newTest(t)
	z := "z"
	c.SetKeyLabels(func(k Key) string {
		switch k {
		case '`':
			panic("no such key")
		case 'Z':
			return z
		}
		return strings.ToLower(string(rune(k)))
	})
	for _, want := range []string{"Z", "Я"} {
		c.enter('H', 0, 'h')
		words := c.shown()
		if at := slices.Index(words, "card: histogram, callers, source"); at < 1 || words[at-1] != want {
			t.Errorf("got %q; want %s", words[max(at-1, 0)], want)
		}
		z = "я"
	}
}
