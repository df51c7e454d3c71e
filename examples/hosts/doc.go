// Package hosts contains the parts that the programs in its folders share. Each program is another kind of host for
// the same overlay, and can check that the overlay leaves no trace:
//
//	cd examples/hosts
//	go run ./gl21       # OpenGL 2.1, fixed function: lights, fog, matrices, no shader
//	go run ./gl33       # OpenGL 3.3 core: instances in one draw call
//	go run ./gl41       # OpenGL 4.1 core, forward-compatible: separate programs in a pipeline
//	go run ./ebitengine # a game engine that keeps OpenGL, Metal or Direct3D to itself
//
// All show the same swarm. F1 changes how much the overlay shows. F2 moves the keyboard focus to it. With -check each
// frame is compared before and after the overlay: every pixel outside it, and the GL state.
package hosts
