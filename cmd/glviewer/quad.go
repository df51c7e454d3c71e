package main

import (
	"fmt"
	"image"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// quad draws a texture over the whole window with a shader. It is for OpenGL 2.1, which has no frame buffer objects.
type quad struct{ program, corners uint32 }

const (
	quadVertex = "#version 110\nattribute vec4 corner;\nvarying vec2 at;\n" +
		"void main() { gl_Position = vec4(corner.xy, 0.0, 1.0); at = corner.zw; }\n\x00"
	quadFragment = "#version 110\nuniform sampler2D picture;\nvarying vec2 at;\n" +
		"void main() { gl_FragColor = vec4(texture2D(picture, at).rgb, 1.0); }\n\x00"
)

// newQuad compiles the shader. The error has the driver's log.
func newQuad() (*quad, error) {
	q := &quad{program: gl.CreateProgram()}
	for kind, source := range map[uint32]string{gl.VERTEX_SHADER: quadVertex, gl.FRAGMENT_SHADER: quadFragment} {
		shader := gl.CreateShader(kind)
		text, free := gl.Strs(source)
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(q.program, shader)
		gl.DeleteShader(shader)
	}
	gl.BindAttribLocation(q.program, 0, gl.Str("corner\x00"))
	gl.LinkProgram(q.program)
	var linked int32
	if gl.GetProgramiv(q.program, gl.LINK_STATUS, &linked); linked == 0 {
		var log [512]byte
		var n int32
		gl.GetProgramInfoLog(q.program, int32(len(log)), &n, &log[0])
		return nil, fmt.Errorf("the sample's picture: %s", strings.TrimSpace(string(log[:n])))
	}
	gl.GenBuffers(1, &q.corners)
	return q, nil
}

// draw fills the window with a part of the bound texture. size is the texture's size, and from is the part, with rows
// downwards.
func (q *quad) draw(size image.Point, from image.Rectangle) {
	u := func(x int) float32 { return float32(x) / float32(size.X) }
	v := func(y int) float32 { return float32(y) / float32(size.Y) }
	l := u(from.Min.X)
	t := v(from.Min.Y)
	r := u(from.Max.X)
	b := v(from.Max.Y)
	corners := [...]float32{-1, -1, l, b, 1, -1, r, b, -1, 1, l, t, 1, 1, r, t}
	gl.UseProgram(q.program)
	gl.BindBuffer(gl.ARRAY_BUFFER, q.corners)
	gl.BufferData(gl.ARRAY_BUFFER, int(unsafe.Sizeof(corners)), gl.Ptr(&corners[0]), gl.STREAM_DRAW)
	gl.EnableVertexAttribArray(0)
	gl.VertexAttribPointerWithOffset(0, 4, gl.FLOAT, false, 0, 0)
	gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
	gl.DisableVertexAttribArray(0)
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	gl.UseProgram(0)
}
