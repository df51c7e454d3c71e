//go:build cgo

package gl

import (
	"math"
	"sync/atomic"

	"example.com/iprof/draw"
)

// contentScale holds the bits of the overlay's float32 scale; 0 is 1.
var contentScale atomic.Uint32

// SetContentScale tells Overlay how many device pixels a nominal pixel has: what the window system calls the content scale,
// 2 on most HiDPI screens. It is 1 at first; what is not above 0 is taken as 1. Any goroutine may call it, from a
// content-scale callback for example; the next Overlay draws at the new scale.
func SetContentScale(scale float32) { contentScale.Store(math.Float32bits(scale)) }

func overlayScale() float32 {
	if scale := math.Float32frombits(contentScale.Load()); scale > 0 {
		return scale
	}
	return 1
}

// drawer lays something out for a screen of width x height device pixels: a draw.Panel.
type drawer interface {
	Draw(l *draw.List, width, height, scale float32)
}

// overlay draws over the whole current viewport.
func overlay(d drawer) error {
	defer drawing.Begin().End()
	width, height, err := viewportSize()
	if err != nil || width == 0 || height == 0 {
		return err
	}
	p := takePage()
	defer p.put()
	d.Draw(&p.list, float32(width), float32(height), overlayScale())
	return play(&p.list, view{pixels: true}, BlendAlpha, false)
}

// viewportSize asks the current context.
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
