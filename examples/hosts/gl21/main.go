//go:build cgo && !windows

// Gl21 is an OpenGL 2.1 program with the profiler's overlay: a swarm of cubes by the fixed-function pipeline alone, with
// matrices, lights, fog, a display list, client arrays and a texture.
package main

import (
	"unsafe"

	"example.com/iprof/examples/hosts"
	"example.com/iprof/examples/hosts/glfwhost"
)

// #cgo linux freebsd openbsd netbsd LDFLAGS: -lGL -lm
// #cgo darwin LDFLAGS: -framework OpenGL
// #cgo darwin CFLAGS: -DGL_SILENCE_DEPRECATION
// #include "fixed.h"
import "C"

func main() {
	glfwhost.Main(glfwhost.Host{Title: "OpenGL 2.1", Major: 2, Minor: 1, Start: start})
}

func start() (func(*hosts.World, int, int), error) {
	C.start()
	// Nothing is bound or switched on again: the overlay must leave it all as it is.
	return func(w *hosts.World, width, height int) {
		matrix := w.Camera(width, height)
		bodies := w.Bodies // all C.body is made of, in its order
		C.draw((*C.body)(unsafe.Pointer(&bodies[0])), C.int(len(bodies)), (*C.float)(&matrix[0]), C.int(width), C.int(height))
	}, nil
}
