// Package glfwhost opens a window with OpenGL and runs a frame loop, with the profiler's overlay on top.
//
//	func main() { glfwhost.Main(glfwhost.Host{Title: "host", Major: 3, Minor: 3, Core: true, Start: start}) }
package glfwhost

import (
	"fmt"
	"os"
	"runtime"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/examples/hosts"
	"example.com/iprof/input"
)

// Host describes a program with a window of its own.
type Host struct {
	Title        string
	Major, Minor int  // of OpenGL
	Core         bool // core profile, forward-compatible

	// Start makes the objects that the host draws with. Its context is current in Start and in draw, the function
	// that it returns.
	Start func() (draw func(w *hosts.World, width, height int), err error)
}

// swap is waiting, not work. It is shown grey and does not count against the budget.
var swap = iprof.Zone{Name: "vsync", Idle: true} // profiler

func init() {
	runtime.LockOSThread() // GLFW requires the main thread
}

// Main is the host's main function.
func Main(h Host) {
	o, err := hosts.Parse()
	if err == nil {
		err = h.run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, h.Title+":", err)
		os.Exit(1)
	}
}

func (h *Host) run(o *hosts.Options) error {
	window, err := h.open()
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	draw, err := h.Start()
	if err != nil {
		return err
	}
	world := hosts.NewWorld()
	for frame := 1; !window.ShouldClose(); frame++ {
		width, height := window.GetFramebufferSize()
		world.Step()
		render(draw, world, width, height)
		if err := overlay(o, width, height); err != nil {
			return fmt.Errorf("frame %d: %w", frame, err)
		}
		if frame == o.Frames {
			return hosts.Save(o.Screenshot, readPixels(width, height))
		}
		present(window)
		glfw.PollEvents()
		iprof.Update() // profiler: the end of the frame
	}
	return nil
}

func render(draw func(*hosts.World, int, int), world *hosts.World, width, height int) {
	defer profgl.Begin("render").End() // profiler: a zone of the CPU and of the GPU
	draw(world, width, height)
}

// overlay draws the overlay, and with -check verifies that it changed nothing else.
func overlay(o *hosts.Options, width, height int) error {
	if o.Check {
		return checked(width, height, profgl.Overlay)
	}
	return profgl.Overlay() // profiler: the picture
}

// present shows the frame and waits for the screen.
func present(window *glfw.Window) {
	defer swap.Begin().End() // profiler: the idle zone
	window.SwapBuffers()
}

// onKey is the host's own key callback.
func onKey(window *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
	if key == glfw.KeyEscape && action == glfw.Press {
		window.SetShouldClose(true)
	}
}

// open starts GLFW and opens a window with the host's version of OpenGL.
func (h *Host) open() (window *glfw.Window, err error) {
	defer func() { // without a display Init returns no error, and the next call panics
		if recover() != nil {
			err = fmt.Errorf("no display (DISPLAY is %q): try xvfb-run -a", os.Getenv("DISPLAY"))
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, err
	}
	glfw.WindowHint(glfw.ContextVersionMajor, h.Major)
	glfw.WindowHint(glfw.ContextVersionMinor, h.Minor)
	if h.Core {
		glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
		glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	}
	window, err = glfw.CreateWindow(960, 540, h.Title, nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	glfw.SwapInterval(1)
	window.SetKeyCallback(input.For(nil, onKey)) // profiler: keys; what the overlay used does not reach onKey
	window.SetCursorPosCallback(input.GLFWCursor)
	window.SetMouseButtonCallback(input.GLFWButton)
	window.SetScrollCallback(input.GLFWScroll)
	window.SetCharCallback(input.GLFWChar)
	return window, gl.Init()
}
