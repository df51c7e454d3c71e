package main

import (
	"errors"
	"image"
	"image/png"
	"os"

	"github.com/go-gl/gl/v3.3-core/gl"

	profgl "example.com/iprof/draw/gl"
)

// screen draws the game's picture over the whole window: one triangle strip with one texture.
type screen struct {
	program, vertices, texture uint32
	size                       image.Point
}

const vertexShader = `#version 330 core
out vec2 at;
void main() {
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	at = vec2(corner.x, 1.0 - corner.y);
	gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}` + "\x00"

const fragmentShader = `#version 330 core
in vec2 at;
out vec4 colour;
uniform sampler2D picture;
void main() {
	vec2 fromMiddle = at - 0.5;
	colour = vec4(texture(picture, at).rgb * (1.05 - 0.7 * dot(fromMiddle, fromMiddle)), 1.0);
}` + "\x00"

func newScreen() *screen {
	s := &screen{program: gl.CreateProgram()}
	for kind, source := range map[uint32]string{gl.VERTEX_SHADER: vertexShader, gl.FRAGMENT_SHADER: fragmentShader} {
		shader := gl.CreateShader(kind)
		text, free := gl.Strs(source)
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(s.program, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(s.program)
	gl.GenVertexArrays(1, &s.vertices)
	gl.GenTextures(1, &s.texture)
	return s
}

// draw uploads the picture and fills the window with it.
func (s *screen) draw(picture *image.RGBA, width, height int) {
	defer profgl.Begin("screen").End() // profiler: a zone of the CPU and of the GPU
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.BindTexture(gl.TEXTURE_2D, s.texture)
	if size := picture.Rect.Size(); size != s.size {
		s.size = size
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
		gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(size.X), int32(size.Y), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	}
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(s.size.X), int32(s.size.Y), gl.RGBA, gl.UNSIGNED_BYTE,
		gl.Ptr(picture.Pix))
	gl.UseProgram(s.program)
	gl.BindVertexArray(s.vertices)
	gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
}

// save writes the picture on the screen to a PNG file. Without a name it does nothing.
func save(name string, width, height int) error {
	if name == "" {
		return nil
	}
	pixels := image.NewNRGBA(image.Rect(0, 0, width, height))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	for y := range height { // GL's first row is the lowest
		gl.ReadPixels(0, int32(height-1-y), int32(width), 1, gl.RGBA, gl.UNSIGNED_BYTE,
			gl.Ptr(pixels.Pix[y*pixels.Stride:]))
	}
	for i := 3; i < len(pixels.Pix); i += 4 {
		pixels.Pix[i] = 255
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, pixels), f.Close())
}
