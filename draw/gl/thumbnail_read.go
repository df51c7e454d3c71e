//go:build cgo || windows

package gl

import (
	"unsafe"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// begin begins to read the copies of frames that were slow, and frees the copies of other frames.
func (t *thumbnail) begin(s *process.Session) {
	for i := range t.copies {
		c := &t.copies[i]
		if !c.used {
			continue
		}
		wanted, decided := s.WantsPicture(c.frame)
		r := t.free()
		switch {
		case decided && !wanted:
			c.used = false
		case decided && r != nil:
			t.read(c, r)
		}
	}
}

// free returns a place to read a copy to, or nil.
func (t *thumbnail) free() *pictureRead {
	for i := range t.reads {
		if t.reads[i].sync == 0 {
			return &t.reads[i]
		}
	}
	return nil
}

func (t *thumbnail) read(c *pictureCopy, r *pictureRead) {
	bindFramebuffer(glReadFramebuffer, t.framebuffers[0])
	attachRenderbuffer(glReadFramebuffer, c.renderbuffer)
	bindBuffer(glPixelPackBuffer, r.buffer)
	readPixels(t.width, t.height)
	bindBuffer(glPixelPackBuffer, 0)
	r.sync, r.frame, c.used = fence(), c.frame, false
}

// finish gives the session the pictures that have arrived.
func (t *thumbnail) finish(s *process.Session) {
	for i := range t.reads {
		r := &t.reads[i]
		if r.sync == 0 || !isSignaled(r.sync) {
			continue
		}
		deleteSync(r.sync)
		r.sync = 0
		bindBuffer(glPixelPackBuffer, r.buffer)
		if at := mapBuffer(glPixelPackBuffer, t.bytes()); at != nil {
			s.SetPicture(r.frame, t.picture(unsafe.Slice((*byte)(at), t.bytes())))
			unmapBuffer(glPixelPackBuffer)
		}
		bindBuffer(glPixelPackBuffer, 0)
	}
}

// picture makes a picture of pixels, without their alpha.
func (t *thumbnail) picture(pixels []byte) *report.Picture {
	p := &report.Picture{Width: int(t.width), Height: int(t.height), Pixels: make([]byte, 0, 3*len(pixels)/4)}
	for ; len(pixels) >= 4; pixels = pixels[4:] {
		p.Pixels = append(p.Pixels, pixels[0], pixels[1], pixels[2])
	}
	return p
}
