package input

import (
	"sync"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// A Controller translates a host's events into those of one panel: see [viewer.Panel.Key], Mouse and Wheel.
// Any goroutine may call its methods. Each event method reports whether the overlay used the event. The program should
// ignore an event that the overlay used.
type Controller struct {
	panel *viewer.Panel

	mu       sync.Mutex
	bindings []Binding
	keys     map[Key]bool    // pressed keys that the overlay used; true: with the focus, so it uses the release, too
	buttons  map[Button]bool // the same for buttons
	onFocus  []func(captured bool)
	captured bool                 // value last passed to the functions of onFocus
	label    func(key Key) string // see SetKeyLabels; may be nil
	labels   map[Key]string       // what the layout prints on keys, in upper case
	scale    float32              // device pixels per window unit
	x, y     float32              // position in the last cursor event, device pixels
	now      func() time.Time
	polling  polling
}

// polling has the methods that a Poller calls. A Poller calls them through this interface, so that a program built with
// the tag iprof_off, which makes no Controller, does not link them.
type polling struct {
	key    func(Key, Action, Mods) bool
	button func(Button, Action, Mods) bool
	cursor func(x, y float64) bool
	scroll func(dx, dy float64) bool
	char   func(rune) bool
}

var (
	controllersMu sync.Mutex
	controllers   map[*process.Session]*Controller
)

// ControllerFor returns the controller of a session's own panel. Each session has one such controller, which lives as
// long as the program. A nil session means the default session. Any goroutine may call it. A second window has a
// controller of its own: see [NewController].
func ControllerFor(s *process.Session) *Controller {
	if s == nil {
		s = process.Default()
	}
	controllersMu.Lock()
	defer controllersMu.Unlock()
	c := controllers[s]
	if c == nil {
		if controllers == nil {
			controllers = map[*process.Session]*Controller{}
		}
		c = NewController(viewer.PanelFor(s))
		controllers[s] = c
	}
	return c
}

// orDefault returns the controller, or that of the default session in place of nil.
func orDefault(c *Controller) *Controller {
	if c == nil {
		return ControllerFor(nil)
	}
	return c
}

// NewController returns a controller of a panel, such as that of a second window: see [viewer.NewPanel]. The caller
// keeps it. Of several controllers of one panel, the last one whose bindings changed names the keys that the panel
// shows. Any goroutine may call it.
func NewController(p *viewer.Panel) *Controller {
	c := &Controller{
		panel:    p,
		bindings: defaults(),
		keys:     map[Key]bool{},
		buttons:  map[Button]bool{},
		scale:    1,
		now:      time.Now,
	}
	c.polling = polling{key: c.Key, button: c.Button, cursor: c.Cursor, scroll: c.Scroll, char: c.Char}
	c.publish()
	return c
}

// Captured reports whether keys and mouse belong to the overlay. A program that polls keys and mouse should ignore them
// meanwhile. It is true while the overlay is visible and has the focus. It stays true until every key and button that
// the overlay used with the focus is released, so the program does not see the Escape that returned the focus.
func (c *Controller) Captured() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.holds()
}

// focused reports whether the overlay is visible and has the focus.
func (c *Controller) focused() bool {
	o := c.panel.Options()
	return o.Mode != viewer.PanelOff && o.Focused
}

// holds is Captured with the lock held.
func (c *Controller) holds() bool {
	if c.focused() || len(c.buttons) > 0 {
		return true
	}
	for _, focused := range c.keys {
		if focused {
			return true
		}
	}
	return false
}

// SetScale sets the number of device pixels in one unit of cursor positions. That is the width of the framebuffer
// divided by the width of the window: 2 on a Retina screen, and 1 on systems that measure windows in pixels. The scale
// is 1 at first. Values that are not above 0 are ignored.
func (c *Controller) SetScale(pixelsPerUnit float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pixelsPerUnit > 0 {
		c.scale = pixelsPerUnit
	}
}

// Key handles the press, the repeat or the release of a key.
func (c *Controller) Key(key Key, action Action, mods Mods) (used bool) {
	defer c.tellFocus()
	c.mu.Lock()
	held, was := c.keys[key]
	focused := c.focused()
	if action == ActionRelease {
		delete(c.keys, key)
		c.mu.Unlock()
		c.panel.Key(viewer.KeyEvent{Key: c.keyName(key, mods&anyMod), Up: true})
		return was
	}
	if focused { // so that Captured stays true while a command runs
		c.keys[key] = true
	}
	if action == ActionPress && c.readLabels() { // the user has changed the layout
		c.publish()
	}
	c.mu.Unlock()
	e := viewer.KeyEvent{Key: c.keyName(key, mods&anyMod), Char: charOf(key, mods), Repeat: action == ActionRepeat}
	used = c.panel.Key(e)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case used:
		c.keys[key] = focused || held
	case was:
		c.keys[key] = held
	default:
		delete(c.keys, key)
	}
	return used || was && e.Repeat
}

// Char handles a typed character, after the press of its key. It is the key of a command, such as "/", whatever keys
// the user's layout has for it. Or it is text, while the user types the name of a zone, or words to search.
func (c *Controller) Char(r rune) (used bool) { return c.panel.Key(viewer.KeyEvent{Char: r}) }
