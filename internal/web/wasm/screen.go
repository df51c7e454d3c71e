//go:build js && wasm

package main

import (
	"errors"
	"image"
	"math"
	"syscall/js"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
)

// screen is the canvas. With WebGL2 it plays lists there; without, it plays them into a picture.
type screen struct {
	canvas  js.Value
	player  *player // nil without WebGL2
	context js.Value
	picture *image.RGBA
	bytes   js.Value
	width   int
	height  int
	scale   float32
	ground  [4]uint8 // the colour behind everything, that of the theme
}

// newScreen returns the page's canvas.
func newScreen() *screen {
	s := &screen{canvas: js.Global().Get("document").Call("getElementById", "screen")}
	if gl := js.Global().Get("iprofFiles").Call("screen"); gl.Truthy() {
		if s.player = newPlayer(gl); s.player != nil {
			return s
		}
	}
	s.context = s.canvas.Call("getContext", "2d", js.ValueOf(map[string]any{"alpha": false}))
	return s
}

// fit makes the canvas as large as the page, pixel for pixel.
func (s *screen) fit() (width, height int, scale float32) {
	window := js.Global()
	ratio := window.Get("devicePixelRatio").Float()
	width = max(int(math.Round(window.Get("innerWidth").Float()*ratio)), 1)
	height = max(int(math.Round(window.Get("innerHeight").Float()*ratio)), 1)
	if width != s.width || height != s.height {
		s.width, s.height = width, height
		s.canvas.Set("width", width)
		s.canvas.Set("height", height)
		if s.player == nil {
			s.picture = image.NewRGBA(image.Rect(0, 0, width, height))
			s.bytes = window.Get("Uint8ClampedArray").New(len(s.picture.Pix))
		}
	}
	s.scale = float32(ratio)
	return width, height, s.scale
}

func (s *screen) size() (width, height int) { return s.width, s.height }

func (s *screen) clear() {
	if s.player != nil {
		s.player.clear(s.width, s.height, s.ground)
		return
	}
	for i := 0; i+4 <= len(s.picture.Pix); i += 4 {
		copy(s.picture.Pix[i:], s.ground[:])
	}
}

// play draws a list below the top pixels of the screen.
func (s *screen) play(l *draw.List, top int) {
	if l.Atlas == nil || l.Quads() == 0 {
		return
	}
	if s.player != nil {
		s.player.play(l, s.width, s.height-top)
		return
	}
	below := s.picture.SubImage(image.Rect(0, top, s.width, s.height)).(*image.RGBA)
	soft.Render(below, l)
}

// show shows the played lists.
func (s *screen) show() {
	if s.player != nil {
		return
	}
	js.CopyBytesToJS(s.bytes, s.picture.Pix)
	s.context.Call("putImageData", js.Global().Get("ImageData").New(s.bytes, s.width, s.height), 0, 0)
}

// grab returns the shown picture.
func (s *screen) grab() (*image.RGBA, error) {
	if s.width == 0 {
		return nil, errors.New("nothing is drawn yet")
	}
	if s.player != nil {
		return s.player.grab(s.width, s.height), nil
	}
	return s.picture, nil
}
