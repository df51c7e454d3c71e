//go:build cgo && !windows

// Command gl21 shows the profiler's overlay in an OpenGL 2.1 program: a swarm of cubes, drawn by the fixed-function
// pipeline alone, with matrices, lights, fog, a display list, client arrays and a texture.
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
	// Nothing is bound or enabled again here, because the overlay must restore it all.
	return func(w *hosts.World, width, height int) {
		matrix := w.Camera(width, height)
		bodies := w.Bodies // C.body has the same fields in the same order
		C.draw((*C.body)(unsafe.Pointer(&bodies[0])), C.int(len(bodies)), (*C.float)(&matrix[0]), C.int(width),
			C.int(height))
	}, nil
}
