//go:build !cgo

package gl

import (
	"errors"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"github.com/go-gl/mathgl/mgl32"
)

var errNoCgo = errors.New("profgl: built without cgo, so without OpenGL: install a C compiler and the GL headers, or use draw/soft")

// Renderer plays draw lists in an OpenGL context. Built without cgo there is none.
type Renderer struct{}

// NewRenderer returns an error that says what is missing.
func NewRenderer() (*Renderer, error) { return nil, errNoCgo }

// Draw returns an error that says what is missing.
func (*Renderer) Draw(*draw.List, *mgl32.Mat4, Blend, bool) error { return errNoCgo }

// Delete does nothing.
func (*Renderer) Delete() {}

// DrawGL returns an error that says what is missing.
func DrawGL(*process.Report, float32, float32, float32, float32, *Options) error { return errNoCgo }

// DrawGraphGL returns an error that says what is missing.
func DrawGraphGL([]process.Series, int, float32, float32, float32, float32, *Options) error {
	return errNoCgo
}

// Overlay returns an error that says what is missing, unless the panel is off.
func Overlay() error { return OverlayFor(process.Default()) }

// OverlayFor returns an error that says what is missing, unless the panel is off.
func OverlayFor(s *process.Session) error {
	if draw.PanelFor(s).Mode() == draw.Off {
		return nil
	}
	return errNoCgo
}

// SetContentScale does nothing.
func SetContentScale(float32) {}
