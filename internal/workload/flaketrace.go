package workload

import "math"

// camera looks at the flake from an angle around it.
type camera struct {
	eye, forward, right, down vec
	width, height             int
	zoom                      float64
}

// newCamera places the eye. turn is in radians.
func newCamera(width, height int, turn float64) camera {
	sin, cos := math.Sincos(turn)
	eye := vec{cos * 4.4, 2.6, sin * 4.4}
	forward := vec{0, 0.12, 0}.sub(eye).unit()
	right := forward.cross(vec{0, 1, 0}).unit()
	return camera{eye, forward, right, forward.cross(right), width, height, 0.80 / float64(min(width, height))}
}

// raysOfPixel are the four rays of a pixel: a rotated grid, in which no two share a row or a column.
var raysOfPixel = [4][2]float64{{-0.125, -0.375}, {0.375, -0.125}, {-0.375, 0.125}, {0.125, 0.375}}

// ray returns the ray through one of a pixel's four points.
func (c *camera) ray(x, y, point int) ray {
	dx := (float64(x) + 0.5 + raysOfPixel[point][0] - float64(c.width)/2) * c.zoom
	dy := (float64(y) + 0.5 + raysOfPixel[point][1] - float64(c.height)/2) * c.zoom
	return ray{c.eye, c.forward.add(c.right.scale(dx)).add(c.down.scale(dy)).unit()}
}

// surface is the point where a ray met the flake.
type surface struct {
	point, normal vec
	level         int32
	facing        float64 // cosine between the normal and the light; <= 0 is turned away
}

// toLight points at the sun.
var toLight = vec{0.55, 0.75, 0.25}.unit()

// graze moves the start of secondary rays off the ball.
const graze = 1e-6

func (f *flake) surface(r ray, hit int, distance float64) surface {
	p := r.at(distance)
	n := p.sub(f.balls[hit].centre).unit()
	return surface{p.add(n.scale(graze)), n, f.balls[hit].level, n.dot(toLight)}
}

// shadowRay goes from the surface to the light.
func (s *surface) shadowRay() ray { return ray{s.point, toLight} }

// mirrorRay returns r reflected by the surface.
func (s *surface) mirrorRay(r ray) ray {
	return ray{s.point, r.dir.sub(s.normal.scale(2 * r.dir.dot(s.normal)))}
}

// tints are the colours of the levels of a flake.
var tints = [...]vec{{0.92, 0.42, 0.26}, {0.95, 0.68, 0.24}, {0.26, 0.70, 0.62}, {0.32, 0.48, 0.86}, {0.62, 0.42, 0.82},
	{0.85, 0.85, 0.88}}

// light returns the surface's own colour under the sun and the sky.
func (s *surface) light(r ray, lit bool) vec {
	tint := tints[int(s.level)%len(tints)]
	c := tint.mul(vec{0.20, 0.24, 0.33}).scale(0.6 + 0.4*s.normal.y)
	if !lit {
		return c
	}
	shine := max(s.mirrorRay(r).dir.dot(toLight), 0)
	shine *= shine
	shine *= shine
	shine *= shine
	return c.add(tint.scale(0.85 * s.facing)).add(vec{1, 1, 1}.scale(0.35 * shine * shine))
}

// sky returns the colour of a ray that meets nothing.
func sky(r ray) vec {
	return vec{0.02, 0.03, 0.06}.mix(vec{0.16, 0.24, 0.38}, min(max(0.5+0.9*r.dir.y, 0), 1))
}

// mirror is the share of reflected light in a ball's colour.
const mirror = 0.3
