//go:build !cgo && !windows

package gl

import (
	"errors"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"github.com/go-gl/mathgl/mgl32"
)

var errNoCgo = errors.New("profgl: built without cgo, so without OpenGL: install a C compiler and the GL headers, " +
	"or use draw/soft")

// Renderer plays draw lists in an OpenGL context. Without cgo it does nothing.
type Renderer struct{}

// NewRenderer returns an error that says how to get OpenGL.
func NewRenderer() (*Renderer, error) { return nil, errNoCgo }

// Draw returns the error of NewRenderer.
func (*Renderer) Draw(*draw.List, *mgl32.Mat4, Blend, bool) error { return errNoCgo }

// Delete does nothing.
func (*Renderer) Delete() {}

// DrawGL returns the error of NewRenderer.
func DrawGL(*report.Report, float32, float32, float32, float32, *Options) error { return errNoCgo }

// DrawGraphGL returns the error of NewRenderer.
func DrawGraphGL([]report.Series, int, float32, float32, float32, float32, *Options) error {
	return errNoCgo
}

// Overlay returns the error of NewRenderer, unless the panel is off.
func Overlay() error {
	if !gather.Enabled {
		return nil
	}
	return OverlayPanel(viewer.PanelFor(process.Default()))
}

// OverlayPanel returns the error of NewRenderer, unless the panel is off.
func OverlayPanel(p *viewer.Panel) error {
	if p.Options().Mode == viewer.PanelOff {
		return nil
	}
	return errNoCgo
}

// SetContentScale does nothing.
func SetContentScale(float32) {}
