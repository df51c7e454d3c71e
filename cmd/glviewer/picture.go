package main

import (
	"image"

	"github.com/go-gl/gl/v3.3-core/gl"
)

// backdrop shows a sample's picture behind the overlay. It copies a texture to the window, which needs no shader.
// Contexts that cannot copy draw it with a quad.
type backdrop struct {
	texture, frame uint32
	quad           *quad // nil if the texture is copied
	size           image.Point
}

// newBackdrop returns an error if the driver refuses the quad's shader. Contexts since OpenGL 3.0 need no shader.
func newBackdrop() (b *backdrop, err error) {
	b = &backdrop{}
	gl.GenTextures(1, &b.texture)
	if !framebuffers() {
		b.quad, err = newQuad()
		return b, err
	}
	gl.GenFramebuffers(1, &b.frame)
	return b, nil
}

// framebuffers reports whether the context has frame buffer objects.
func framebuffers() bool {
	version := gl.GoStr(gl.GetString(gl.VERSION))
	return version >= "3"
}

// draw fills the window with the picture, cut to the window's shape. Without a picture it does nothing.
func (b *backdrop) draw(picture *image.RGBA, width, height int) {
	if picture == nil {
		return
	}
	b.upload(picture)
	from := cover(b.size, width, height)
	if b.quad != nil {
		b.quad.draw(b.size, from)
		return
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, b.frame)
	gl.BlitFramebuffer(int32(from.Min.X), int32(from.Max.Y), int32(from.Max.X), int32(from.Min.Y),
		0, 0, int32(width), int32(height), gl.COLOR_BUFFER_BIT, gl.LINEAR)
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, 0)
}

// upload copies the picture into the texture.
func (b *backdrop) upload(picture *image.RGBA) {
	gl.BindTexture(gl.TEXTURE_2D, b.texture)
	size := picture.Rect.Size()
	if size == b.size {
		gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(size.X), int32(size.Y),
			gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(picture.Pix))
		return
	}
	b.size = size
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(size.X), int32(size.Y), 0,
		gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(picture.Pix))
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	if b.quad != nil {
		return
	}
	gl.BindFramebuffer(gl.READ_FRAMEBUFFER, b.frame)
	gl.FramebufferTexture2D(gl.READ_FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, b.texture, 0)
}

// cover returns the part of a picture that fills a window without distortion.
func cover(picture image.Point, width, height int) image.Rectangle {
	w, h := picture.X, picture.X*height/width
	if h > picture.Y {
		w, h = picture.Y*width/height, picture.Y
	}
	x, y := (picture.X-w)/2, (picture.Y-h)/2
	return image.Rect(x, y, x+w, y+h)
}
