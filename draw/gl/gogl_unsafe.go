//go:build cgo

package gl

import "unsafe"

// binding's getProcAddress is not exported, and its Init refuses every context below 3.3. The binding's own loader knows
// GLX, WGL, EGL (build tag egl) and macOS, so it is reached by name rather than written again. Checked with Go 1.26 and the
// binding of October 2023; a change of either fails TestLoaderFindsFunctions, or the link.
//
//go:linkname getProcAddress github.com/go-gl/gl/v3.3-core/gl.getProcAddress
func getProcAddress(name string) unsafe.Pointer
