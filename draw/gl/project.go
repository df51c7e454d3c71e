//go:build cgo

package gl

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// project sets the matrix from the list's units to clip space. With both state and projection given nothing is asked: a
// viewport that has changed unseen costs some sharpness.
func (r *Renderer) project(projection *mgl32.Mat4, trusted bool) {
	if !trusted || projection == nil || r.viewport[2] == 0 {
		getInteger(glViewport, &r.viewport[0])
	}
	switch {
	case projection != nil:
		r.matrix = *projection
	case r.caps.compat:
		getFloat(glProjectionMatrix, &r.projection0[0])
		getFloat(glModelviewMatrix, &r.modelview0[0])
		r.matrix = r.projection0.Mul4(r.modelview0)
	default:
		r.matrix = pixels(r.viewport[2], r.viewport[3])
	}
}

// pixels is the projection of a viewport's pixels, y down.
func pixels(width, height int32) mgl32.Mat4 {
	return mgl32.Ortho2D(0, float32(max(width, 1)), float32(max(height, 1)), 0)
}

// exact reports whether the matrix puts the list's units exactly on the viewport's pixels, either way up: then each texel
// belongs to one pixel, and the nearest is both the sharpest and the cheapest.
func (r *Renderer) exact() bool {
	m, w, h := &r.matrix, float64(r.viewport[2])/2, float64(r.viewport[3])/2
	if m[1] != 0 || m[4] != 0 || m[3] != 0 || m[7] != 0 || m[15] != 1 {
		return false
	}
	return whole(float64(m[0])*w, 1) && whole(math.Abs(float64(m[5])*h), 1) &&
		whole((float64(m[12])+1)*w, math.Round((float64(m[12])+1)*w)) &&
		whole((float64(m[13])+1)*h, math.Round((float64(m[13])+1)*h))
}

// whole reports whether two lengths in pixels are the same, for a picture a few thousand pixels wide.
func whole(got, want float64) bool { return math.Abs(got-want) < 1e-4 }
