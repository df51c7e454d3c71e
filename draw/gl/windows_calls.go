//go:build windows && (!cgo || wgl)

package gl

import "unsafe"

func getString(name uint32) string     { return text(call1(fnGetString, uintptr(name))) }
func getStringi(name, i uint32) string { return text(call2(fnGetStringi, uintptr(name), uintptr(i))) }
func getInteger(name uint32, out *int32) {
	call2(fnGetIntegerv, uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getIntegeri(name, i uint32, out *int32) {
	call3(fnGetIntegeri_v, uintptr(name), uintptr(i), uintptr(unsafe.Pointer(out)))
}
func getBoolean(name uint32, out *bool) {
	call2(fnGetBooleanv, uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getBooleani(name, i uint32, out *bool) {
	call3(fnGetBooleani_v, uintptr(name), uintptr(i), uintptr(unsafe.Pointer(out)))
}
func getFloat(name uint32, out *float32) {
	call2(fnGetFloatv, uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getAttrib(i, name uint32, out *int32) {
	call3(fnGetVertexAttribiv, uintptr(i), uintptr(name), uintptr(unsafe.Pointer(out)))
}
func isEnabled(c uint32) bool     { return byte(call1(fnIsEnabled, uintptr(c))) != 0 }
func isEnabledi(c, i uint32) bool { return byte(call2(fnIsEnabledi, uintptr(c), uintptr(i))) != 0 }
func enable(c uint32)             { call1(fnEnable, uintptr(c)) }
func disable(c uint32)            { call1(fnDisable, uintptr(c)) }
func enablei(c, i uint32)         { call2(fnEnablei, uintptr(c), uintptr(i)) }
func disablei(c, i uint32)        { call2(fnDisablei, uintptr(c), uintptr(i)) }
func colorMask(r, g, b, a bool)   { call4(fnColorMask, word(r), word(g), word(b), word(a)) }
func colorMaski(i uint32, r, g, b, a bool) {
	call5(fnColorMaski, uintptr(i), word(r), word(g), word(b), word(a))
}
func polygonMode(face, mode uint32)    { call2(fnPolygonMode, uintptr(face), uintptr(mode)) }
func clipControl(origin, depth uint32) { call2(fnClipControl, uintptr(origin), uintptr(depth)) }
func pixelStore(name uint32, v int32)  { call2(fnPixelStorei, uintptr(name), uintptr(v)) }
func blendEquation(rgb, alpha uint32)  { call2(fnBlendEquationSeparate, uintptr(rgb), uintptr(alpha)) }
func blendEquationi(i, rgb, alpha uint32) {
	call3(fnBlendEquationSeparatei, uintptr(i), uintptr(rgb), uintptr(alpha))
}
func blendFunc(sc, dc, sa, da uint32) {
	call4(fnBlendFuncSeparate, uintptr(sc), uintptr(dc), uintptr(sa), uintptr(da))
}
func blendFunci(i, sc, dc, sa, da uint32) {
	call5(fnBlendFuncSeparatei, uintptr(i), uintptr(sc), uintptr(dc), uintptr(sa), uintptr(da))
}
func isProgram(id uint32) bool { return byte(call1(fnIsProgram, uintptr(id))) != 0 }
func useProgram(id uint32)     { call1(fnUseProgram, uintptr(id)) }
func createProgram() uint32    { return uint32(call0(fnCreateProgram)) }
func deleteProgram(id uint32)  { call1(fnDeleteProgram, uintptr(id)) }
func linkProgram(id uint32)    { call1(fnLinkProgram, uintptr(id)) }
func getProgram(id, name uint32, out *int32) {
	call3(fnGetProgramiv, uintptr(id), uintptr(name), uintptr(unsafe.Pointer(out)))
}
func createShader(kind uint32) uint32     { return uint32(call1(fnCreateShader, uintptr(kind))) }
func deleteShader(id uint32)              { call1(fnDeleteShader, uintptr(id)) }
func compileShader(id uint32)             { call1(fnCompileShader, uintptr(id)) }
func attachShader(program, shader uint32) { call2(fnAttachShader, uintptr(program), uintptr(shader)) }
func getShader(id, name uint32, out *int32) {
	call3(fnGetShaderiv, uintptr(id), uintptr(name), uintptr(unsafe.Pointer(out)))
}
func uniformMatrix(at int32, m *float32) {
	call4(fnUniformMatrix4fv, uintptr(at), 1, 0, uintptr(unsafe.Pointer(m)))
}
func uniformFloat(at int32, v *float32) {
	call3(fnUniform1fv, uintptr(at), 1, uintptr(unsafe.Pointer(v)))
}
func bindVertexArray(id uint32)     { call1(fnBindVertexArray, uintptr(id)) }
func genVertexArray(out *uint32)    { call2(fnGenVertexArrays, 1, uintptr(unsafe.Pointer(out))) }
func deleteVertexArray(id *uint32)  { call2(fnDeleteVertexArrays, 1, uintptr(unsafe.Pointer(id))) }
func bindBuffer(target, id uint32)  { call2(fnBindBuffer, uintptr(target), uintptr(id)) }
func genBuffer(out *uint32)         { call2(fnGenBuffers, 1, uintptr(unsafe.Pointer(out))) }
func deleteBuffer(id *uint32)       { call2(fnDeleteBuffers, 1, uintptr(unsafe.Pointer(id))) }
func enableAttrib(i uint32)         { call1(fnEnableVertexAttribArray, uintptr(i)) }
func disableAttrib(i uint32)        { call1(fnDisableVertexAttribArray, uintptr(i)) }
func attribDivisor(i, n uint32)     { call2(fnVertexAttribDivisor, uintptr(i), uintptr(n)) }
func activeTexture(unit uint32)     { call1(fnActiveTexture, uintptr(unit)) }
func bindTexture(target, id uint32) { call2(fnBindTexture, uintptr(target), uintptr(id)) }
func genTexture(out *uint32)        { call2(fnGenTextures, 1, uintptr(unsafe.Pointer(out))) }
func deleteTexture(id *uint32)      { call2(fnDeleteTextures, 1, uintptr(unsafe.Pointer(id))) }
func texParameter(target, name uint32, v int32) {
	call3(fnTexParameteri, uintptr(target), uintptr(name), uintptr(v))
}
func bindSampler(unit, id uint32) { call2(fnBindSampler, uintptr(unit), uintptr(id)) }

func drawElements(count int32) {
	call4(fnDrawElements, glTriangles, uintptr(count), glUnsignedShort, 0)
}

// drawRange is drawElements whose indices are at most last, counted from a base vertex.
func drawRange(last uint32, count, base int32) {
	call7(fnDrawRange, glTriangles, 0, uintptr(last), uintptr(count), glUnsignedShort, 0, uintptr(base))
}

func bufferData(target uint32, size int, data unsafe.Pointer, usage uint32) {
	call4(fnBufferData, uintptr(target), uintptr(size), uintptr(data), uintptr(usage))
}

func texImage(format int32, width, height int, kind uint32, pixels unsafe.Pointer) {
	call9(fnTexImage2D, glTexture2D, 0, uintptr(format), uintptr(width), uintptr(height), 0, uintptr(kind),
		glUnsignedByte,
		uintptr(pixels))
}

func attribPointer(i uint32, size int32, kind uint32, normalized bool, stride int32, at uintptr) {
	call6(fnVertexAttribPointer, uintptr(i), uintptr(size), uintptr(kind), word(normalized), uintptr(stride), at)
}

// getAttribPointer stores an address. It may be the host's C memory or an offset, so it is never a Go pointer to keep
// alive.
func getAttribPointer(i uint32, out *uintptr) {
	call3(fnGetVertexAttribPointerv, uintptr(i), glAttribPointer, uintptr(unsafe.Pointer(out)))
}

func shaderSource(id uint32, source string) {
	text := append([]byte(source), 0)
	first := &text[0]
	call4(fnShaderSource, uintptr(id), 1, uintptr(unsafe.Pointer(&first)), 0)
}

func shaderLog(id uint32, length int32) string {
	log := make([]byte, length+1)
	call4(fnGetShaderInfoLog, uintptr(id), uintptr(length), 0, uintptr(unsafe.Pointer(&log[0])))
	return zeroed(log)
}

func programLog(id uint32, length int32) string {
	log := make([]byte, length+1)
	call4(fnGetProgramInfoLog, uintptr(id), uintptr(length), 0, uintptr(unsafe.Pointer(&log[0])))
	return zeroed(log)
}

func isQuery(id uint32) bool         { return byte(call1(fnIsQuery, uintptr(id))) != 0 }
func genQueries(out *[2]uint32)      { call2(fnGenQueries, 2, uintptr(unsafe.Pointer(&out[0]))) }
func queryCounter(id, target uint32) { call2(fnQueryCounter, uintptr(id), uintptr(target)) }
func beginQuery(target, id uint32)   { call2(fnBeginQuery, uintptr(target), uintptr(id)) }
func endQuery(target uint32)         { call1(fnEndQuery, uintptr(target)) }
func getQuery(target, name uint32, out *int32) {
	call3(fnGetQueryiv, uintptr(target), uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getInteger64(name uint32, out *int64) {
	call2(fnGetInteger64v, uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getQueryUint(id, name uint32, out *uint32) {
	call3(fnGetQueryObjectuiv, uintptr(id), uintptr(name), uintptr(unsafe.Pointer(out)))
}
func getQueryResult(id uint32, out *uint64) {
	call3(fnGetQueryObjectui64v, uintptr(id), glQueryResult, uintptr(unsafe.Pointer(out)))
}

// Names passed to the functions below end in a zero byte.

func bindAttribLocation(program, at uint32, name string) {
	call3(fnBindAttribLocation, uintptr(program), uintptr(at), uintptr(unsafe.Pointer(unsafe.StringData(name))))
}

func attribLocation(program uint32, name string) int32 {
	return int32(call2(fnGetAttribLocation, uintptr(program), uintptr(unsafe.Pointer(unsafe.StringData(name)))))
}

func uniformLocation(program uint32, name string) int32 {
	return int32(call2(fnGetUniformLocation, uintptr(program), uintptr(unsafe.Pointer(unsafe.StringData(name)))))
}
