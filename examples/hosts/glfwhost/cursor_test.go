package glfwhost

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/examples/hosts"
	"example.com/iprof/input"
	"example.com/iprof/internal/xvfbtest"
	"example.com/iprof/viewer"
	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
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

// misdeeds are changes that an overlay might leave behind, each with a word of the complaint.
var misdeeds = []struct {
	word string
	do   func()
}{
	{"", func() {}},
	{"blend on", func() { gl.Enable(gl.BLEND) }},
	{"depth function", func() { gl.DepthFunc(gl.ALWAYS) }},
	{"clear colour", func() { gl.ClearColor(1, 0, 0, 0) }},
	{"viewport", func() { gl.Viewport(0, 0, 10, 10) }},
	{"active texture", func() { gl.ActiveTexture(gl.TEXTURE3) }},
	{"unpack alignment", func() { gl.PixelStorei(gl.UNPACK_ALIGNMENT, 1) }},
	{"texture 0", func() { var t uint32; gl.GenTextures(1, &t); gl.BindTexture(gl.TEXTURE_2D, t) }},
	{"attribute 5", func() {
		var v uint32
		gl.GenVertexArrays(1, &v)
		gl.BindVertexArray(v)
		gl.EnableVertexAttribArray(5)
	}},
	{"depth buffer", func() { gl.ClearDepth(0.25); gl.Clear(gl.DEPTH_BUFFER_BIT) }},
	{"pixel (0, 0)", func() { gl.ClearColor(1, 1, 1, 1); gl.Clear(gl.COLOR_BUFFER_BIT) }},
	{"GL error", func() { gl.Enable(0xFFFF) }},
}

// TestMain makes the test binary be a host if the environment says so: a window belongs to the main thread.
func TestMain(m *testing.M) {
	if os.Getenv("HOST_TEST_MAIN") == "" {
		os.Exit(m.Run())
	}
	if os.Getenv("HOST_TEST_MAIN") == "turn" {
		if err := turn(); err != nil {
			fmt.Println(err)
		}
		return
	}
	for _, d := range misdeeds {
		err := misbehave(d.do)
		if (err == nil) != (d.word == "") || err != nil && !strings.Contains(err.Error(), d.word) {
			fmt.Printf("left behind %q: got %v; want a complaint about it\n", d.word, err)
		}
	}
}

// misbehave does something in place of an overlay, in a window of its own.
func misbehave(do func()) error {
	h := Host{Title: "test", Major: 3, Minor: 3, Core: true}
	if _, err := h.open(); err != nil {
		return err
	}
	defer glfw.Terminate()
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	hosts.Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	return checked(64, 48, func() error { do(); return nil })
}

func TestMisdeedsAreSeen(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HOST_TEST_MAIN=1", "DISPLAY="+xvfbtest.Start(t), "LIBGL_ALWAYS_SOFTWARE=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
