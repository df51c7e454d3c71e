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

	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/icon"
)

var (
	errNoDisplay = errors.New("no display: set DISPLAY, use a virtual one (xvfb-run -a glviewer …), " +
		"or -hidden for pictures alone")
	errNoGL = errors.New("no OpenGL 3.3 or 2.1 here: " +
		"install the graphics driver, or Mesa (Debian: libgl1-mesa-dri libglx-mesa0)")
)

// startGLFW starts the window library. Without a display glfw.Init returns nil and the next call panics, so startGLFW
// makes that call and recovers the panic.
func startGLFW() (err error) {
	if needsX() && os.Getenv("DISPLAY") == "" {
		return errNoDisplay
	}
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // GLFW would log the fact in errNoDisplay
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

// windowClass is the X11 class by which desktops recognise the program's windows.
const windowClass = "glviewer"

// icons returns the window's icon in the sizes that desktops use. The folder tools/packaging has copies for
// installation.
func icons() (all []image.Image) {
	for _, size := range icon.Sizes[:4] {
		all = append(all, icon.Picture(size))
	}
	return all
}

// openWindow opens a window with OpenGL 3.3 core, or 2.1 if that fails. It opens at the place before; nil lets the
// system choose.
func openWindow(o options, before *desk.Place) (*glfw.Window, error) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // GLFW would log a refused version
	width, height := o.width, o.height
	if before != nil && before.Fits() && !o.sized {
		width, height = before.Width, before.Height
	}
	for _, core := range []bool{true, false} {
		hints(o, core)
		if w, err := glfw.CreateWindow(width, height, "IProf", nil, nil); err == nil {
			w.SetIcon(icons())
			moveTo(w, before)
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

// measure sets the content scale and the size of the window's units in pixels.
func (v *application) measure(width int) {
	if units, _ := v.window.GetSize(); units > 0 {
		v.SetScale(float32(width) / float32(units))
	}
	profgl.SetContentScale(v.contentScale())
}

// contentScale returns the scale of the flag. Without the flag it returns the monitor's.
func (v *application) contentScale() float32 {
	if v.scale > 0 {
		return float32(v.scale)
	}
	scale, _ := v.window.GetContentScale()
	return scale
}
