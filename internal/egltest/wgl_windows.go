//go:build windows && amd64

package egltest

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"syscall"
	"unsafe"
)

// On Windows contexts belong to windows, which stay hidden. This needs no cgo. It is written for one processor,
// because package syscall passes floating-point numbers on this one only.

// handle is a context, and the window that it belongs to.
type handle struct{ window, dc, context, framebuffer uintptr }

var (
	user32   = syscall.NewLazyDLL("user32.dll")
	gdi32    = syscall.NewLazyDLL("gdi32.dll")
	opengl32 = syscall.NewLazyDLL("opengl32.dll")
)

// call calls a function of a library. The memory that its arguments point to stays where it is meanwhile.
//
//go:uintptrescapes
func call(library *syscall.LazyDLL, name string, arguments ...uintptr) uintptr {
	result, _, _ := library.NewProc(name).Call(arguments...)
	return result
}

// gl calls a function of OpenGL, which must be there.
//
//go:uintptrescapes
func gl(name string, arguments ...uintptr) uintptr {
	at := call(opengl32, "wglGetProcAddress", uintptr(unsafe.Pointer(&append([]byte(name), 0)[0])))
	if at <= 3 || at == ^uintptr(0) {
		return call(opengl32, name, arguments...)
	}
	result, _, _ := syscall.SyscallN(at, arguments...)
	return result
}

func bits(f float32) uintptr { return uintptr(math.Float32bits(f)) }

// text copies a text of the driver, which ends in a zero byte.
func text(at uintptr) (s string) {
	for p := *(**byte)(unsafe.Pointer(&at)); p != nil && *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		s += string(*p)
	}
	return s
}

// open makes the context and its frame buffer, and makes both current.
func (c *Context) open() error { return c.openShared(0) }

func (c *Context) openShared(with uintptr) error {
	if opengl32.Load() != nil {
		return errors.New("no opengl32.dll")
	}
	if err := c.openWindow(); err != nil {
		return err
	}
	plain := call(opengl32, "wglCreateContext", c.handle.dc)
	call(opengl32, "wglMakeCurrent", c.handle.dc, plain)
	a := c.Kind.attributes()
	c.handle.context = gl("wglCreateContextAttribsARB", c.handle.dc, with, uintptr(unsafe.Pointer(&a[0])))
	call(opengl32, "wglDeleteContext", plain)
	if c.handle.context == 0 {
		return fmt.Errorf("no context with %v", a)
	}
	c.MakeCurrent()
	c.Version, c.Renderer = text(gl("glGetString", 0x1F02)), text(gl("glGetString", 0x1F01))
	return c.openFramebuffer()
}

// openWindow makes the window, of a class that every Windows has, with a pixel format for OpenGL.
func (c *Context) openWindow() error {
	class, _ := syscall.UTF16PtrFromString("STATIC")
	const popup = 0x80000000
	c.handle.window = call(user32, "CreateWindowExW", 0, uintptr(unsafe.Pointer(class)), 0, popup, 0, 0,
		uintptr(c.width), uintptr(c.height), 0, 0, 0, 0)
	c.handle.dc = call(user32, "GetDC", c.handle.window)
	format := struct { // PIXELFORMATDESCRIPTOR
		size, version uint16
		flags         uint32
		kind, color   byte
		_             [30]byte
	}{size: 40, version: 1, flags: 0x25, color: 32} // double buffer, draw to window, OpenGL
	n := call(gdi32, "ChoosePixelFormat", c.handle.dc, uintptr(unsafe.Pointer(&format)))
	if n == 0 || call(gdi32, "SetPixelFormat", c.handle.dc, n, uintptr(unsafe.Pointer(&format))) == 0 {
		return errors.New("no window with a pixel format for OpenGL")
	}
	return nil
}

// attributes returns the version and profile to request, as wglCreateContextAttribsARB takes them.
func (k Kind) attributes() []int32 {
	version := func(major, minor, profile int32) []int32 {
		return []int32{0x2091, major, 0x2092, minor, 0x9126, profile, 0}
	}
	switch k {
	case Core:
		return version(3, 3, 1)
	case Compat:
		return version(3, 3, 2)
	case Legacy:
		return []int32{0x2091, 2, 0x2092, 1, 0}
	case ES3:
		return version(3, 0, 4)
	}
	return version(2, 0, 4)
}

