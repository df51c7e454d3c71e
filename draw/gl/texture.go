//go:build cgo || windows

package gl

import (
	"fmt"
	"image"
	"unsafe"

	"example.com/iprof/draw"
)

// texture is an atlas uploaded to the GPU.
type texture struct {
	image      *image.Alpha // of the atlas
	generation int          // generation that was uploaded
	id         uint32
	filter     int32
	used       uint64 // number of the last draw that used it
}

// textures keeps the atlases of a few content scales. So a host that alternates between two scales does not upload
// each time.
type textures struct {
	slots [4]texture
	draws uint64
}

// slot returns the atlas's texture, or the least recently used one.
func (t *textures) slot(a *draw.Atlas) *texture {
	oldest := &t.slots[0]
	for i := range t.slots {
		s := &t.slots[i]
		if s.image == a.Image {
			return s
		}
		if s.used < oldest.used {
			oldest = s
		}
	}
	return oldest
}

// bind binds the atlas's texture to the active unit. It uploads the atlas first if the texture does not hold it. A
// picture only grows, so a texture with a later generation contains the earlier one.
func (t *textures) bind(c *capabilities, upload table, a *draw.Atlas, filter int32) error {
	s := t.slot(a)
	t.draws++
	s.used = t.draws
	if s.id == 0 {
		genTexture(&s.id)
	}
	bindTexture(glTexture2D, s.id)
	if s.image != a.Image || s.generation < a.Generation {
		s.image = nil
		if err := s.upload(c, upload, a.Image); err != nil {
			return err
		}
		s.image, s.generation = a.Image, a.Generation
	}
	s.setFilter(filter)
	return nil
}

func (s *texture) setFilter(filter int32) {
	if s.filter == filter {
		return
	}
	texParameter(glTexture2D, glTextureMinFilter, filter)
	texParameter(glTexture2D, glTextureMagFilter, filter)
	s.filter = filter
}

// upload uploads the picture with one byte per texel: as the red channel, or as luminance in contexts without that
// format.
func (s *texture) upload(c *capabilities, state table, m *image.Alpha) error {
	pixels, size := tight(m), m.Rect.Size()
	var limit = new(int32)
	if getInteger(glMaxTextureSize, limit); size.X > int(*limit) || size.Y > int(*limit) || len(pixels) == 0 {
		return fmt.Errorf("profgl: a glyph atlas of %v texels does not fit a texture (limit %d)", size, *limit)
	}
	state.enter()
	defer state.leave()
	format, kind := int32(glLuminance), uint32(glLuminance)
	if c.redTextures {
		format, kind = glR8, glRed
	}
	texImage(format, size.X, size.Y, kind, unsafe.Pointer(&pixels[0]))
	texParameter(glTexture2D, glTextureWrapS, glClampToEdge)
	texParameter(glTexture2D, glTextureWrapT, glClampToEdge)
	return nil
}

// tight returns the picture's rows without gaps, because ES 2 cannot skip them.
func tight(m *image.Alpha) []byte {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	if m.Stride == width {
		return m.Pix[:width*height]
	}
	pixels := make([]byte, 0, width*height)
	for y := range height {
		pixels = append(pixels, m.Pix[y*m.Stride:][:width]...)
	}
	return pixels
}

func (t *textures) delete() {
	for i := range t.slots {
		deleteTexture(&t.slots[i].id)
	}
	*t = textures{}
}
