// A program with a window: 7 frames.
package main

import "github.com/go-gl/glfw/v3.3/glfw"

func step(w *glfw.Window) {
	for range 3 {
		glfw.WaitEvents()
	}
	w.SwapBuffers()
}

func main() {
	w := &glfw.Window{}
	for range 7 {
		step(w)
	}
}
