//go:build cgo && !(windows && wgl)

package gl

import (
	"unsafe"

	binding "github.com/go-gl/gl/v3.3-core/gl"
)

// These are the functions for pictures of frames. gogl.go has the other functions.

func genFramebuffer(out *uint32)        { binding.GenFramebuffers(1, out) }
func isFramebuffer(id uint32) bool      { return binding.IsFramebuffer(id) }
func bindFramebuffer(target, id uint32) { binding.BindFramebuffer(target, id) }
func framebufferStatus(target uint32) bool {
	return binding.CheckFramebufferStatus(target) == glComplete
}
func genRenderbuffer(out *uint32)  { binding.GenRenderbuffers(1, out) }
func bindRenderbuffer(id uint32)   { binding.BindRenderbuffer(glRenderbuffer, id) }
func readBuffer(buffer uint32)     { binding.ReadBuffer(buffer) }
func fence() uintptr               { return binding.FenceSync(glSyncComplete, 0) }
func isSignaled(sync uintptr) bool { return binding.ClientWaitSync(sync, 0, 0) != glTimeoutExpired }
func deleteSync(sync uintptr)      { binding.DeleteSync(sync) }
func unmapBuffer(target uint32)    { binding.UnmapBuffer(target) }

func renderbufferStorage(width, height int32) {
	binding.RenderbufferStorage(glRenderbuffer, glRGBA8, width, height)
}

func attachRenderbuffer(target, id uint32) {
	binding.FramebufferRenderbuffer(target, glColorAttachment0, glRenderbuffer, id)
}

func getComponentType(target, attachment uint32, out *int32) {
	binding.GetFramebufferAttachmentParameteriv(target, attachment, glComponentType, out)
}

// blit copies the rectangle from one corner to the other of the read framebuffer.
func blit(from, to [4]int32, filter uint32) {
	binding.BlitFramebuffer(from[0], from[1], from[2], from[3], to[0], to[1], to[2], to[3], glColorBufferBit, filter)
}

// readPixels reads into the bound buffer.
func readPixels(width, height int32) {
	binding.ReadPixels(0, 0, width, height, glRGBA, glUnsignedByte, nil)
}

func mapBuffer(target uint32, size int) unsafe.Pointer {
	return binding.MapBufferRange(target, 0, size, glMapRead)
}
