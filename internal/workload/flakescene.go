package workload

import "math"

// ball is one sphere of a flake, with a bound around everything that grows on it. A flake lists a ball before its
// children. A ray that misses the bound continues at index skip.
type ball struct {
	centre      vec
	radius2     float64 // squared
	bound       float64
	bound2      float64 // squared
	skip, level int32
}

// flake is a sphere flake: on every ball sit nine balls of a third its size, down to a number of levels.
type flake struct{ balls []ball }

// flakeSize returns the number of balls of a flake with a number of levels: 66,430 at 6.
func flakeSize(levels int) int {
	n, row := 0, 1
	for range levels {
		n, row = n+row, row*9
	}
	return n
}

// newFlakeScene grows a flake of radius 1 around the origin.
func newFlakeScene(levels int) *flake {
	f := &flake{balls: make([]ball, 0, flakeSize(levels))}
	f.grow(vec{}, vec{0, 1, 0}, 1, 0, levels)
	return f
}

// grow adds a ball and the balls on it, and returns the radius that encloses them all.
func (f *flake) grow(centre, up vec, radius float64, level, levels int) float64 {
	at := len(f.balls)
	f.balls = append(f.balls, ball{centre: centre, radius2: radius * radius, level: int32(level)})
	bound := radius
	if level+1 < levels {
		reach := radius * 4 / 3
		for _, d := range seats(up) {
			bound = max(bound, reach+f.grow(centre.add(d.scale(reach)), d, radius/3, level+1, levels))
		}
	}
	b := &f.balls[at]
	b.bound, b.bound2, b.skip = bound, bound*bound, int32(len(f.balls))
	return bound
}

// seats returns the directions of a ball's nine children: six around its equator, three around its pole.
func seats(up vec) (d [9]vec) {
	u, v := up.basis()
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		d[i] = u.scale(cos).add(v.scale(sin))
	}
	for i := range 3 {
		sin, cos := math.Sincos(float64(i)*2*math.Pi/3 + math.Pi/6)
		d[6+i] = u.scale(cos).add(v.scale(sin)).scale(0.5).add(up.scale(math.Sqrt(0.75)))
	}
	return d
}

// ray starts at from and runs along the unit vector dir.
type ray struct{ from, dir vec }

func (r ray) at(t float64) vec { return r.from.add(r.dir.scale(t)) }

// nearest returns the first ball on the ray and its distance, or -1 if the ray meets none.
func (f *flake) nearest(r ray) (hit int, distance float64) {
	hit, distance = -1, math.Inf(1)
	for i := 0; i < len(f.balls); {
		b := &f.balls[i]
		to := b.centre.sub(r.from)
		along := to.dot(r.dir)
		off2 := to.dot(to) - along*along
		if off2 > b.bound2 || along < -b.bound || along-b.bound > distance {
			i = int(b.skip)
			continue
		}
		if off2 < b.radius2 {
			if t := along - math.Sqrt(b.radius2-off2); t > 0 && t < distance {
				hit, distance = i, t
			}
		}
		i++
	}
	return hit, distance
}

// blocked reports whether any ball lies on the ray.
func (f *flake) blocked(r ray) bool {
	for i := 0; i < len(f.balls); {
		b := &f.balls[i]
		to := b.centre.sub(r.from)
		along := to.dot(r.dir)
		off2 := to.dot(to) - along*along
		if off2 > b.bound2 || along < -b.bound {
			i = int(b.skip)
			continue
		}
		if off2 < b.radius2 && along > math.Sqrt(b.radius2-off2) {
			return true
		}
		i++
	}
	return false
}
