// Package egltest makes OpenGL contexts of every kind for tests, without a window, a display or an X server. Each has
// a frame buffer that can be read as a picture.
//
//	egltest.Run(t, egltest.Core, 320, 240, func(t *testing.T, c *egltest.Context) {
//		c.Clear(color.RGBA{A: 255})
//		// draw
//		got := c.Image()
//	})
//
// Without OpenGL the test is skipped. If IPROF_GL=must it fails instead, and its message says which packages are
// missing. IPROF_EGL=device uses the machine's first EGL device (a graphics card with its driver) instead of Mesa's
// software rasteriser. IPROF_EGL=device:1 uses the second.
//
// On Windows, also without cgo, contexts belong to hidden windows. IPROF_EGL has no effect there.
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

// String returns the kind's name for test names.
func (k Kind) String() string {
	return [...]string{"core", "compat", "gl21", "es3", "es2"}[k]
}

// override returns the environment that makes Mesa provide exactly the old version. Without it Mesa provides its
// newest, which hides mistakes. Mesa reads these variables once in a process.
func (k Kind) override() []string {
	switch k {
	case Legacy:
		return []string{"MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLSL_VERSION_OVERRIDE=120"}
	case ES2:
		return []string{"MESA_GLES_VERSION_OVERRIDE=2.0"}
	}
	return nil
}

// Context is a current OpenGL context with its own frame buffer: 8 bits a channel, depth and stencil. It belongs to
// the goroutine that made it, which is locked to its thread until Close.
type Context struct {
	Kind          Kind
	Version       string // GL_VERSION
	Renderer      string // GL_RENDERER
	width, height int
	handle        handle
}

// Run runs f as a subtest named after the kind, with a new context of width x height pixels. Old versions run in a
// process of their own: the test binary is started again for this subtest alone.
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

// Open makes a context and makes it current. It is closed when the test ends. Without OpenGL it skips or fails the
// test, as the package comment says. For the kinds Legacy and ES2 the driver may provide a newer version. Use Run for
// the old one.
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

// missing ends a test that cannot get its context.
func missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("IPROF_GL") == "must" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// New makes a context with a frame buffer of width x height pixels, and makes it current on the calling thread. The
// caller must have locked its goroutine to the thread.
func New(kind Kind, width, height int) (*Context, error) {
	c := &Context{Kind: kind, width: width, height: height}
	if err := c.open(); err != nil {
		return nil, fmt.Errorf("egltest: no %v context: %w", kind, err)
	}
	return c, nil
}

// Bounds returns the frame buffer's rectangle, with its origin at (0, 0).
func (c *Context) Bounds() image.Rectangle { return image.Rect(0, 0, c.width, c.height) }

// Clear fills the frame buffer with a colour and clears depth and stencil. GL's write masks must have their default
// values.
func (c *Context) Clear(fill color.RGBA) { c.clear(fill) }

// Image reads the frame buffer, first row at the top, every pixel opaque. It restores all GL state.
func (c *Context) Image() *image.RGBA {
	img := image.NewRGBA(c.Bounds())
	c.readPixels(img.Pix)
	flip(img)
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}

// flip turns a picture upside down, because GL's first row is the lowest.
func flip(img *image.RGBA) {
	row := make([]byte, img.Stride)
	for a, b := 0, img.Rect.Dy()-1; a < b; a, b = a+1, b-1 {
		top, bottom := img.Pix[a*img.Stride:(a+1)*img.Stride], img.Pix[b*img.Stride:(b+1)*img.Stride]
		copy(row, top)
		copy(top, bottom)
		copy(bottom, row)
	}
}