func (c *Context) openFramebuffer() error {
	renderbuffer := func(format uintptr, attachments ...uintptr) {
		var id uint32
		gl("glGenRenderbuffers", 1, uintptr(unsafe.Pointer(&id)))
		gl("glBindRenderbuffer", 0x8D41, uintptr(id))
		gl("glRenderbufferStorage", 0x8D41, format, uintptr(c.width), uintptr(c.height))
		for _, a := range attachments {
			gl("glFramebufferRenderbuffer", 0x8D40, a, 0x8D41, uintptr(id))
		}
	}
	var id uint32
	gl("glGenFramebuffers", 1, uintptr(unsafe.Pointer(&id)))
	gl("glBindFramebuffer", 0x8D40, uintptr(id))
	renderbuffer(0x8058, 0x8CE0)         // RGBA8, colour
	renderbuffer(0x88F0, 0x8D00, 0x8D20) // DEPTH24_STENCIL8, depth and stencil
	gl("glBindRenderbuffer", 0x8D41, 0)
	if uint32(gl("glCheckFramebufferStatus", 0x8D40)) != 0x8CD5 {
		return errors.New("the frame buffer is incomplete")
	}
	c.handle.framebuffer = uintptr(id)
	gl("glViewport", 0, 0, uintptr(c.width), uintptr(c.height))
	gl("glScissor", 0, 0, uintptr(c.width), uintptr(c.height))
	return nil
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
func (c *Context) MakeCurrent() { call(opengl32, "wglMakeCurrent", c.handle.dc, c.handle.context) }

// ReleaseCurrent leaves the calling thread without a current context.
func ReleaseCurrent() { call(opengl32, "wglMakeCurrent", 0, 0) }

// Close destroys the context. The thread has no current context afterwards.
func (c *Context) Close() {
	ReleaseCurrent()
	call(opengl32, "wglDeleteContext", c.handle.context)
	call(user32, "DestroyWindow", c.handle.window)
}

func (c *Context) clear(fill color.RGBA) {
	var old [4]float32
	gl("glGetFloatv", 0x0C22, uintptr(unsafe.Pointer(&old)))
	part := func(v uint8) uintptr { return bits(float32(v) / 255) }
	gl("glBindFramebuffer", 0x8D40, c.handle.framebuffer)
	gl("glClearColor", part(fill.R), part(fill.G), part(fill.B), part(fill.A))
	gl("glClear", 0x4500)
	gl("glClearColor", bits(old[0]), bits(old[1]), bits(old[2]), bits(old[3]))
}

func (c *Context) readPixels(pixels []byte) {
	var old [4]int32
	names := []uintptr{0x0D05, 0x0D02, 0x0D03, 0x0D04} // PACK_ALIGNMENT, ROW_LENGTH, SKIP_ROWS, SKIP_PIXELS
	if c.Kind == ES2 {
		names = names[:1]
	}
	for i, name := range names {
		gl("glGetIntegerv", name, uintptr(unsafe.Pointer(&old[i])))
		gl("glPixelStorei", name, uintptr(1-min(i, 1)))
	}
	var buffer int32
	if c.Kind != ES2 && c.Kind != Legacy {
		gl("glGetIntegerv", 0x88ED, uintptr(unsafe.Pointer(&buffer))) // PIXEL_PACK_BUFFER
		gl("glBindBuffer", 0x88EB, 0)
		defer func() { gl("glBindBuffer", 0x88EB, uintptr(buffer)) }()
	}
	gl("glReadPixels", 0, 0, uintptr(c.width), uintptr(c.height), 0x1908, 0x1401, uintptr(unsafe.Pointer(&pixels[0])))
	for i, name := range names {
		gl("glPixelStorei", name, uintptr(old[i]))
	}
}

// LoadMatrix sets a fixed-function matrix, by columns. Mode 0x1700 is GL_MODELVIEW, 0x1701 is GL_PROJECTION. Only
// Compat and Legacy contexts have them. The matrix mode is restored.
func (c *Context) LoadMatrix(mode uint32, m *[16]float32) {
	var old int32
	gl("glGetIntegerv", 0x0BA0, uintptr(unsafe.Pointer(&old)))
	gl("glMatrixMode", uintptr(mode))
	gl("glLoadMatrixf", uintptr(unsafe.Pointer(m)))
	gl("glMatrixMode", uintptr(old))
}

// OddFixedFunction sets parameters of the fixed-function pipeline that let nothing through: alpha test, polygon
// stipple and six clip planes. It enables none of these tests. Only Compat and Legacy contexts have them.
func (c *Context) OddFixedFunction() {
	gl("glAlphaFunc", 0x0200, bits(.9)) // NEVER
	gl("glPolygonStipple", uintptr(unsafe.Pointer(new([128]byte))))
	for i := range uintptr(6) {
		gl("glClipPlane", 0x3000+i, uintptr(unsafe.Pointer(&[4]float64{3: -1})))
	}
}
