package gl

import "syscall"

var wglGetCurrentContext = syscall.NewLazyDLL("opengl32.dll").NewProc("wglGetCurrentContext")

// currentContext returns the window system's name of the thread's current context, 0 without one.
func currentContext() uintptr {
	if wglGetCurrentContext.Find() != nil {
		return 0
	}
	handle, _, _ := wglGetCurrentContext.Call()
	return handle
}
