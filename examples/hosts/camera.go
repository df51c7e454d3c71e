package hosts

import "github.com/go-gl/mathgl/mgl32"

// Camera returns the matrix from the swarm to clip space. The camera turns around the swarm.
func (w *World) Camera(width, height int) mgl32.Mat4 {
	eye := mgl32.Rotate3DY(float32(w.frame) * 0.008).Mul3x1(mgl32.Vec3{0, 2.2, 4.6})
	view := mgl32.LookAtV(eye, mgl32.Vec3{}, mgl32.Vec3{0, 1, 0})
	return mgl32.Perspective(mgl32.DegToRad(42), float32(width)/float32(max(height, 1)), 0.5, 20).Mul4(view)
}
