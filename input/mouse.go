package input

import (
	"math"
	"time"

	"example.com/iprof/viewer"
)

const (
	doubleClick  = 400 * time.Millisecond
	doubleRadius = 5 // greatest distance between the two clicks, device pixels
	rowsPerNotch = 3
)

// click is the last press. The next press may complete a double click.
type click struct {
	at   time.Time
	x, y float32
}

// Cursor handles a move of the mouse to (x, y), in window units from the top left.
func (c *Controller) Cursor(x, y float64) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dx, dy := float32(x)*c.scale-c.x, float32(y)*c.scale-c.y
	c.x, c.y = c.x+dx, c.y+dy
	if !c.focused() {
		c.dropDrag()
		c.panel.SetHover(float32(math.NaN()), 0)
		return false
	}
	c.dragTo(dx, dy)
	return c.drag != dragNothing || c.over().Kind != viewer.HitNone
}

// Button handles the press or release of a mouse button, at the position of the last Cursor event.
func (c *Controller) Button(button Button, action Action, mods Mods) (used bool) {
	defer c.tellFocus()
	run, used := c.takeButton(button, action, mods)
	if run.here {
		c.panel.RunAt(run.name, run.x, run.y)
	} else {
		c.panel.Run(run.name)
	}
	return used
}

// after is the command of a press, which runs when the controller's lock is released. The name "" means no command.
type after struct {
	name string
	here bool // runs at the place of the mouse
	x, y float32
}

// runHere runs a command at the place of the mouse.
func (c *Controller) runHere(name string) { c.after = after{name, true, c.x, c.y} }

// takeButton decides whether the overlay uses the event, and returns the command to run. Button runs it without the
// lock.
func (c *Controller) takeButton(button Button, action Action, mods Mods) (run after, used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if action == ActionRelease {
		if button == ButtonLeft || button == ButtonMiddle && c.drag == dragHistory {
			c.endDrag()
		}
		used = c.buttons[button]
		delete(c.buttons, button)
		return after{}, used
	}
	if !c.focused() {
		return after{}, false
	}
	hit := c.over()
	if hit.Kind == viewer.HitNone && c.panel.Options().Mode != viewer.PanelFull {
		return after{}, false
	}
	c.buttons[button] = true
	c.panel.EndTip()
	before := c.session.View()
	c.after = after{}
	switch button {
	case ButtonLeft:
		c.press(hit, mods)
	case ButtonMiddle:
		if hit.Kind == viewer.HitGraph || hit.Kind == viewer.HitAxis {
			c.endDrag()
			c.drag = dragHistory
		}
	case ButtonRight:
		c.pressRight(hit)
	}
	c.panel.Remember(before)
	return c.after, true
}

// Scroll handles the wheel. Both distances are in notches; scrolling down is negative.
func (c *Controller) Scroll(sideways, notches float64) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hit := c.over()
	if !c.focused() || hit.Kind == viewer.HitNone && c.panel.Options().Mode != viewer.PanelFull {
		return false
	}
	c.panel.EndTip()
	switch {
	case hit.Kind == viewer.HitIcicle || hit.Kind == viewer.HitStructure:
		c.panel.Zoom(c.x, notches)
	case hit.Kind == viewer.HitGraph || hit.Kind == viewer.HitAxis || hit.Kind == viewer.HitRibbon:
		c.panel.ZoomHistory(c.x, sideways, notches)
	case c.scrollTimeline(hit, sideways, notches):
	default:
		c.panel.Scroll(c.rows(notches))
	}
	return true
}

// rows returns the number of whole rows to scroll down. It keeps the rest for the next event.
func (c *Controller) rows(notches float64) int {
	c.wheel -= notches * rowsPerNotch
	rows := int(c.wheel)
	c.wheel -= float64(rows)
	return rows
}

// over returns the part of the overlay under the mouse.
func (c *Controller) over() viewer.Hit { return c.panel.HitAt(c.x, c.y) }
