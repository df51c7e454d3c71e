package main

import (
	"errors"
	"fmt"
	"image"
	"io"
	"log"
	"os"
	"runtime"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/internal/icon"
)

var (
	errNoDisplay = errors.New("no display: set DISPLAY, or use a virtual one: xvfb-run -a glviewer …")
	errNoGL      = errors.New("no OpenGL 3.3 or 2.1 here: install the graphics driver, or Mesa (Debian: libgl1-mesa-dri libglx-mesa0)")
)

// startGLFW starts the window library. Its Init returns nil without a display and panics in the next call, so both are
// looked after here.
func startGLFW() (err error) {
	if needsX() && os.Getenv("DISPLAY") == "" {
		return errNoDisplay
	}
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // GLFW's own words for what errNoDisplay says
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%w (DISPLAY is %q)", errNoDisplay, os.Getenv("DISPLAY"))
		}
	}()
	if err := glfw.Init(); err != nil {
		return fmt.Errorf("GLFW: %w", err)
	}
	glfw.DefaultWindowHints()
	return nil
}

func needsX() bool { return runtime.GOOS != "windows" && runtime.GOOS != "darwin" }

// windowClass is how X11 desktops know that a window is this program's.
const windowClass = "glviewer"

// icons are the window's, in the sizes that desktops ask for; the desktop's own copies are in the folder packaging.
func icons() (all []image.Image) {
	for _, size := range icon.Sizes[:4] {
		all = append(all, icon.Picture(size))
	}
	return all
}

// openWindow makes a window with the best GL there is: 3.3 core, else 2.1.
func openWindow(o options) (*glfw.Window, error) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // a refused version is no news
	for _, core := range []bool{true, false} {
		hints(o, core)
		if w, err := glfw.CreateWindow(o.width, o.height, "IProf", nil, nil); err == nil {
			w.SetIcon(icons())
			w.MakeContextCurrent()
			return w, nil
		}
	}
	return nil, errNoGL
}

func hints(o options, core bool) {
	glfw.DefaultWindowHints()
	if o.hidden {
		glfw.WindowHint(glfw.Visible, glfw.False)
	}
	glfw.WindowHintString(glfw.X11ClassName, windowClass)
	glfw.WindowHintString(glfw.X11InstanceName, windowClass)
	glfw.WindowHint(glfw.DepthBits, 0)
	glfw.WindowHint(glfw.StencilBits, 0)
	if !core {
		glfw.WindowHint(glfw.ContextVersionMajor, 2)
		glfw.WindowHint(glfw.ContextVersionMinor, 1)
		return
	}
	glfw.WindowHint(glfw.ContextVersionMajor, 3)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
}
