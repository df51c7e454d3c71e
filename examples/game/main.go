// Game is a program of its own with the profiler's overlay on top: a small game in a GLFW window, drawn with OpenGL 3.3.
//
//	go run example.com/iprof/examples/game
//
// What the profiler needs of it is marked with "profiler:". F1 shows the overlay, F2 gives it the keys.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	"example.com/iprof/draw"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
)

// vsync is waiting, not work: it is shown grey, and no budget is charged for it.
var vsync = iprof.Zone{Name: "vsync", Idle: true} // profiler: a public zone

func init() {
	runtime.LockOSThread() // GLFW wants the main thread
}

func main() {
	frames := flag.Int("frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	screenshot := flag.String("screenshot", "", "write the last frame to this PNG `file`")
	flag.Parse()
	if err := play(*frames, *screenshot); err != nil {
		fmt.Fprintln(os.Stderr, "game:", err)
		os.Exit(1)
	}
}

// play runs the game until its window is closed or it has done its frames.
func play(frames int, screenshot string) error {
	window, err := openWindow(960, 540)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	window.SetKeyCallback(input.For(nil, onKey)) // profiler: keys; what the overlay used does not reach onKey
	window.SetCursorPosCallback(input.GLFWCursor)
	window.SetMouseButtonCallback(input.GLFWButton)
	window.SetScrollCallback(input.GLFWScroll)
	draw.PanelFor(process.Default()).SetMode(draw.ReportAndGraph) // profiler: visible from the start; F1 does it too

	game, err := workload.New("game", workload.Options{Seed: 7})
	if err != nil {
		return err
	}
	screen := newScreen()
	for frame := 1; !window.ShouldClose(); frame++ {
		if err := game.Step(time.Second / 60); err != nil { // the zones are in there
			return err
		}
		width, height := window.GetFramebufferSize()
		screen.draw(game.Picture(), width, height)
		if err := profgl.Overlay(); err != nil { // profiler: the picture
			return err
		}
		if frame == frames {
			return save(screenshot, width, height)
		}
		present(window)
		glfw.PollEvents()
		iprof.Update() // profiler: the end of the frame
	}
	return nil
}

// present shows the frame and waits for the screen.
func present(window *glfw.Window) {
	defer vsync.Begin().End() // profiler: the idle zone
	window.SwapBuffers()
}

// onKey is the game's own.
func onKey(window *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
	if key == glfw.KeyEscape && action == glfw.Press {
		window.SetShouldClose(true)
	}
}

// openWindow starts GLFW and makes a window with OpenGL 3.3 core.
func openWindow(width, height int) (window *glfw.Window, err error) {
	defer func() { // without a display Init says nothing, and the next call panics
		if recover() != nil {
			err = fmt.Errorf("no display (DISPLAY is %q): try xvfb-run -a", os.Getenv("DISPLAY"))
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, err
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 3)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	window, err = glfw.CreateWindow(width, height, "A game, profiled", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	glfw.SwapInterval(1)
	return window, gl.Init()
}
