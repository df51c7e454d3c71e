package input

import "example.com/iprof/gather"

// OnFocus adds a function that is called when the overlay takes keys and mouse, and when it returns them. Games that
// hide the cursor show it meanwhile, and forget its last position, so that their camera does not jump:
//
//	input.OnFocus(func(captured bool) {
//		if captured {
//			window.SetInputMode(glfw.CursorMode, glfw.CursorNormal)
//		} else {
//			window.SetInputMode(glfw.CursorMode, glfw.CursorDisabled)
//			camera.lastX, camera.lastY = window.GetCursorPos()
//		}
//	})
//
// It is for the default session. Any goroutine may call it. The function runs on the goroutine that delivers the event
// which changed Captured.
func OnFocus(f func(captured bool)) {
	if gather.Enabled {
		ControllerFor(nil).OnFocus(f)
	}
}

// OnFocus adds a function that is called with the new value of Captured when it changes: see the function OnFocus.
// After the program itself has changed the panel, the function is called at the next key or button. A nil function is
// ignored.
func (c *Controller) OnFocus(f func(captured bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f != nil {
		c.onFocus = append(c.onFocus, f)
	}
}

// tellFocus calls the functions of OnFocus if Captured has changed. The lock is not held.
func (c *Controller) tellFocus() {
	c.mu.Lock()
	now := c.holds()
	changed := now != c.captured
	c.captured = now
	tell := c.onFocus
	c.mu.Unlock()
	if !changed {
		return
	}
	for _, f := range tell {
		f(now)
	}
}
