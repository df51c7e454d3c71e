// Package input lets keys and mouse drive the overlay, whatever window library they come from: its callbacks have the shape
// of GLFW's, and type inference fits them to any binding.
//
//	window.SetKeyCallback(input.GLFW)
//	window.SetCursorPosCallback(input.GLFWCursor)
//	window.SetMouseButtonCallback(input.GLFWButton)
//	window.SetScrollCallback(input.GLFWScroll)
//	window.SetCharCallback(input.GLFWChar) // letters of any keyboard, for finding zones
//
// A program with callbacks of its own chains them; what the overlay used does not reach them:
//
//	window.SetKeyCallback(input.For(nil, onKey))
//
// F1 shows the overlay: a line, half, all, nothing. F2 gives it the focus: until then every other key is the program's, and
// so is the mouse. ? lists the keys.
package input

import "example.com/iprof/process"

// GLFW is a GLFW key callback for the default session.
func GLFW[W any, K, A, M ~int](_ W, key K, _ int, action A, mods M) {
	ControllerFor(nil).Key(Key(key), Action(action), Mods(mods))
}

// GLFWCursor is a GLFW cursor position callback for the default session.
func GLFWCursor[W any](_ W, x, y float64) { ControllerFor(nil).Cursor(x, y) }

// GLFWButton is a GLFW mouse button callback for the default session.
func GLFWButton[W any, B, A, M ~int](_ W, button B, action A, mods M) {
	ControllerFor(nil).Button(Button(button), Action(action), Mods(mods))
}

// GLFWScroll is a GLFW scroll callback for the default session.
func GLFWScroll[W any](_ W, dx, dy float64) { ControllerFor(nil).Scroll(dx, dy) }

// GLFWChar is a GLFW character callback for the default session. Without it the overlay takes keys for the characters of a US
// layout when a zone's name is typed.
func GLFWChar[W any](_ W, char rune) { ControllerFor(nil).Char(char) }

// Captured reports whether the default session's overlay has the focus, for programs that poll keys and mouse.
func Captured() bool { return ControllerFor(nil).Captured() }

// SetScale tells how many device pixels a unit of cursor positions is, for the default session: see Controller.SetScale.
func SetScale(pixelsPerUnit float32) { ControllerFor(nil).SetScale(pixelsPerUnit) }

// For makes a key callback that serves the session first (nil: the default one), and the program's own callback with what
// the overlay did not use.
func For[W any, K, A, M ~int](s *process.Session, host func(W, K, int, A, M)) func(W, K, int, A, M) {
	c := ControllerFor(s)
	return func(w W, key K, scancode int, action A, mods M) {
		if !c.Key(Key(key), Action(action), Mods(mods)) && host != nil {
			host(w, key, scancode, action, mods)
		}
	}
}

// ForCursor is For, for cursor position callbacks.
func ForCursor[W any](s *process.Session, host func(W, float64, float64)) func(W, float64, float64) {
	c := ControllerFor(s)
	return func(w W, x, y float64) {
		if !c.Cursor(x, y) && host != nil {
			host(w, x, y)
		}
	}
}

// ForButton is For, for mouse button callbacks.
func ForButton[W any, B, A, M ~int](s *process.Session, host func(W, B, A, M)) func(W, B, A, M) {
	c := ControllerFor(s)
	return func(w W, button B, action A, mods M) {
		if !c.Button(Button(button), Action(action), Mods(mods)) && host != nil {
			host(w, button, action, mods)
		}
	}
}

// ForChar is For, for character callbacks.
func ForChar[W any](s *process.Session, host func(W, rune)) func(W, rune) {
	c := ControllerFor(s)
	return func(w W, char rune) {
		if !c.Char(char) && host != nil {
			host(w, char)
		}
	}
}

// ForScroll is For, for scroll callbacks.
func ForScroll[W any](s *process.Session, host func(W, float64, float64)) func(W, float64, float64) {
	c := ControllerFor(s)
	return func(w W, dx, dy float64) {
		if !c.Scroll(dx, dy) && host != nil {
			host(w, dx, dy)
		}
	}
}
