//go:build windows && (!cgo || wgl)

package gl

import "unsafe"

func genFramebuffer(out *uint32)        { call2(fnGenFramebuffers, 1, uintptr(unsafe.Pointer(out))) }
func isFramebuffer(id uint32) bool      { return byte(call1(fnIsFramebuffer, uintptr(id))) != 0 }
func bindFramebuffer(target, id uint32) { call2(fnBindFramebuffer, uintptr(target), uintptr(id)) }
func framebufferStatus(target uint32) bool {
	return uint32(call1(fnCheckFramebufferStatus, uintptr(target))) == glComplete
}
func genRenderbuffer(out *uint32) { call2(fnGenRenderbuffers, 1, uintptr(unsafe.Pointer(out))) }
func bindRenderbuffer(id uint32)  { call2(fnBindRenderbuffer, glRenderbuffer, uintptr(id)) }
func readBuffer(buffer uint32)    { call1(fnReadBuffer, uintptr(buffer)) }
func fence() uintptr              { return call2(fnFenceSync, glSyncComplete, 0) }

// isSignaled passes the 64-bit timeout as two words. On 64-bit machines the second word is not read.
func isSignaled(sync uintptr) bool {
	return uint32(call4(fnClientWaitSync, sync, 0, 0, 0)) != glTimeoutExpired
}
func deleteSync(sync uintptr)   { call1(fnDeleteSync, sync) }
func unmapBuffer(target uint32) { call1(fnUnmapBuffer, uintptr(target)) }

func renderbufferStorage(width, height int32) {
	call4(fnRenderbufferStorage, glRenderbuffer, glRGBA8, uintptr(width), uintptr(height))
}

func attachRenderbuffer(target, id uint32) {
	call4(fnFramebufferRenderbuffer, uintptr(target), glColorAttachment0, glRenderbuffer, uintptr(id))
}

func getComponentType(target, attachment uint32, out *int32) {
	call4(fnGetFramebufferAttachment, uintptr(target), uintptr(attachment), glComponentType,
		uintptr(unsafe.Pointer(out)))
}

// blit copies the rectangle from one corner to the other of the read framebuffer.
func blit(from, to [4]int32, filter uint32) {
	call10(fnBlitFramebuffer, uintptr(from[0]), uintptr(from[1]), uintptr(from[2]), uintptr(from[3]), uintptr(to[0]),
		uintptr(to[1]), uintptr(to[2]), uintptr(to[3]), glColorBufferBit, uintptr(filter))
}

// readPixels reads into the bound buffer.
func readPixels(width, height int32) {
	call7(fnReadPixels, 0, 0, uintptr(width), uintptr(height), glRGBA, glUnsignedByte, 0)
}

func mapBuffer(target uint32, size int) unsafe.Pointer {
	at := call4(fnMapBufferRange, uintptr(target), 0, uintptr(size), glMapRead)
	return *(*unsafe.Pointer)(unsafe.Pointer(&at)) // the driver's memory, never Go's
}
