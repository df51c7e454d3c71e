package input

import (
	"slices"
	"testing"

	"example.com/iprof/viewer"
)

// A game that polls sees the key that gave it the focus back, unless the overlay keeps it until its release.
func TestEscapeStaysCapturedUntilItsRelease(t *testing.T) {
	c := newTest(t)
	c.Key(KeyEscape, ActionPress, 0)
	if c.panel.Options().Focused || !c.Captured() {
		t.Errorf("Escape down: got focused %v, captured %v; want the focus given back, and still captured",
			c.panel.Options().Focused, c.Captured())
	}
	c.Key(KeyEscape, ActionRepeat, 0)
	if !c.Captured() {
		t.Error("Escape held: got not captured; want captured until its release")
	}
	c.Key(KeyEscape, ActionRelease, 0)
	if c.Captured() {
		t.Error("Escape up: got captured; want the keys to be the program's")
	}
}

// F1 without the focus takes no other key from the program.
func TestTheOverlaysKeyCapturesNothingWithoutTheFocus(t *testing.T) {
	c := newTest(t)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	if !c.Key(KeyF1, ActionPress, 0) || c.Captured() {
		t.Errorf("F1 down: got captured %v; want F1 used and nothing captured", c.Captured())
	}
	if !c.Key(KeyF1, ActionRelease, 0) {
		t.Error("F1 up: got not used; want its release used, too")
	}
}

func TestOnFocusFollowsCaptured(t *testing.T) {
	c := newTest(t)
	c.panel.Change(func(o *viewer.Options) { o.Focused = false })
	var got []bool
	c.OnFocus(nil)
	c.OnFocus(func(captured bool) {
		if captured != c.Captured() {
			t.Errorf("got %v while Captured is %v; want the same", captured, c.Captured())
		}
		got = append(got, captured)
	})
	for _, step := range []struct {
		key    Key
		action Action
		want   []bool
	}{
		{'W', ActionPress, nil},
		{KeyF2, ActionPress, []bool{true}},
		{KeyF2, ActionRelease, nil},
		{KeyDown, ActionPress, nil},
		{KeyEscape, ActionPress, nil},
		{KeyDown, ActionRelease, nil},
		{KeyEscape, ActionRelease, []bool{false}},
	} {
		got = nil
		if c.Key(step.key, step.action, 0); !slices.Equal(got, step.want) {
			t.Errorf("key %d, action %d: got %v; want %v", step.key, step.action, got, step.want)
		}
	}
}

// Where the program itself takes the focus away, the next event says so.
func TestOnFocusAfterTheProgramsOwnChange(t *testing.T) {
	c := newTest(t)
	var got []bool
	c.OnFocus(func(captured bool) { got = append(got, captured) })
	c.strike(KeyDown, 0)
	c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	c.Button(ButtonLeft, ActionPress, 0)
	if !slices.Equal(got, []bool{true, false}) {
		t.Errorf("got %v; want captured, then not", got)
	}
}
