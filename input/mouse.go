package input

import "example.com/iprof/viewer"

// Cursor handles a move of the mouse to (x, y), in window units from the top left.
func (c *Controller) Cursor(x, y float64) (used bool) {
	c.mu.Lock()
	c.x, c.y = float32(x)*c.scale, float32(y)*c.scale
	e := c.mouseEvent()
	c.mu.Unlock()
	return c.panel.Mouse(e)
}

// mouseEvent returns the event of a move to the place of the mouse. The lock is held.
func (c *Controller) mouseEvent() viewer.MouseEvent {
	return viewer.MouseEvent{X: c.x, Y: c.y, Time: c.now()}
}

// Button handles the press or release of a mouse button, at the position of the last Cursor event.
func (c *Controller) Button(button Button, action Action, mods Mods) (used bool) {
	defer c.tellFocus()
	c.mu.Lock()
	e := c.mouseEvent()
	e.Action, e.Button = viewer.MousePress, button
	e.Shift, e.Control = mods&ModShift != 0, mods&ModControl != 0
	held := c.buttons[button]
	if action == ActionRelease {
		e.Action = viewer.MouseRelease
		delete(c.buttons, button)
	} else if c.focused() {
		c.buttons[button] = true
	}
	c.mu.Unlock()
	used = c.panel.Mouse(e)
	if action == ActionRelease {
		return held
	}
	if !used && !held {
		c.mu.Lock()
		delete(c.buttons, button)
		c.mu.Unlock()
	}
	return used
}

// Scroll handles the wheel. Both distances are in notches; scrolling down is negative.
func (c *Controller) Scroll(sideways, notches float64) (used bool) {
	c.mu.Lock()
	e := viewer.WheelEvent{X: c.x, Y: c.y, Sideways: sideways, Notches: notches}
	c.mu.Unlock()
	return c.panel.Wheel(e)
}
