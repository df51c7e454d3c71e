//go:build (amd64 || arm64) && gc && !purego

package platform

import "unsafe"

// A ReturnAddress is where one function finds the address that it will return to without a call: always as far from the same
// variable or parameter of its own. The zero value has yet to learn how far that is, and reads the variable itself. The function
// must not be inlined. Any goroutine may use it.
type ReturnAddress struct{ distance uintptr }

// Read returns what Learn has found: the address for the present call.
//
//go:norace
func (r *ReturnAddress) Read(variable unsafe.Pointer) uintptr {
	return *(*uintptr)(unsafe.Add(variable, r.distance))
}

// Known reports whether Learn was called.
//
//go:norace
func (r *ReturnAddress) Known() bool { return r.distance != 0 }

// Learn takes what ReturnDistance says of the same variable, and reads.
//
//go:norace
func (r *ReturnAddress) Learn(distance uintptr, variable unsafe.Pointer) uintptr {
	r.distance = distance
	return r.Read(variable)
}

// ReturnDistance returns how far the address that its caller will return to lies from a variable of the caller's. It is
// assembly since the stack may be moved between any two lines of Go.
//
//go:noescape
func ReturnDistance(variable unsafe.Pointer) uintptr
