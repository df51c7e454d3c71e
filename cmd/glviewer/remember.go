package main

import (
	"image"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/internal/desk"
)

// moveTo moves a new window to the place of the last one, if that is on a monitor.
func moveTo(w *glfw.Window, before *desk.Place) {
	if before == nil || !before.OnScreen(monitors()) {
		return
	}
	w.SetPos(before.X, before.Y)
	if before.Maximized {
		w.Maximize()
	}
}

// monitors returns the areas of all monitors.
func monitors() (areas []image.Rectangle) {
	for _, m := range glfw.GetMonitors() {
		x, y := m.GetPos()
		if mode := m.GetVideoMode(); mode != nil {
			areas = append(areas, image.Rect(x, y, x+mode.Width, y+mode.Height))
		}
	}
	return areas
}

// remember writes the settings for the next window. It ignores errors: the settings are only a convenience.
func (v *application) remember() {
	if !v.remembers() {
		return
	}
	s := v.Settings()
	if v.window.GetAttrib(glfw.Iconified) == glfw.False {
		s.Window = v.place()
	}
	_ = s.Save()
}

// place returns the place of the window. A maximized window does not know its normal size, so it keeps the size of the
// start.
func (v *application) place() *desk.Place {
	x, y := v.window.GetPos()
	width, height := v.window.GetSize()
	if v.window.GetAttrib(glfw.Maximized) == glfw.False {
		return &desk.Place{X: x, Y: y, Width: width, Height: height}
	}
	p := desk.Place{X: x, Y: y, Width: v.width, Height: v.height}
	if v.settings.Window != nil {
		p = *v.settings.Window
	}
	p.Maximized = true
	return &p
}
