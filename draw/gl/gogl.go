//go:build cgo && !(windows && wgl)

package gl

import (
	"runtime"
	"sync"
	"unsafe"

	binding "github.com/go-gl/gl/v3.3-core/gl"
)

// This is the only file that uses the binding. One package serves OpenGL 2.1 to 4.x and OpenGL ES. The binding's
// package for version 2.1 takes minutes longer to compile.

// loading guards the binding's table of functions, which belongs to the process. On Windows another context may use
// another driver with functions of its own. On other systems one table serves all contexts.
var loading struct {
	sync.Mutex
	done bool
}

// load fills the binding's table. The binding fails at the first missing function, so missing functions get the address
// of glFlush, which is harmless. The context's version decides which functions are called.
func load() error {
	loading.Lock()
	defer loading.Unlock()
	if loading.done && runtime.GOOS != "windows" {
		return nil
	}
	flush := getProcAddress("glFlush")
	if flush == nil {
		return errNoFunctions
	}
	err := binding.InitWithProcAddrFunc(func(name string) unsafe.Pointer {
		if address := find(name); address != nil {
			return address
		}
		return flush
	})
	loading.done = err == nil
	return err
}

// find returns the address of a function. It tries the newer name first: OpenGL ES and 4.0 have some functions
// without the suffix ARB.
func find(name string) unsafe.Pointer {
	switch name {
	case "glBlendFuncSeparateiARB", "glBlendEquationSeparateiARB", "glVertexAttribDivisorARB":
		if address := getProcAddress(name[:len(name)-len("ARB")]); address != nil {
			return address
		}
	case "glQueryCounter", "glGetQueryObjectui64v", "glGetQueryObjectuiv", "glGetQueryiv", "glGenQueries", "glIsQuery",
		"glBeginQuery", "glEndQuery", "glGetInteger64v": // OpenGL ES has these only as an extension
		if address := getProcAddress(name); address != nil {
			return address
		}
		return getProcAddress(name + "EXT")
	}
	return getProcAddress(name)
}

func getString(name uint32) string {
	if s := binding.GetString(name); s != nil {
		return binding.GoStr(s)
	}
	return ""
}

func getStringi(name, i uint32) string {
	if s := binding.GetStringi(name, i); s != nil {
		return binding.GoStr(s)
	}
	return ""
}

