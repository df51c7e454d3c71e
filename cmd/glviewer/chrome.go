package main

import (
	"github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof/draw"
	profgl "example.com/iprof/draw/gl"
)

// chrome draws the parts of the window around the panel: the bar of the tabs and the prompt.
type chrome struct {
	renderer *profgl.Renderer
	list     draw.List
}

// drawChrome draws over the viewport of the whole window.
func (v *application) drawChrome(width, height int) error {
	c := &v.chrome
	c.list.Reset()
	if v.Draw(&c.list, width, height); c.list.Quads() == 0 {
		return nil
	}
	gl.Viewport(0, 0, int32(width), int32(height))
	if c.renderer == nil {
		r, err := profgl.NewRenderer()
		if err != nil {
			return err
		}
		c.renderer = r
	}
	return c.renderer.Draw(&c.list, nil, profgl.BlendAlpha, false)
}
