package workload

import "math"

// vec is a point, a direction or a linear colour.
type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec            { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec            { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) mul(b vec) vec            { return vec{a.x * b.x, a.y * b.y, a.z * b.z} }
func (a vec) scale(k float64) vec      { return vec{a.x * k, a.y * k, a.z * k} }
func (a vec) dot(b vec) float64        { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) unit() vec                { return a.scale(1 / math.Sqrt(a.dot(a))) }
func (a vec) mix(b vec, k float64) vec { return a.scale(1 - k).add(b.scale(k)) }

func (a vec) cross(b vec) vec {
	return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// basis completes the unit vector a to three perpendicular ones.
func (a vec) basis() (u, v vec) {
	helper := vec{1, 0, 0}
	if math.Abs(a.x) > 0.7 {
		helper = vec{0, 1, 0}
	}
	u = a.cross(helper).unit()
	return u, a.cross(u)
}

// display turns linear light 0..1 into a screen's 0..255, with a gamma of 2.
func display(light float64) uint8 {
	return uint8(255*math.Sqrt(min(max(light, 0), 1)) + 0.5)
}
