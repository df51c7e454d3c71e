package gl_test

import (
	"fmt"

	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/process"
)

var shadow = profgl.NewZone("shadow pass")

// A zone of the CPU and of the GPU, as a variable and by its name. Without an OpenGL context, as here, they are zones
// of the CPU only, and GPULane says why.
func ExampleNewZone() {
	drawShadows := func() {
		defer shadow.Begin().End()
		for range 2 {
			pass := profgl.Begin("cascade")
			// gl.DrawElements(…)
			pass.End()
		}
	}
	drawShadows()
	if _, err := profgl.GPULane(); err != nil {
		fmt.Println("zones of the CPU only")
	}
	process.Default().Update()
	info := process.Default().View().Info()
	fmt.Println("a GPU lane:", info.HasGPU)
	// Output:
	// zones of the CPU only
	// a GPU lane: false
}
