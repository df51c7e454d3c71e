// Package egltest makes OpenGL contexts for tests: of every kind, without a window, a display or an X server, each with a
// frame buffer of its own that can be read back as a picture.
//
//	egltest.Run(t, egltest.Core, 320, 240, func(t *testing.T, c *egltest.Context) {
//		c.Clear(color.RGBA{A: 255})
//		// draw
//		got := c.Image()
//	})
//
// Where OpenGL cannot be had the test is skipped, unless the environment says IPROF_GL=must: then it fails, and says which
// packages are missing. IPROF_EGL=device takes the first of the machine's EGL devices (a graphics card and its maker's driver)
// instead of Mesa's software rasteriser; IPROF_EGL=device:1 the second.
package egltest

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"runtime"
	"testing"
)

// Kind is a kind of context.
type Kind uint8

// The kinds: the newest core profile, the newest compatibility profile, OpenGL 2.1, OpenGL ES 3 and OpenGL ES 2.
const (
	Core Kind = iota
	Compat
	Legacy
	ES3
	ES2
)

// Kinds lists all kinds.
var Kinds = []Kind{Core, Compat, Legacy, ES3, ES2}

// String returns the kind's name as it stands in test names.
func (k Kind) String() string {
	return [...]string{"core", "compat", "gl21", "es3", "es2"}[k]
}

// override is the environment that makes Mesa offer exactly the old version, where its newest would do as well and hide
// every mistake. Mesa reads it once in a process.
func (k Kind) override() []string {
	switch k {
	case Legacy:
		return []string{"MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLSL_VERSION_OVERRIDE=120"}
	case ES2:
		return []string{"MESA_GLES_VERSION_OVERRIDE=2.0"}
	}
	return nil
}

// Context is a current OpenGL context with a frame buffer of its own: 8 bits a channel, depth and stencil. It belongs to
// the goroutine that made it, which is locked to its thread until Close.
type Context struct {
	Kind          Kind
	Version       string // GL_VERSION
	Renderer      string // GL_RENDERER
	width, height int
	handle        handle
}

// Run runs f as a subtest named after the kind, on a fresh context of width x height pixels. Old versions run in a process
// of their own, the test's own program started again for this one subtest.
func Run(t *testing.T, kind Kind, width, height int, f func(t *testing.T, c *Context)) {
	t.Helper()
	t.Run(kind.String(), func(t *testing.T) {
		if needsProcess(kind) {
			rerun(t, kind)
			return
		}
		f(t, Open(t, kind, width, height))
	})
}

// Open makes a context and makes it current. It is closed when the test ends. Where there is none to be had it skips or
// fails the test. Of the kinds Legacy and ES2 it gives whatever version the driver prefers: Run gives the old one.
func Open(t testing.TB, kind Kind, width, height int) *Context {
	t.Helper()
	runtime.LockOSThread()
	c, err := New(kind, width, height)
	if err != nil {
		runtime.UnlockOSThread()
		missing(t, err)
	}
	t.Cleanup(func() {
		c.Close()
		runtime.UnlockOSThread()
	})
	return c
}

// missing ends a test that cannot have its context.
func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("IPROF_GL") == "must" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// New makes a context with a frame buffer of width x height pixels and makes it current on the calling thread, to which the
// caller must have locked its goroutine.
func New(kind Kind, width, height int) (*Context, error) {
	c := &Context{Kind: kind, width: width, height: height}
	if err := c.open(); err != nil {
		return nil, fmt.Errorf("egltest: no %v context: %w", kind, err)
	}
	return c, nil
}

// Bounds returns the frame buffer's rectangle, its origin at (0, 0).
func (c *Context) Bounds() image.Rectangle { return image.Rect(0, 0, c.width, c.height) }

// Clear fills the frame buffer with a colour and clears depth and stencil. It needs the GL's masks as they are by default.
func (c *Context) Clear(fill color.RGBA) { c.clear(fill) }

// Image reads the frame buffer back, the first row at the top, every pixel opaque. It leaves all GL state as it was.
func (c *Context) Image() *image.RGBA {
	img := image.NewRGBA(c.Bounds())
	c.readPixels(img.Pix)
	flip(img)
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}

// flip turns a picture upside down: GL counts rows from the bottom.
func flip(img *image.RGBA) {
	row := make([]byte, img.Stride)
	for a, b := 0, img.Rect.Dy()-1; a < b; a, b = a+1, b-1 {
		top, bottom := img.Pix[a*img.Stride:(a+1)*img.Stride], img.Pix[b*img.Stride:(b+1)*img.Stride]
		copy(row, top)
		copy(top, bottom)
		copy(bottom, row)
	}
}
