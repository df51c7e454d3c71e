package glfwhost

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/examples/hosts"
	"example.com/iprof/input"
	"example.com/iprof/internal/xvfbtest"
	"example.com/iprof/viewer"
)

// camera turns by the movement of a hidden cursor, and shows it to the overlay as input.OnFocus says.
type camera struct {
	window *glfw.Window
	x, y   float64 // the cursor's latest position
	turned float64
}

func (c *camera) focus(captured bool) {
	if captured {
		c.window.SetInputMode(glfw.CursorMode, glfw.CursorNormal)
		return
	}
	c.window.SetInputMode(glfw.CursorMode, glfw.CursorDisabled)
	c.x, c.y = c.window.GetCursorPos()
}

// frames lets the window system answer, and turns the camera as a game that polls does.
func (c *camera) frames() {
	for range 20 {
		glfw.WaitEventsTimeout(0.01)
		x, y := c.window.GetCursorPos()
		if !input.Captured() {
			c.turned += x - c.x + y - c.y
			c.x, c.y = x, y
		}
	}
}

// turn is the program of TestTheCameraDoesNotJump. It prints nothing if all is well.
func turn() error {
	h := Host{Title: "test", Major: 3, Minor: 3, Core: true}
	window, err := h.open()
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	hosts.Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	c := camera{window: window}
	input.OnFocus(c.focus)
	window.Focus() // a cursor is hidden in the window with the keyboard only
	for window.GetAttrib(glfw.Focused) == glfw.False {
		glfw.WaitEventsTimeout(0.01)
	}
	c.focus(false)
	c.frames()
	c.turned = 0 // without what the window system moved meanwhile
	window.SetCursorPos(c.x+5, c.y)
	c.frames()
	if c.turned != 5 {
		return fmt.Errorf("the mouse moved by 5: got a camera turned by %v", c.turned)
	}
	for i, key := range []glfw.Key{glfw.KeyF2, glfw.KeyEscape} {
		input.GLFW(window, key, 0, glfw.Press, 0)
		c.frames()
		input.GLFW(window, key, 0, glfw.Release, 0)
		shown := window.GetInputMode(glfw.CursorMode) == glfw.CursorNormal
		if want := key == glfw.KeyF2; input.Captured() != want || shown != want {
			return fmt.Errorf("key %d: got captured %v, a cursor shown %v; want %v", i, input.Captured(), shown, want)
		}
		if input.Captured() {
			window.SetCursorPos(300, 250)
		}
		c.frames()
	}
	if c.turned != 5 {
		return fmt.Errorf("back from the overlay: got a camera turned by %v; want 5, as before", c.turned)
	}
	return nil
}

// A game with a hidden cursor shows it while the overlay has the mouse. Its camera does not jump afterwards.
func TestTheCameraDoesNotJump(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HOST_TEST_MAIN=turn", "DISPLAY="+xvfbtest.Start(t), "LIBGL_ALWAYS_SOFTWARE=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
