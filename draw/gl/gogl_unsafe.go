//go:build cgo && !(windows && wgl)

package gl

import "unsafe"

// getProcAddress is the binding's own loader for GLX, WGL, EGL (build tag egl) and macOS. The binding does not export
// it, and its Init refuses contexts below 3.3, so the loader is linked by name. Checked with Go 1.26 and the binding of
// October 2023. If either changes, TestLoaderFindsFunctions or the link fails.
//
//go:linkname getProcAddress github.com/go-gl/gl/v3.3-core/gl.getProcAddress
func getProcAddress(name string) unsafe.Pointer
