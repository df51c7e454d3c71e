//go:build linux && cgo

package egltest

// #cgo LDFLAGS: -ldl
// #include "egl.h"
import "C"

import (
	"fmt"
	"image/color"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// handle is the context in C.
type handle = C.egltest_context

// loading guards the opening of the library, which happens once.
var loading sync.Mutex

// packages names the packages to install if the EGL library or a driver is missing.
const packages = "install libegl1, libegl-mesa0 and libgl1-mesa-dri (Debian), " +
	"mesa-libEGL and mesa-dri-drivers (Fedora), or mesa (Arch, Alpine: mesa-egl and mesa-dri-gallium)"

func failure(message *C.char) error {
	if message == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", C.GoString(message), packages)
}

func load() error {
	loading.Lock()
	defer loading.Unlock()
	return failure(C.egltest_load())
}

// device returns the index of the EGL device in IPROF_EGL, or -1 for Mesa's surfaceless platform.
func device() C.int {
	value, ok := strings.CutPrefix(os.Getenv("IPROF_EGL"), "device")
	if !ok {
		return -1
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(value, ":"))
	return C.int(n)
}

// open makes the context and its frame buffer, and makes both current.
func (c *Context) open() error { return c.openShared(nil) }

func (c *Context) openShared(with unsafe.Pointer) error {
	if err := load(); err != nil {
		return err
	}
	es, major, minor, core := c.Kind.request()
	if err := failure(C.egltest_open(&c.handle, es, major, minor, core, device(), with)); err != nil {
		return err
	}
	if err := failure(C.egltest_framebuffer(&c.handle, C.int(c.width), C.int(c.height))); err != nil {
		c.Close()
		return err
	}
	c.Version, c.Renderer = C.GoString(C.egltest_string(0x1F02)), C.GoString(C.egltest_string(0x1F01))
	return nil
}

// request returns the version and profile to request from EGL. For core 3.3 drivers return their newest core context;
// for 2.1 their newest compatibility context.
func (k Kind) request() (es, major, minor, core C.int) {
	switch k {
	case Core:
		return 0, 3, 3, 1
	case Compat:
		return 0, 3, 3, 0
	case Legacy:
		return 0, 2, 1, 0
	case ES3:
		return 1, 3, 0, 0
	}
	return 1, 2, 0, 0
}

// Share makes a second context of the same kind and size. It shares objects with this one and becomes current.
func (c *Context) Share() (*Context, error) {
	other := &Context{Kind: c.Kind, width: c.width, height: c.height}
	if err := other.openShared(c.handle.context); err != nil {
		return nil, fmt.Errorf("egltest: no shared %v context: %w", c.Kind, err)
	}
	return other, nil
}

// MakeCurrent makes the context current on the calling thread.
func (c *Context) MakeCurrent() { C.egltest_current(&c.handle) }

// ReleaseCurrent leaves the calling thread without a current context.
func ReleaseCurrent() { C.egltest_release() }

// Close destroys the context. The thread has no current context afterwards.
func (c *Context) Close() { C.egltest_close(&c.handle) }

func (c *Context) clear(fill color.RGBA) {
	part := func(v uint8) C.float { return C.float(v) / 255 }
	C.egltest_clear(&c.handle, part(fill.R), part(fill.G), part(fill.B), part(fill.A))
}

func (c *Context) readPixels(pixels []byte) {
	C.egltest_read(&c.handle, boolInt(c.Kind != ES2 && c.Kind != Legacy),
		C.int(c.width), C.int(c.height), unsafe.Pointer(&pixels[0]))
	runtime.KeepAlive(pixels)
}

func boolInt(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// LoadMatrix sets a fixed-function matrix, by columns. Mode 0x1700 is GL_MODELVIEW, 0x1701 is GL_PROJECTION. Only
// Compat and Legacy contexts have them. The matrix mode is restored.
func (c *Context) LoadMatrix(mode uint32, m *[16]float32) {
	C.egltest_matrix(C.uint32_t(mode), (*C.float)(&m[0]))
}

// OddFixedFunction sets parameters of the fixed-function pipeline that let nothing through: alpha test, polygon
// stipple and six clip planes. It enables none of these tests. Only Compat and Legacy contexts have them.
func (c *Context) OddFixedFunction() { C.egltest_odd() }
