// Command c simulates bodies in C code, called from Go, and prints the zones of both as one tree.
//
//	go run ./examples/c
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../iprofc -O2
#include "world.h"
*/
import "C"

import (
	"fmt"
	"os"

	"example.com/iprof"
	"example.com/iprof/iprofc"
)

const (
	bodies = 500
	frames = 60
)

func main() {
	w := C.world_new(bodies)
	if w == nil {
		fmt.Fprintln(os.Stderr, "c: no memory for the world")
		os.Exit(1)
	}
	defer C.world_free(w)
	for range frames {
		frame(w)
		iprof.Update()
	}
	if err := iprof.WriteTree(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "c:", err)
		os.Exit(1)
	}
}

func frame(w *C.world) {
	defer iprof.Begin("frame").End()
	energy := C.double(0)
	iprofc.Call(func() {
		C.world_step(w, 0.001)
		energy = C.world_energy(w)
	})
	defer iprof.Begin("check").End()
	if energy < 0 {
		panic("c: the energy is negative")
	}
}
