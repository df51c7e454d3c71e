// Command game shows the profiler's overlay in a small game: a GLFW window, drawn with OpenGL 3.3.
//
//	go run example.com/iprof/examples/game
//
// Comments with "profiler:" mark the lines that the profiler needs. F1 shows the overlay. F2 moves the keyboard focus
// to it.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// vsync is waiting, not work. It is shown grey and does not count against the budget.
var vsync = iprof.Zone{Name: "vsync", Idle: true} // profiler: a public zone

func init() {
	runtime.LockOSThread() // GLFW requires the main thread
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

// play runs the game until its window is closed, or until it has shown the given number of frames.
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
	// profiler: visible from the start, as after F1
	viewer.PanelFor(process.Default()).Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })

	game, err := workload.New("game", workload.Options{Seed: 7})
	if err != nil {
		return err
	}
	screen, steps := newScreen(), iprof.Frames("step")
	for frame := 1; !window.ShouldClose(); frame++ {
		for range 2 { // fixed steps
			steps.BeginFrame("")                                 // profiler: each is a frame of the set "step"
			if err := game.Step(time.Second / 120); err != nil { // the game's zones are in there
				return err
			}
			steps.EndFrame() // profiler
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

// onKey is the game's own key callback.
func onKey(window *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
	if key == glfw.KeyEscape && action == glfw.Press {
		window.SetShouldClose(true)
	}
}
