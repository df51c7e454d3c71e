package input

import (
	"sync"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// Controller turns events into controls for one session and its panel. Its methods may be called from any goroutine; each
// event method reports whether the overlay used the event, which the program should then not act upon.
type Controller struct {
	session *process.Session
	panel   *draw.Panel

	mu       sync.Mutex
	bindings []Binding
	keys     map[Key]bool    // pressed, and used by the overlay: their release is withheld too
	buttons  map[Button]bool // likewise
	scale    float32         // device pixels per window unit
	x, y     float32         // of the last cursor event, device pixels
	dragFrom float32         // y of the press on the graph
	dragging bool
	panning  bool // the call structure
	span     span
	after    command // of a press: to be run when the controller is free again
	click    click
	wheel    float64 // rows scrolled but not yet whole
	now      func() time.Time
	text     text
}

var (
	controllersMu sync.Mutex
	controllers   = map[*process.Session]*Controller{}
)

// ControllerFor returns the session's controller, which lives as long as the program; nil stands for the default session.
func ControllerFor(s *process.Session) *Controller {
	if s == nil {
		s = process.Default()
	}
	controllersMu.Lock()
	defer controllersMu.Unlock()
	c := controllers[s]
	if c == nil {
		c = newController(s)
		controllers[s] = c
	}
	return c
}

func newController(s *process.Session) *Controller {
	c := &Controller{
		session:  s,
		panel:    draw.PanelFor(s),
		bindings: append([]Binding(nil), defaults...),
		keys:     map[Key]bool{},
		buttons:  map[Button]bool{},
		scale:    1,
		now:      time.Now,
	}
	c.bindMenus()
	c.publish()
	return c
}

// Captured reports whether the overlay is visible and has the focus: a program that polls keys and mouse should then leave
// them alone.
func (c *Controller) Captured() bool { return c.panel.Mode() != draw.Off && c.panel.Focused() }

// SetScale tells how many device pixels a unit of cursor positions is: framebuffer width / window width, which is 2 on a
// Retina screen, and 1 where windows are measured in pixels. It starts at 1; what is not above 0 is ignored.
func (c *Controller) SetScale(pixelsPerUnit float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pixelsPerUnit > 0 {
		c.scale = pixelsPerUnit
	}
}

// Key handles a key going down, repeating, or coming up.
func (c *Controller) Key(key Key, action Action, mods Mods) (used bool) {
	do, used := c.takeKey(key, action, mods)
	if do != nil {
		c.run(do)
	}
	return used
}

// takeKey decides who gets the event, and what is to be done.
func (c *Controller) takeKey(key Key, action Action, mods Mods) (do command, used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if action == Release {
		used = c.keys[key]
		delete(c.keys, key)
		return nil, used
	}
	c.text.swallow = false
	if do, taken := c.takeModal(key, mods); taken {
		c.keys[key] = true
		return do, true
	}
	b, bound := c.find(key, mods)
	if !bound || !c.listens(b) {
		return nil, action == Repeat && c.keys[key]
	}
	c.keys[key] = true
	if action == Repeat && !b.Repeat {
		return nil, true
	}
	return b.Do, true
}

// listens reports whether the overlay would run a binding now. Hidden, it only waits to be shown.
func (c *Controller) listens(b Binding) bool {
	if c.panel.Mode() == draw.Off {
		return b.Always && b.Name != "focus"
	}
	return b.Always || c.panel.Focused()
}
