//go:build cgo || windows

package gl

import (
	"math"
	"sync/atomic"

	"example.com/iprof/draw"
)

// contentScale holds the bits of the overlay's float32 scale; 0 is 1.
var contentScale atomic.Uint32

// SetContentScale sets the number of device pixels per nominal pixel for Overlay: the window system's content scale,
// 2 on most HiDPI screens. It starts at 1. Values that are not above 0 mean 1. Any goroutine may call it, for example
// from a content-scale callback. The next Overlay uses it.
func SetContentScale(scale float32) { contentScale.Store(math.Float32bits(scale)) }

func overlayScale() float32 {
	if scale := math.Float32frombits(contentScale.Load()); scale > 0 {
		return scale
	}
	return 1
}

// drawer lays out a screen of width x height device pixels. viewer.Panel is one.
type drawer interface {
	Draw(l *draw.List, width, height, scale float32)
}

// overlay draws over the whole viewport of the current context.
func overlay(d drawer) error {
	defer beginDrawing().End()
	width, height, err := viewportSize()
	if err != nil || width == 0 || height == 0 {
		return err
	}
	p := takePage()
	defer p.put()
	d.Draw(&p.list, float32(width), float32(height), overlayScale())
	return play(&p.list, view{pixels: true}, BlendAlpha, false)
}

// viewportSize returns the size of the current context's viewport in pixels.
func viewportSize() (width, height int32, err error) {
	renderers.Lock()
	defer renderers.Unlock()
	r, err := current(false)
	if err != nil {
		return 0, 0, err
	}
	getInteger(glViewport, &r.viewport[0])
	return r.viewport[2], r.viewport[3], nil
}
