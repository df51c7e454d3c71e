package main

import (
	"fmt"
	"os"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
)

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
	window, err = glfw.CreateWindow(width, height, "A game, profiled", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, err
	}
	window.MakeContextCurrent()
	glfw.SwapInterval(1)
	return window, gl.Init()
}
