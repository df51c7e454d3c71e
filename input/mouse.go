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
		c.dragging, c.panning, c.measuring, c.widening, c.span = false, false, false, false, span{}
		c.endRibbon()
		c.sliding, c.brushing = false, false
		c.panel.SetHover(float32(math.NaN()), 0)
		return false
	}
	if c.panning {
		c.panel.Pan(dx, dy)
	}
	if c.measuring {
		c.panel.DragRuler(c.x, c.y)
	}
	if c.widening {
		c.panel.DragColumn(c.x)
	}
	if c.ribbon {
		c.panel.DragRibbon(c.x)
	}
	if c.brushing {
		c.panel.DragBrush(c.x)
	}
	if c.sliding {
		c.panel.SlideHistory(dx)
	}
	c.panel.SetHover(c.x, c.y)
	if c.dragging {
		c.showFrameUnder()
	}
	if c.span.on {
		c.dragSpan()
	}
	drags := c.brushing || c.dragging || c.panning || c.measuring || c.widening || c.ribbon || c.sliding || c.span.on
	return drags || c.over().Kind != viewer.HitNone
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

// after is the command of a press, which runs when the controller's lock is released. The name "" is none.
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
		if button == ButtonLeft {
			c.endSpan()
			c.measuring, c.widening = false, false
			c.endRibbon()
			c.endBrush()
		}
		if button == ButtonLeft || button == ButtonMiddle {
			c.sliding = false
		}
		used = c.buttons[button]
		delete(c.buttons, button)
		c.dragging, c.panning = c.dragging && button != ButtonLeft, c.panning && button != ButtonLeft
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
	before := c.session.View()
	c.after = after{}
	switch button {
	case ButtonLeft:
		c.press(hit, mods)
	case ButtonMiddle:
		c.sliding = hit.Kind == viewer.HitGraph || hit.Kind == viewer.HitAxis
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

// endRibbon ends a drag of the window on the whole run.
func (c *Controller) endRibbon() {
	if c.ribbon {
		c.ribbon = false
		c.panel.EndRibbon()
	}
}

// endBrush ends a drag over a histogram: the frames or calls of the range are listed.
func (c *Controller) endBrush() {
	if c.brushing {
		c.brushing = false
		c.panel.EndBrush()
	}
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
