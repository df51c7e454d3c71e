// Command gl41 shows the profiler's overlay in an OpenGL 4.1 core, forward-compatible program: a swarm of diamonds,
// drawn by separate programs in a pipeline, with no program in use.
package main

import (
	"example.com/iprof/examples/hosts"
	"example.com/iprof/examples/hosts/glfwhost"
	"github.com/go-gl/gl/v3.3-core/gl" // has the functions of 4.1 used here as extensions
	"github.com/go-gl/mathgl/mgl32"
)

func main() {
	glfwhost.Main(glfwhost.Host{Title: "OpenGL 4.1 core", Major: 4, Minor: 1, Core: true, Start: start})
}

const vertexShader = `#version 410 core
layout(location = 0) in vec4 place; // and size
layout(location = 1) in vec4 paint; // and spin
uniform mat4 camera;
out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) out vec4 colour;
const vec3 tips[6] = vec3[](vec3(0,1.6,0), vec3(1,0,0), vec3(0,0,1), vec3(-1,0,0), vec3(0,0,-1), vec3(0,-1.6,0));
const int faces[24] = int[](0,2,1, 0,3,2, 0,4,3, 0,1,4, 5,1,2, 5,2,3, 5,3,4, 5,4,1);
void main() {
	int face = gl_VertexID / 3 * 3;
	vec3 a = tips[faces[face]], b = tips[faces[face+1]], c = tips[faces[face+2]];
	mat3 turn = mat3(cos(paint.w), 0, -sin(paint.w), 0, 1, 0, sin(paint.w), 0, cos(paint.w));
	vec3 n = turn * normalize(cross(b - a, c - a));
	colour = vec4(paint.rgb * (0.4 + 0.6 * abs(dot(n, normalize(vec3(0.5, 0.8, 0.3))))), 0.8);
	gl_Position = camera * vec4(place.xyz + 1.3 * place.w * (turn * tips[faces[gl_VertexID % 24]]), 1.0);
}` + "\x00"

const fragmentShader = `#version 410 core
layout(location = 0) in vec4 colour;
layout(location = 0) out vec4 pixel;
void main() { pixel = colour; }` + "\x00"

// instance is a body in the layout of the vertex shader.
type instance struct{ place, paint mgl32.Vec4 }

func start() (func(*hosts.World, int, int), error) {
	vertex, err := separate(gl.VERTEX_SHADER, vertexShader)
	if err != nil {
		return nil, err
	}
	fragment, err := separate(gl.FRAGMENT_SHADER, fragmentShader)
	if err != nil {
		return nil, err
	}
	var pipeline, vertices, buffer uint32
	gl.GenProgramPipelines(1, &pipeline)
	gl.UseProgramStages(pipeline, gl.VERTEX_SHADER_BIT, vertex)
	gl.UseProgramStages(pipeline, gl.FRAGMENT_SHADER_BIT, fragment)
	gl.BindProgramPipeline(pipeline)
	gl.GenVertexArrays(1, &vertices)
	gl.GenBuffers(1, &buffer)
	gl.BindVertexArray(vertices)
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	for i := range uint32(2) {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribPointerWithOffset(i, 4, gl.FLOAT, false, 32, uintptr(16*i))
		gl.VertexAttribDivisor(i, 1)
	}
	gl.Enable(gl.DEPTH_TEST)
	gl.Enable(gl.BLEND)
	gl.BlendFuncSeparate(gl.SRC_ALPHA, gl.ONE, gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	gl.DepthFunc(gl.ALWAYS) // colours add up whatever is in front
	gl.DepthMask(false)
	gl.ClearColor(0.02, 0.03, 0.06, 1)
	camera := gl.GetUniformLocation(vertex, gl.Str("camera\x00"))
	instances := make([]instance, 0, 1024)
	// Nothing is bound or enabled again here, because the overlay must restore it all.
	return func(w *hosts.World, width, height int) {
		gl.ViewportIndexedf(0, 0, 0, float32(width), float32(height))
		gl.Clear(gl.COLOR_BUFFER_BIT)
		instances = instances[:0]
		for _, b := range w.Bodies {
			instances = append(instances, instance{mgl32.Vec4{b.X, b.Y, b.Z, b.Size},
				mgl32.Vec4{b.R, b.G, b.B, b.Spin}})
		}
		gl.BufferData(gl.ARRAY_BUFFER, 32*len(instances), gl.Ptr(instances), gl.STREAM_DRAW)
		matrix := w.Camera(width, height)
		gl.ProgramUniformMatrix4fv(vertex, camera, 1, false, &matrix[0])
		gl.DrawArraysInstanced(gl.TRIANGLES, 0, 24, int32(len(instances)))
	}, nil
}

// separate makes a program from one shader.
func separate(kind uint32, source string) (uint32, error) {
	text, free := gl.Strs(source)
	defer free()
	program := gl.CreateShaderProgramv(kind, 1, text)
	return program, glfwhost.Linked(program)
}
