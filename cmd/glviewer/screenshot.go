package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof"
)

// finish writes what the flags ask for when the last frame is done.
func (v *viewer) finish(stdout io.Writer) error {
	if err := v.writeReport(stdout); err != nil {
		return err
	}
	if err := v.writeScreenshot(stdout); err != nil {
		return err
	}
	if v.events != nil {
		fmt.Fprintln(stdout, "closed")
	}
	return nil
}

func (v *viewer) writeReport(stdout io.Writer) error {
	switch v.report {
	case "":
		return nil
	case "-":
		return iprof.WriteText(stdout)
	}
	return writeFile(v.report, iprof.WriteText)
}

// writeScreenshot writes the picture and prints where it is.
func (v *viewer) writeScreenshot(stdout io.Writer) error {
	if v.screenshot == "" {
		return nil
	}
	picture, err := v.grab()
	if err != nil {
		return err
	}
	if err := writeFile(v.screenshot, func(w io.Writer) error { return png.Encode(w, picture) }); err != nil {
		return err
	}
	fmt.Fprintln(stdout, v.screenshot)
	return nil
}

// grab draws once more and reads the picture back: from a frame buffer of its own where there can be one, because what is
// hidden of a window has no pixels.
func (v *viewer) grab() (*image.RGBA, error) {
	width, height := v.window.GetFramebufferSize()
	if width == 0 || height == 0 {
		return nil, errors.New("no screenshot: the window is minimised")
	}
	if framebuffers() {
		defer offScreen(width, height)()
	}
	if err := v.draw(width, height); err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	gl.PixelStorei(gl.PACK_ALIGNMENT, 1)
	gl.ReadPixels(0, 0, int32(width), int32(height), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(picture.Pix))
	upright(picture)
	return picture, nil
}

// offScreen makes a frame buffer current; what it returns puts the window's back.
func offScreen(width, height int) (done func()) {
	var frame, colour uint32
	gl.GenFramebuffers(1, &frame)
	gl.GenRenderbuffers(1, &colour)
	gl.BindFramebuffer(gl.FRAMEBUFFER, frame)
	gl.BindRenderbuffer(gl.RENDERBUFFER, colour)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, int32(width), int32(height))
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colour)
	return func() {
		gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
		gl.DeleteFramebuffers(1, &frame)
		gl.DeleteRenderbuffers(1, &colour)
	}
}

// upright turns what GL reads, bottom row first, into an opaque picture.
func upright(p *image.RGBA) {
	height, row := p.Rect.Dy(), make([]byte, p.Stride)
	for y := range height / 2 {
		top, bottom := p.Pix[y*p.Stride:][:p.Stride], p.Pix[(height-1-y)*p.Stride:][:p.Stride]
		copy(row, top)
		copy(top, bottom)
		copy(bottom, row)
	}
	for i := 3; i < len(p.Pix); i += 4 {
		p.Pix[i] = 255
	}
}

// writeFile writes a file as a whole or not at all.
func writeFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return fmt.Errorf("cannot write %s: %w", name, path.Err) // nobody has asked for the other name
	}
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
