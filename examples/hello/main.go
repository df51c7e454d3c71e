// Command hello profiles a program without a window. It measures four functions, one line each, and prints the report
// as text.
//
//	go run ./examples/hello
package main

import (
	"fmt"
	"os"

	"example.com/iprof"
)

func main() {
	for range 10 {
		frame()
		iprof.Update()
	}
	if err := iprof.WriteText(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func frame() {
	defer iprof.Begin("frame").End()
	for range 3 {
		simulate()
	}
	draw()
}

func simulate() {
	defer iprof.Begin("simulate").End()
	cast(40_000)
}

func draw() {
	defer iprof.Begin("draw").End()
	cast(10_000)
}

// cast is called by simulate and draw. The call graph shows how much of its time each of them caused.
func cast(rays int) {
	defer iprof.Func().End()
	for range rays {
		hits = hits*1664525 + 1013904223
	}
}

var hits uint32
