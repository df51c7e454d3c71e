package workload

import (
	"math"

	"example.com/iprof"
)

// substeps is the number of steps a frame. Small steps keep fast things from passing through walls.
const substeps = 4

// simulate moves everything by dt seconds.
func (g *game) simulate(dt float64) {
	defer iprof.Begin("physics").End()
	for range substeps {
		g.broadphase()
		g.collide()
		g.integrate(dt / substeps)
	}
	g.fly(dt)
}

// broadphase sorts the robots into the tiles they stand on.
func (g *game) broadphase() {
	defer iprof.Begin("broadphase").End()
	for i := range g.buckets {
		g.buckets[i] = g.buckets[i][:0]
	}
	for i := range g.robots {
		t := g.robots[i].tile()
		b := &g.buckets[t.y*worldSize+t.x]
		*b = append(*b, int32(i))
	}
}

// collide separates robots that overlap.
func (g *game) collide() {
	defer iprof.Begin("collide").End()
	for i := range g.robots {
		t := g.robots[i].tile()
		for y := max(t.y-1, 0); y <= min(t.y+1, worldSize-1); y++ {
			for x := max(t.x-1, 0); x <= min(t.x+1, worldSize-1); x++ {
				for _, j := range g.buckets[y*worldSize+x] {
					if int(j) > i {
						push(&g.robots[i], &g.robots[j])
					}
				}
			}
		}
	}
}

// push separates two robots that overlap. Each moves half the way.
func push(a, b *robot) {
	dx, dy := b.x-a.x, b.y-a.y
	distance := math.Hypot(dx, dy)
	if distance >= 2*robotRadius || distance < 1e-9 {
		return
	}
	k := (2*robotRadius - distance) / distance / 2
	a.vx, a.vy = a.vx-dx*k*8, a.vy-dy*k*8
	b.vx, b.vy = b.vx+dx*k*8, b.vy+dy*k*8
}

// integrate moves the robots. Each moves as far as a ray ahead of it is free.
func (g *game) integrate(dt float64) {
	defer iprof.Begin("integrate").End()
	for i := range g.robots {
		r := &g.robots[i]
		r.x += g.free(r.x, r.y, r.vx*dt, 0)
		r.y += g.free(r.x, r.y, 0, r.vy*dt)
	}
}

// free returns the part of a move along one axis that the walls allow.
func (g *game) free(x, y, dx, dy float64) float64 {
	move := dx + dy
	if move == 0 {
		return 0
	}
	sign := math.Copysign(1, move)
	ahead := g.world.raycast(x, y, math.Copysign(dx/move, dx), math.Copysign(dy/move, dy), math.Abs(move)+robotRadius)
	return sign * min(math.Abs(move), max(ahead.distance-robotRadius, 0))
}

// fly moves the sparks under gravity, and removes burnt-out ones.
func (g *game) fly(dt float64) {
	defer iprof.Begin("sparks").End()
	kept := g.sparks[:0]
	for _, s := range g.sparks {
		s.vz -= 9.8 * dt
		if s.z += s.vz * dt; s.z < 0 {
			s.z, s.vz = -s.z, -s.vz*0.6
		}
		if g.world.solid(s.x+s.vx*dt, s.y+s.vy*dt) {
			s.vx, s.vy = -s.vx, -s.vy
		}
		s.x, s.y, s.life = s.x+s.vx*dt, s.y+s.vy*dt, s.life-dt
		if s.life > 0 {
			kept = append(kept, s)
		}
	}
	g.sparks = kept
}
