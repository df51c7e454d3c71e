// Command why profiles a sample program in a window, with all means to find the cause of slowness: the states of
// goroutines from Go's execution trace, hot lines, and the source of each zone.
//
//	cd examples/why && go run . -workload game
//
// It is a separate module, because package exectrace needs Go 1.26. Comments with "profiler:" mark what the profiler
// needs. Shift+Z shows the source of the row under the cursor, "sample" there starts sampling; Space pauses; W is the
// timeline with the states.
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"runtime"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/exectrace"
	"example.com/iprof/input"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/source"
	"example.com/iprof/viewer"
)

var vsync = iprof.Zone{Name: "vsync", Idle: true}

func init() {
	runtime.LockOSThread() // GLFW requires the main thread
}

func main() {
	name := flag.String("workload", "game", "the sample `program`: game, sphereflake or goroutines")
	frames := flag.Int("frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	screenshot := flag.String("screenshot", "", "write the last frame to this PNG `file`")
	hot := flag.String("hot", "", "show the source of this `zone`, and sample its hot lines from the start")
	width, height := 1280, 720
	flag.Func("size", "of the window, `WxH` pixels", func(s string) error {
		_, err := fmt.Sscanf(s, "%dx%d", &width, &height)
		return err
	})
	flag.Parse()
	if err := run(*name, *frames, *screenshot, *hot, width, height); err != nil {
		fmt.Fprintln(os.Stderr, "why:", err)
		os.Exit(1)
	}
}

// run runs the program until its window is closed, or until it has shown the given number of frames.
func run(name string, frames int, screenshot, hot string, width, height int) error {
	window, err := openWindow(width, height)
	if err != nil {
		return err
	}
	defer glfw.Terminate()
	session := process.Default()
	watch, err := exectrace.Watch(session) // profiler: the states of goroutines, and hot lines
	if err != nil {
		return err
	}
	defer watch.Stop()
	iprof.SetEvents(1 << 16) // profiler: the timeline, and which zone waited
	panel := show(session, window)
	program, err := workload.New(name, workload.Options{Seed: 1})
	if err != nil {
		return err
	}
	defer program.Close()
	for frame := 1; !window.ShouldClose(); frame++ {
		if err := program.Step(time.Second / 60); err != nil {
			return err
		}
		if hot != "" {
			aim(session, panel, hot, frame, frames)
		}
		if err := draw(); err != nil {
			return err
		}
		if frame == frames {
			return save(screenshot, window)
		}
		scope := vsync.Begin()
		window.SwapBuffers()
		scope.End()
		glfw.PollEvents()
		iprof.Update() // profiler: the end of the frame
	}
	return nil
}

// draw draws a frame.
func draw() error {
	defer profgl.Begin("render").End() // profiler: a zone of the CPU and of the GPU
	gl.Clear(gl.COLOR_BUFFER_BIT)
	return profgl.Overlay() // profiler: the picture
}

// show shows the whole panel in the window, with the source files of the program.
func show(session *process.Session, window *glfw.Window) *viewer.Panel {
	window.SetKeyCallback(input.GLFW)
	window.SetCursorPosCallback(input.GLFWCursor)
	window.SetMouseButtonCallback(input.GLFWButton)
	window.SetScrollCallback(input.GLFWScroll)
	window.SetCharCallback(input.GLFWChar)
	input.ControllerFor(session) // profiler: the keys at the foot of the screen, before one is pressed
	files, panel := source.NewReader(source.Built()), viewer.PanelFor(session)
	panel.Change(func(o *viewer.Options) {
		o.Mode = viewer.PanelFull
		o.Focused = true
		o.Title = "why"
		o.Source = files.Code // profiler: the source
	})
	return panel
}

// aim shows the source of a zone and samples it from the tenth frame on. In the last frame no tip is in the way.
func aim(session *process.Session, panel *viewer.Panel, hot string, frame, frames int) {
	switch frame {
	case 10:
		var s process.Snapshot
		session.View().Snapshot(&s, process.SnapshotOptions{})
		for i := range s.Zones {
			if s.Zones[i].Name == hot {
				session.View().SetCursorZone(report.ZoneID(i))
			}
		}
		panel.Run("source")
		panel.Run("sample")
	case frames - 1:
		panel.SetHover(-1, -1)
	}
}

// save writes the picture of the window.
func save(name string, window *glfw.Window) error {
	if name == "" {
		return nil
	}
	width, height := window.GetFramebufferSize()
	pixels := image.NewNRGBA(image.Rect(0, 0, width, height))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	for y := range height { // GL's first row is the lowest
		gl.ReadPixels(0, int32(height-1-y), int32(width), 1, gl.RGBA, gl.UNSIGNED_BYTE,
			gl.Ptr(pixels.Pix[y*pixels.Stride:]))
	}
	for i := 3; i < len(pixels.Pix); i += 4 {
		pixels.Pix[i] = 255
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, pixels), f.Close())
}

// openWindow starts GLFW and opens a window with OpenGL 3.3 core.
func openWindow(width, height int) (window *glfw.Window, err error) {
	defer func() { // without a display Init returns no error, and the next call panics
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
	window, err = glfw.CreateWindow(width, height, "Why was it slow", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	glfw.SwapInterval(1)
	return window, gl.Init()
}
