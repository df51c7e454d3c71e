package glfwhost

import (
	"bytes"
	"errors"
	"fmt"
	"image"

	"github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof"
	"example.com/iprof/examples/hosts"
)

// checked draws the overlay. It returns an error if a pixel outside the overlay, a depth, or a value of the GL state
// changed.
func checked(width, height int, overlay func() error) error {
	defer iprof.Begin("check").End()
	if e := gl.GetError(); e != gl.NO_ERROR {
		return fmt.Errorf("GL error %#x before the overlay", e)
	}
	picture, depths, state := readPixels(width, height), readDepths(width, height), takeState()
	covered := hosts.Cover(picture.Rect)
	if err := overlay(); err != nil {
		return err
	}
	if e := gl.GetError(); e != gl.NO_ERROR {
		return fmt.Errorf("GL error %#x after the overlay", e)
	}
	err := state.compare(takeState())
	if !bytes.Equal(depths, readDepths(width, height)) {
		err = errors.Join(err, errors.New("the overlay changed the depth buffer"))
	}
	return errors.Join(err, hosts.Compare(picture, readPixels(width, height), covered))
}

// readPixels returns the window as a picture.
func readPixels(width, height int) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height { // GL's first row is the lowest
		gl.ReadPixels(0, int32(height-1-y), int32(width), 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(p.Pix[y*p.Stride:]))
	}
	return p
}

// readDepths returns the depth buffer, lowest row first.
func readDepths(width, height int) []byte {
	depths := make([]byte, width*height*4)
	gl.ReadPixels(0, 0, int32(width), int32(height), gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, gl.Ptr(depths))
	return depths
}
