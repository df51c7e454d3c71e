package workload

import (
	"math"

	"example.com/iprof"
)

// bones is the number of bones of a robot: a spine of four, and two arms and two legs of three.
const bones = 16

// joint is the end of a bone and the angle at which it points.
type joint struct{ x, z, angle float64 }

// bone hangs on a parent and swings with the walk.
type bone struct {
	parent               int
	length, angle, swing float64
	offset               float64 // radians of the walk
}

// skeleton lists parents before children.
var skeleton = newSkeleton()

func newSkeleton() (s [bones]bone) {
	for i := range 4 {
		s[i] = bone{parent: i - 1, length: 0.1, angle: 0, swing: 0.05, offset: float64(i)}
	}
	for limb := range 4 {
		at := 4 + limb*3
		root := 3
		hang := math.Pi * 0.8
		offset := float64(limb) * math.Pi
		if limb >= 2 {
			root, hang = 0, math.Pi*0.95
		}
		if limb%2 == 1 {
			hang = -hang
		}
		for i := range 3 {
			s[at+i] = bone{parent: root, length: 0.1, angle: hang, swing: 0.35, offset: offset + float64(i)*0.6}
			root, hang = at+i, 0
		}
	}
	return s
}

// animate poses every robot for the distance it has walked.
func (g *game) animate(dt float64) {
	defer iprof.Begin("animation").End()
	for i := range g.robots {
		r := &g.robots[i]
		r.phase += math.Hypot(r.vx, r.vy) * dt * 6
		r.animate()
	}
}

// animate computes the robot's pose, bone by bone.
func (r *robot) animate() {
	defer iprof.Begin("pose").End()
	for i, b := range skeleton {
		base := joint{}
		if b.parent >= 0 {
			base = r.pose[b.parent]
		}
		angle := base.angle + b.angle + b.swing*math.Sin(r.phase+b.offset)
		if b.angle != 0 {
			angle -= base.angle
		}
		sin, cos := math.Sincos(angle)
		r.pose[i] = joint{base.x + sin*b.length, base.z + cos*b.length, angle}
	}
}
