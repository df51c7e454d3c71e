//go:build windows && !cgo

package gl

import "unsafe"

func genFramebuffer(out *uint32)        { call(fnGenFramebuffers, 1, uintptr(unsafe.Pointer(out))) }
func isFramebuffer(id uint32) bool      { return byte(call(fnIsFramebuffer, uintptr(id))) != 0 }
func bindFramebuffer(target, id uint32) { call(fnBindFramebuffer, uintptr(target), uintptr(id)) }
func framebufferStatus(target uint32) bool {
	return uint32(call(fnCheckFramebufferStatus, uintptr(target))) == glComplete
}
func genRenderbuffer(out *uint32) { call(fnGenRenderbuffers, 1, uintptr(unsafe.Pointer(out))) }
func bindRenderbuffer(id uint32)  { call(fnBindRenderbuffer, glRenderbuffer, uintptr(id)) }
func readBuffer(buffer uint32)    { call(fnReadBuffer, uintptr(buffer)) }
func fence() uintptr              { return call(fnFenceSync, glSyncComplete, 0) }

// isSignaled passes a timeout of 64 bits as two words: where a word has 64, the second is not read.
func isSignaled(sync uintptr) bool {
	return uint32(call(fnClientWaitSync, sync, 0, 0, 0)) != glTimeoutExpired
}
func deleteSync(sync uintptr)   { call(fnDeleteSync, sync) }
func unmapBuffer(target uint32) { call(fnUnmapBuffer, uintptr(target)) }

func renderbufferStorage(width, height int32) {
	call(fnRenderbufferStorage, glRenderbuffer, glRGBA8, uintptr(width), uintptr(height))
}

func attachRenderbuffer(target, id uint32) {
	call(fnFramebufferRenderbuffer, uintptr(target), glColorAttachment0, glRenderbuffer, uintptr(id))
}

func getComponentType(target, attachment uint32, out *int32) {
	call(fnGetFramebufferAttachment, uintptr(target), uintptr(attachment), glComponentType,
		uintptr(unsafe.Pointer(out)))
}

// blit copies the rectangle from one corner to the other of the read framebuffer.
func blit(from, to [4]int32, filter uint32) {
	call(fnBlitFramebuffer, uintptr(from[0]), uintptr(from[1]), uintptr(from[2]), uintptr(from[3]), uintptr(to[0]),
		uintptr(to[1]), uintptr(to[2]), uintptr(to[3]), glColorBufferBit, uintptr(filter))
}

// readPixels reads into the bound buffer.
func readPixels(width, height int32) {
	call(fnReadPixels, 0, 0, uintptr(width), uintptr(height), glRGBA, glUnsignedByte, 0)
}

func mapBuffer(target uint32, size int) unsafe.Pointer {
	at := call(fnMapBufferRange, uintptr(target), 0, uintptr(size), glMapRead)
	return *(*unsafe.Pointer)(unsafe.Pointer(&at)) // the driver's memory, never Go's
}
