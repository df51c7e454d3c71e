// Package input connects the keyboard and the mouse to the profiler's overlay. It imports no window library. Its
// callbacks have the parameters of GLFW's callbacks, and type inference fits them to any binding:
//
//	window.SetKeyCallback(input.GLFW)
//	window.SetCursorPosCallback(input.GLFWCursor)
//	window.SetMouseButtonCallback(input.GLFWButton)
//	window.SetScrollCallback(input.GLFWScroll)
//	window.SetCharCallback(input.GLFWChar) // keys such as ? and / on any layout, and names of zones
//	input.SetKeyLabels(glfw.GetKeyName)    // keys with Ctrl and Alt on any layout
//
// A program that has callbacks of its own wraps them. They receive only the events that the overlay did not use:
//
//	window.SetKeyCallback(input.For(nil, onKey))
//
// Games that hide the cursor show it while the overlay has the focus: see [OnFocus].
//
// In programs built with the tag iprof_off, the functions for the default session do nothing, and the program links
// neither the overlay nor its fonts. The methods of a [Controller] work, for a program that shows a capture.
//
// F1 goes through the overlay's modes: half the screen, the whole screen, one line, hidden. F2 gives the overlay the
// focus. Without the focus, all other keys and the mouse belong to the program. The ? key explains the signs on the
// screen and lists all keys.
package input

import "example.com/iprof/gather"

// GLFW is a GLFW key callback for the default session. Any goroutine may call it.
func GLFW[W any, K, A, M ~int](_ W, key K, _ int, action A, mods M) {
	if gather.Enabled {
		ControllerFor(nil).Key(Key(key), Action(action), Mods(mods))
	}
}

// GLFWCursor is a GLFW cursor position callback for the default session. The position is in window units from the top
// left: see [SetScale]. Any goroutine may call it.
func GLFWCursor[W any](_ W, x, y float64) {
	if gather.Enabled {
		ControllerFor(nil).Cursor(x, y)
	}
}

// GLFWButton is a GLFW mouse button callback for the default session. Any goroutine may call it.
func GLFWButton[W any, B, A, M ~int](_ W, button B, action A, mods M) {
	if gather.Enabled {
		ControllerFor(nil).Button(Button(button), Action(action), Mods(mods))
	}
}

// GLFWScroll is a GLFW scroll callback for the default session. Any goroutine may call it.
func GLFWScroll[W any](_ W, dx, dy float64) {
	if gather.Enabled {
		ControllerFor(nil).Scroll(dx, dy)
	}
}

// GLFWChar is a GLFW character callback for the default session. In a program that does not install it the overlay
// reads the keys as those of a US layout. Any goroutine may call it.
func GLFWChar[W any](_ W, char rune) {
	if gather.Enabled {
		ControllerFor(nil).Char(char)
	}
}

// Captured reports whether the default session's overlay has the focus. Programs that poll keys and mouse need it. Any
// goroutine may call it.
func Captured() bool { return gather.Enabled && ControllerFor(nil).Captured() }

// SetScale sets the number of device pixels in one unit of cursor positions, for the default session: see
// Controller.SetScale.
func SetScale(pixelsPerUnit float32) {
	if gather.Enabled {
		ControllerFor(nil).SetScale(pixelsPerUnit)
	}
}

// For returns a key callback that serves a controller first. It calls host with the events that the overlay did not
// use. A nil controller means that of the default session: see [ControllerFor]. A nil host is allowed. Any goroutine
// may call the callback.
//
// In programs built with the tag iprof_off, For(nil, host) is host.
func For[W any, K, A, M ~int](c *Controller, host func(W, K, int, A, M)) func(W, K, int, A, M) {
	if !gather.Enabled && c == nil { // this part is inlined, so that a program links no overlay
		return host
	}
	return keyFor(c, host)
}

func keyFor[W any, K, A, M ~int](c *Controller, host func(W, K, int, A, M)) func(W, K, int, A, M) {
	c = orDefault(c)
	return func(w W, key K, scancode int, action A, mods M) {
		if !c.Key(Key(key), Action(action), Mods(mods)) && host != nil {
			host(w, key, scancode, action, mods)
		}
	}
}

// ForCursor returns a cursor position callback. It works like For.
func ForCursor[W any](c *Controller, host func(W, float64, float64)) func(W, float64, float64) {
	if !gather.Enabled && c == nil { // inlined, so that a program links no overlay
		return host
	}
	return cursorFor(c, host)
}

func cursorFor[W any](c *Controller, host func(W, float64, float64)) func(W, float64, float64) {
	c = orDefault(c)
	return func(w W, x, y float64) {
		if !c.Cursor(x, y) && host != nil {
			host(w, x, y)
		}
	}
}

// ForButton returns a mouse button callback. It works like For.
func ForButton[W any, B, A, M ~int](c *Controller, host func(W, B, A, M)) func(W, B, A, M) {
	if !gather.Enabled && c == nil { // inlined, so that a program links no overlay
		return host
	}
	return buttonFor(c, host)
}

func buttonFor[W any, B, A, M ~int](c *Controller, host func(W, B, A, M)) func(W, B, A, M) {
	c = orDefault(c)
	return func(w W, button B, action A, mods M) {
		if !c.Button(Button(button), Action(action), Mods(mods)) && host != nil {
			host(w, button, action, mods)
		}
	}
}

// ForChar returns a character callback. It works like For.
func ForChar[W any](c *Controller, host func(W, rune)) func(W, rune) {
	if !gather.Enabled && c == nil { // inlined, so that a program links no overlay
		return host
	}
	return charFor(c, host)
}

func charFor[W any](c *Controller, host func(W, rune)) func(W, rune) {
	c = orDefault(c)
	return func(w W, char rune) {
		if !c.Char(char) && host != nil {
			host(w, char)
		}
	}
}

// ForScroll returns a scroll callback. It works like For.
func ForScroll[W any](c *Controller, host func(W, float64, float64)) func(W, float64, float64) {
	if !gather.Enabled && c == nil { // inlined, so that a program links no overlay
		return host
	}
	return scrollFor(c, host)
}

func scrollFor[W any](c *Controller, host func(W, float64, float64)) func(W, float64, float64) {
	c = orDefault(c)
	return func(w W, dx, dy float64) {
		if !c.Scroll(dx, dy) && host != nil {
			host(w, dx, dy)
		}
	}
}
