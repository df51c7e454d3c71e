package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof/internal/outfile"
)

// finish writes the report and the screenshot that the flags ask for, and closes the recording. It runs after the last
// frame.
func (v *application) finish(stdout io.Writer) error {
	if err := v.writeReport(stdout); err != nil {
		return err
	}
	if err := v.writeScreenshot(stdout); err != nil {
		return err
	}
	if err := v.closeRecording(stdout); err != nil {
		return err
	}
	if v.events != nil {
		fmt.Fprintln(stdout, "closed")
	}
	return nil
}

func (v *application) writeReport(stdout io.Writer) error {
	switch v.report {
	case "":
		return nil
	case "-":
		return writeText(stdout)
	}
	return outfile.Write(v.report, writeText)
}

// writeScreenshot writes the picture and prints the file's name.
func (v *application) writeScreenshot(stdout io.Writer) error {
	if v.screenshot == "" {
		return nil
	}
	picture, err := v.grab()
	if err != nil {
		return err
	}
	if err := outfile.Write(v.screenshot, func(w io.Writer) error { return png.Encode(w, picture) }); err != nil {
		return err
	}
	fmt.Fprintln(stdout, v.screenshot)
	return nil
}

// grab draws once more and returns the picture. If the context has frame buffer objects, it draws to one, because
// hidden parts of a window have no pixels.
func (v *application) grab() (*image.RGBA, error) {
	if v.window == nil {
		return v.drawAlone(), nil
	}
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

// offScreen makes a new frame buffer current. done makes the window's current again.
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

// upright reverses the rows of a picture, because GL reads the bottom row first, and makes it opaque.
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
