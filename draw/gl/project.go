//go:build cgo

package gl

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// view says how the list's units come to lie on the screen.
type view struct {
	projection *mgl32.Mat4 // to clip space
	scale      float32     // the viewport's pixels to a unit that the list was laid out for, 0 is 1
	up         bool        // without a projection: y grows up, from the viewport's bottom
	pixels     bool        // not even the fixed-function matrices, if there are any
}

// project sets the matrix from the list's units to clip space. With both state and projection given nothing is asked: a
// viewport that has changed unseen costs some sharpness.
func (r *Renderer) project(v view, trusted bool) {
	if !trusted || v.projection == nil || r.viewport[2] == 0 {
		getInteger(glViewport, &r.viewport[0])
	}
	switch {
	case v.projection != nil:
		r.matrix = *v.projection
	case r.caps.compat && !v.pixels:
		getFloat(glProjectionMatrix, &r.projection0[0])
		getFloat(glModelviewMatrix, &r.modelview0[0])
		r.matrix = r.projection0.Mul4(r.modelview0)
	default:
		r.matrix = v.ortho(r.viewport[2], r.viewport[3])
	}
}

// unit is the scale, 1 where there is none.
func (v view) unit() float32 {
	if v.scale > 0 {
		return v.scale
	}
	return 1
}

// ortho is the projection of a viewport's pixels.
func (v view) ortho(width, height int32) mgl32.Mat4 {
	scale := v.unit()
	w, h := float32(max(width, 1))/scale, float32(max(height, 1))/scale
	if v.up {
		return mgl32.Ortho2D(0, w, 0, h)
	}
	return mgl32.Ortho2D(0, w, h, 0)
}

// exact reports whether the matrix puts a list that was laid out for a scale (pixels to a unit) on whole pixels, either way
// up: then each texel belongs to one pixel, and the nearest is both the sharpest and the cheapest.
func (r *Renderer) exact(scale float32) bool {
	m, w, h := &r.matrix, float64(r.viewport[2])/2, float64(r.viewport[3])/2
	if m[1] != 0 || m[4] != 0 || m[3] != 0 || m[7] != 0 || m[15] != 1 {
		return false
	}
	return whole(float64(m[0])*w, float64(scale)) && whole(math.Abs(float64(m[5])*h), float64(scale)) &&
		whole((float64(m[12])+1)*w, math.Round((float64(m[12])+1)*w)) &&
		whole((float64(m[13])+1)*h, math.Round((float64(m[13])+1)*h))
}

// whole reports whether two lengths in pixels are the same, for a picture a few thousand pixels wide.
func whole(got, want float64) bool { return math.Abs(got-want) < 1e-4 }
