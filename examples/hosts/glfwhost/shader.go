package glfwhost

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// Program compiles and links shaders. The sources must end in a zero byte.
func Program(vertex, fragment string) (uint32, error) {
	program := gl.CreateProgram()
	for _, s := range []struct {
		kind   uint32
		source string
	}{{gl.VERTEX_SHADER, vertex}, {gl.FRAGMENT_SHADER, fragment}} {
		shader := gl.CreateShader(s.kind)
		text, free := gl.Strs(s.source)
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(program, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(program)
	return program, Linked(program)
}

// Linked returns the driver's log as an error if the program did not link.
func Linked(program uint32) error {
	var ok int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &ok); ok == gl.TRUE {
		return nil
	}
	log := strings.Repeat("\x00", 4096)
	gl.GetProgramInfoLog(program, int32(len(log)), nil, gl.Str(log))
	return fmt.Errorf("shaders: %s", strings.TrimRight(log, "\x00\n"))
}
