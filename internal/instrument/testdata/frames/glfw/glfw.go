// Package glfw has the shape of the real one, as far as the programs here use it.
package glfw

type Window struct{}

func (*Window) SwapBuffers() {}

func WaitEvents() {}