func getInteger(name uint32, out *int32)        { binding.GetIntegerv(name, out) }
func getIntegeri(name, i uint32, out *int32)    { binding.GetIntegeri_v(name, i, out) }
func getBoolean(name uint32, out *bool)         { binding.GetBooleanv(name, out) }
func getBooleani(name, i uint32, out *bool)     { binding.GetBooleani_v(name, i, out) }
func getFloat(name uint32, out *float32)        { binding.GetFloatv(name, out) }
func getAttrib(i, name uint32, out *int32)      { binding.GetVertexAttribiv(i, name, out) }
func isEnabled(c uint32) bool                   { return binding.IsEnabled(c) }
func isEnabledi(c, i uint32) bool               { return binding.IsEnabledi(c, i) }
func enable(c uint32)                           { binding.Enable(c) }
func disable(c uint32)                          { binding.Disable(c) }
func enablei(c, i uint32)                       { binding.Enablei(c, i) }
func disablei(c, i uint32)                      { binding.Disablei(c, i) }
func colorMask(r, g, b, a bool)                 { binding.ColorMask(r, g, b, a) }
func colorMaski(i uint32, r, g, b, a bool)      { binding.ColorMaski(i, r, g, b, a) }
func polygonMode(face, mode uint32)             { binding.PolygonMode(face, mode) }
func clipControl(origin, depth uint32)          { binding.ClipControl(origin, depth) }
func pixelStore(name uint32, v int32)           { binding.PixelStorei(name, v) }
func blendEquation(rgb, alpha uint32)           { binding.BlendEquationSeparate(rgb, alpha) }
func blendEquationi(i, rgb, alpha uint32)       { binding.BlendEquationSeparateiARB(i, rgb, alpha) }
func blendFunc(sc, dc, sa, da uint32)           { binding.BlendFuncSeparate(sc, dc, sa, da) }
func blendFunci(i, sc, dc, sa, da uint32)       { binding.BlendFuncSeparateiARB(i, sc, dc, sa, da) }
func isProgram(id uint32) bool                  { return binding.IsProgram(id) }
func useProgram(id uint32)                      { binding.UseProgram(id) }
func createProgram() uint32                     { return binding.CreateProgram() }
func deleteProgram(id uint32)                   { binding.DeleteProgram(id) }
func linkProgram(id uint32)                     { binding.LinkProgram(id) }
func getProgram(id, name uint32, out *int32)    { binding.GetProgramiv(id, name, out) }
func createShader(kind uint32) uint32           { return binding.CreateShader(kind) }
func deleteShader(id uint32)                    { binding.DeleteShader(id) }
func compileShader(id uint32)                   { binding.CompileShader(id) }
func attachShader(program, shader uint32)       { binding.AttachShader(program, shader) }
func getShader(id, name uint32, out *int32)     { binding.GetShaderiv(id, name, out) }
func uniformMatrix(at int32, m *float32)        { binding.UniformMatrix4fv(at, 1, false, m) }
func uniformFloat(at int32, v *float32)         { binding.Uniform1f(at, *v) }
func bindVertexArray(id uint32)                 { binding.BindVertexArray(id) }
func genVertexArray(out *uint32)                { binding.GenVertexArrays(1, out) }
func deleteVertexArray(id *uint32)              { binding.DeleteVertexArrays(1, id) }
func bindBuffer(target, id uint32)              { binding.BindBuffer(target, id) }
func genBuffer(out *uint32)                     { binding.GenBuffers(1, out) }
func deleteBuffer(id *uint32)                   { binding.DeleteBuffers(1, id) }
func enableAttrib(i uint32)                     { binding.EnableVertexAttribArray(i) }
func disableAttrib(i uint32)                    { binding.DisableVertexAttribArray(i) }
func attribDivisor(i, n uint32)                 { binding.VertexAttribDivisorARB(i, n) }
func activeTexture(unit uint32)                 { binding.ActiveTexture(unit) }
func bindTexture(target, id uint32)             { binding.BindTexture(target, id) }
func genTexture(out *uint32)                    { binding.GenTextures(1, out) }
func deleteTexture(id *uint32)                  { binding.DeleteTextures(1, id) }
func texParameter(target, name uint32, v int32) { binding.TexParameteri(target, name, v) }
func isQuery(id uint32) bool                    { return binding.IsQuery(id) }
func genQueries(out *[2]uint32)                 { binding.GenQueries(2, &out[0]) }
func queryCounter(id, target uint32)            { binding.QueryCounter(id, target) }
func beginQuery(target, id uint32)              { binding.BeginQuery(target, id) }
func endQuery(target uint32)                    { binding.EndQuery(target) }
func getQuery(target, name uint32, out *int32)  { binding.GetQueryiv(target, name, out) }
func getInteger64(name uint32, out *int64)      { binding.GetInteger64v(name, out) }
func getQueryUint(id, name uint32, out *uint32) { binding.GetQueryObjectuiv(id, name, out) }
func getQueryResult(id uint32, out *uint64)     { binding.GetQueryObjectui64v(id, glQueryResult, out) }
func bindSampler(unit, id uint32)               { binding.BindSampler(unit, id) }
func drawElements(count int32) {
	binding.DrawElementsWithOffset(glTriangles, count, glUnsignedShort, 0)
}

// drawRange is drawElements whose indices are at most last, counted from a base vertex.
func drawRange(last uint32, count, base int32) {
	binding.DrawRangeElementsBaseVertex(glTriangles, 0, last, count, glUnsignedShort, nil, base)
}

func bufferData(target uint32, size int, data unsafe.Pointer, usage uint32) {
	binding.BufferData(target, size, data, usage)
}

func texImage(format int32, width, height int, kind uint32, pixels unsafe.Pointer) {
	binding.TexImage2D(glTexture2D, 0, format, int32(width), int32(height), 0, kind, glUnsignedByte, pixels)
}

func attribPointer(i uint32, size int32, kind uint32, normalized bool, stride int32, at uintptr) {
	binding.VertexAttribPointerWithOffset(i, size, kind, normalized, stride, at)
}

// getAttribPointer stores an address. It may be the host's C memory or an offset, so it is never a Go pointer to keep
// alive.
func getAttribPointer(i uint32, out *uintptr) {
	binding.GetVertexAttribPointerv(i, glAttribPointer, (*unsafe.Pointer)(unsafe.Pointer(out)))
}

func shaderSource(id uint32, source string) {
	text, free := binding.Strs(source + "\x00")
	defer free()
	binding.ShaderSource(id, 1, text, nil)
}

func shaderLog(id uint32, length int32) string {
	log := make([]uint8, length+1)
	binding.GetShaderInfoLog(id, length, nil, &log[0])
	return binding.GoStr(&log[0])
}

func programLog(id uint32, length int32) string {
	log := make([]uint8, length+1)
	binding.GetProgramInfoLog(id, length, nil, &log[0])
	return binding.GoStr(&log[0])
}

// Names passed to the functions below end in a zero byte.

func bindAttribLocation(program, at uint32, name string) {
	binding.BindAttribLocation(program, at, binding.Str(name))
}

func attribLocation(program uint32, name string) int32 {
	return binding.GetAttribLocation(program, binding.Str(name))
}

func uniformLocation(program uint32, name string) int32 {
	return binding.GetUniformLocation(program, binding.Str(name))
}
