//go:build cgo || windows

package gl

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// view maps the list's units to the screen.
type view struct {
	projection *mgl32.Mat4 // list units to clip space; nil: see project
	scale      float32     // viewport pixels per list unit; 0 is 1
	up         bool        // without a projection: y grows up from the bottom of the viewport
	pixels     bool        // ignore the fixed-function matrices
}

// project sets the matrix from list units to clip space. In trusted state with a projection it makes no queries. A
// change of the viewport then goes unnoticed and costs some sharpness.
func (r *Renderer) project(v view, trusted bool) {
	if !trusted || v.projection == nil || r.viewport[2] == 0 {
		getInteger(glViewport, &r.viewport[0])
	}
	switch {
	case v.projection != nil:
		r.matrix = *v.projection
	case r.caps.compat && !v.pixels && r.fixedFunction():
	default:
		r.matrix = v.ortho(r.viewport[2], r.viewport[3])
	}
}

// fixedFunction sets the matrix from the fixed-function matrices. It returns false if both are the identity, because
// the host has never set them: the whole viewport would be two units wide.
func (r *Renderer) fixedFunction() bool {
	getFloat(glProjectionMatrix, &r.projection0[0])
	getFloat(glModelviewMatrix, &r.modelview0[0])
	r.matrix = r.projection0.Mul4(r.modelview0)
	identity := mgl32.Ident4()
	return r.projection0 != identity || r.modelview0 != identity
}

// unit returns the scale, or 1 if it is not set.
func (v view) unit() float32 {
	if v.scale > 0 {
		return v.scale
	}
	return 1
}

// ortho returns the projection for a viewport in pixels.
func (v view) ortho(width, height int32) mgl32.Mat4 {
	scale := v.unit()
	w, h := float32(max(width, 1))/scale, float32(max(height, 1))/scale
	if v.up {
		return mgl32.Ortho2D(0, w, 0, h)
	}
	return mgl32.Ortho2D(0, w, h, 0)
}

// exact reports whether the matrix puts a list laid out for a scale (pixels per unit) on whole pixels. Then each
// texel falls on one pixel, and nearest sampling is the sharpest and the cheapest.
func (r *Renderer) exact(scale float32) bool {
	m, w, h := &r.matrix, float64(r.viewport[2])/2, float64(r.viewport[3])/2
	if m[1] != 0 || m[4] != 0 || m[3] != 0 || m[7] != 0 || m[15] != 1 {
		return false
	}
	return whole(float64(m[0])*w, float64(scale)) && whole(math.Abs(float64(m[5])*h), float64(scale)) &&
		whole((float64(m[12])+1)*w, math.Round((float64(m[12])+1)*w)) &&
		whole((float64(m[13])+1)*h, math.Round((float64(m[13])+1)*h))
}

// whole reports whether two lengths in pixels are equal, for pictures up to a few thousand pixels wide.
func whole(got, want float64) bool { return math.Abs(got-want) < 1e-4 }
