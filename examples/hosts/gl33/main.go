// Command gl33 shows the profiler's overlay in an OpenGL 3.3 core program: a swarm of cubes in one instanced draw
// call.
package main

import (
	"example.com/iprof/examples/hosts"
	"example.com/iprof/examples/hosts/glfwhost"
	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/mathgl/mgl32"
)

func main() {
	glfwhost.Main(glfwhost.Host{Title: "OpenGL 3.3 core", Major: 3, Minor: 3, Core: true, Start: start})
}

const vertexShader = `#version 330 core
layout(location = 0) in vec4 place; // and size
layout(location = 1) in vec4 paint; // and spin
uniform mat4 camera;
out vec3 colour;
const vec3 normals[6] = vec3[](vec3(1,0,0), vec3(-1,0,0), vec3(0,1,0), vec3(0,-1,0), vec3(0,0,1), vec3(0,0,-1));
const vec2 corners[6] = vec2[](vec2(-1,-1), vec2(1,-1), vec2(1,1), vec2(-1,-1), vec2(1,1), vec2(-1,1));
void main() {
	vec3 n = normals[gl_VertexID / 6], u = n.yzx, v = cross(n, u);
	vec2 c = corners[gl_VertexID % 6];
	mat3 turn = mat3(cos(paint.w), 0, -sin(paint.w), 0, 1, 0, sin(paint.w), 0, cos(paint.w));
	colour = paint.rgb * (0.45 + 0.55 * max(dot(turn * n, normalize(vec3(0.5, 0.8, 0.3))), 0.0));
	gl_Position = camera * vec4(place.xyz + place.w * (turn * (n + u * c.x + v * c.y)), 1.0);
}` + "\x00"

const fragmentShader = `#version 330 core
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.0); }` + "\x00"

// instance is a body in the layout of the vertex shader.
type instance struct{ place, paint mgl32.Vec4 }

func start() (func(*hosts.World, int, int), error) {
	program, err := glfwhost.Program(vertexShader, fragmentShader)
	if err != nil {
		return nil, err
	}
	var vertices, buffer uint32
	gl.GenVertexArrays(1, &vertices)
	gl.GenBuffers(1, &buffer)
	gl.BindVertexArray(vertices)
	gl.BindBuffer(gl.ARRAY_BUFFER, buffer)
	for i := range uint32(2) {
		gl.EnableVertexAttribArray(i)
		gl.VertexAttribPointerWithOffset(i, 4, gl.FLOAT, false, 32, uintptr(16*i))
		gl.VertexAttribDivisor(i, 1)
	}
	gl.UseProgram(program)
	gl.Enable(gl.DEPTH_TEST)
	gl.Enable(gl.CULL_FACE)
	gl.ClearColor(0.05, 0.06, 0.09, 1)
	camera := gl.GetUniformLocation(program, gl.Str("camera\x00"))
	instances := make([]instance, 0, 1024)
	// Nothing is bound or enabled again here, because the overlay must restore it all.
	return func(w *hosts.World, width, height int) {
		gl.Viewport(0, 0, int32(width), int32(height))
		gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
		instances = instances[:0]
		for _, b := range w.Bodies {
			instances = append(instances, instance{mgl32.Vec4{b.X, b.Y, b.Z, b.Size},
				mgl32.Vec4{b.R, b.G, b.B, b.Spin}})
		}
		gl.BufferData(gl.ARRAY_BUFFER, 32*len(instances), gl.Ptr(instances), gl.STREAM_DRAW)
		matrix := w.Camera(width, height)
		gl.UniformMatrix4fv(camera, 1, false, &matrix[0])
		gl.DrawArraysInstanced(gl.TRIANGLES, 0, 36, int32(len(instances)))
	}, nil
}
