package input

import (
	"testing"
	"time"

	"example.com/iprof/viewer"
)

// polled is a library that is asked for the state of its keys, which have names.
type polled struct {
	held map[string]bool
	now  time.Time
	*Poller[string]
}

func newPolled(t *testing.T) *polled {
	c := newTest(t)
	p := &polled{held: map[string]bool{}, now: time.Unix(1000, 0)}
	c.now = func() time.Time { return p.now }
	p.Poller = &Poller[string]{Controller: c, Down: func(key string) bool { return p.held[key] },
		Keys: map[string]Key{"down": KeyDown, "left": KeyLeft, "shift": KeyRightShift, "f1": KeyF1, "escape": KeyEscape,
			"w": 'W'}}
	return p
}

// hold holds the keys alone for a frame.
func (p *polled) hold(keys ...string) {
	clear(p.held)
	for _, k := range keys {
		p.held[k] = true
	}
	p.Poll(Mouse{})
}

func TestPolledKeysDriveTheSession(t *testing.T) {
	p := newPolled(t)
	p.hold("down")
	p.hold("down")
	if got := p.Controller.session.View().Get().Cursor; got != 1 {
		t.Errorf("down held for two frames: got cursor %d; want 1, one press", got)
	}
	p.hold()
	p.hold("shift", "left")
	p.hold()
	if got := p.Controller.session.View().Get().Age; got != 10 {
		t.Errorf("Shift and left: got age %d; want 10", got)
	}
}

func TestPolledKeysRepeat(t *testing.T) {
	p := newPolled(t)
	p.hold("down")
	for _, step := range []struct {
		after  time.Duration
		cursor int
	}{{400 * time.Millisecond, 1}, {100 * time.Millisecond, 2}, {10 * time.Millisecond, 2},
		{40 * time.Millisecond, 3}} {
		p.now = p.now.Add(step.after)
		if p.hold("down"); p.Controller.session.View().Get().Cursor != step.cursor {
			t.Errorf("%v later: got cursor %d; want %d", step.after, p.Controller.session.View().Get().Cursor,
				step.cursor)
		}
	}
}

// The program sees neither the Escape that gives the focus back, nor F1.
func TestAPollingProgramSeesNoKeyOfTheOverlay(t *testing.T) {
	p := newPolled(t)
	p.hold("escape")
	if !p.Controller.Captured() || !p.Used("escape") {
		t.Error("Escape held: got free for the program; want it captured")
	}
	p.hold()
	if p.Controller.Captured() || p.Used("escape") {
		t.Error("Escape released: got captured; want the keys to be the program's")
	}
	p.hold("f1", "w")
	if !p.Used("f1") || p.Used("w") || p.Controller.Captured() {
		t.Errorf("F1 and W without the focus: got used %v and %v; want F1 alone", p.Used("f1"), p.Used("w"))
	}
}

func TestPolledMouse(t *testing.T) {
	p := newPolled(t)
	row := p.Controller.session.View().Get().Cursor
	for y := 100.0; y < testHeight && row == 0; y += 4 { // a click on another row than the first
		p.Poll(Mouse{X: 200, Y: y})
		p.Poll(Mouse{X: 200, Y: y, Left: true})
		p.Poll(Mouse{X: 200, Y: y})
		p.now = p.now.Add(time.Second) // no double click
		row = p.Controller.session.View().Get().Cursor
	}
	if row == 0 {
		t.Error("clicks down the screen: got no row chosen; want one")
	}
}

func TestThePolledWheelScrolls(t *testing.T) {
	p, same := newPolled(t), newTest(t)
	x, y := same.place(t, record(0))
	p.Controller.layOut()
	_, before := same.place(t, record(5))
	p.Poll(Mouse{X: x, Y: y, ScrollY: -1})
	same.Cursor(x, y)
	same.Scroll(0, -1)
	p.Controller.layOut()
	same.layOut()
	_, got := p.Controller.place(t, record(5))
	if _, want := same.place(t, record(5)); got != want || want == before {
		t.Errorf("got a row at %v; want it at %v, as of the same events, and no longer at %v", got, want, before)
	}
}

func TestGLFWKeysAreTheirOwnNumbers(t *testing.T) {
	keys := GLFWKeys[int32]()
	for _, b := range defaults() {
		if keys[int32(b.Key)] != b.Key {
			t.Errorf("key %d: got %d; want the same", b.Key, keys[int32(b.Key)])
		}
	}
}

// A Poller whose session nobody looks at costs the program no key.
func TestAHiddenOverlayTakesF1Alone(t *testing.T) {
	p := newPolled(t)
	p.Controller.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelOff, false })
	p.hold("down", "escape", "w", "f1")
	for key, want := range map[string]bool{"down": false, "escape": false, "w": false, "f1": true} {
		if p.Used(key) != want {
			t.Errorf("%s: got used %v; want %v", key, p.Used(key), want)
		}
	}
}
