package workload

import (
	"math"

	"example.com/iprof"
)

// think lets every robot look around and choose where to go.
func (g *game) think(dt float64) {
	defer iprof.Begin("ai").End()
	if g.frame%explodeEvery == explodeEvery-1 {
		g.explode()
	}
	for i := range g.robots {
		r := &g.robots[i]
		if i != 0 {
			g.perceive(r, dt)
		}
		g.decide(i, r)
		r.steer()
	}
}

// perceive finds out whether a robot sees the player. A robot that came near ignores the player for a while.
func (g *game) perceive(r *robot, dt float64) {
	defer iprof.Begin("perceive").End()
	p := &g.robots[0]
	r.alert, r.calm = r.alert-dt, r.calm-dt
	distance := math.Hypot(p.x-r.x, p.y-r.y)
	if r.calm > 0 || distance > sightRange {
		return
	}
	if distance < boredRange {
		r.alert, r.calm, r.path = 0, calmTime, r.path[:0]
		return
	}
	if g.world.sees(r.x, r.y, p.x, p.y) {
		r.alert = alertTime
	}
}

// decide gives a robot without a path a new one: to the player if it is alert, else anywhere.
func (g *game) decide(i int, r *robot) {
	if len(r.path) > 0 {
		return
	}
	goal := g.world.floor(g.random)
	if i != 0 && r.alert > 0 {
		goal = g.robots[0].tile()
	}
	r.path = g.paths.find(g.world, r.tile(), goal, r.path)
}

// explode makes a robot throw sparks, and all robots choose new paths at once.
func (g *game) explode() {
	defer iprof.Begin("explode").End()
	at := &g.robots[1+g.random.IntN(len(g.robots)-1)]
	for range sparksPerBang {
		a, up := g.random.Float64()*2*math.Pi, g.random.Float64()*5
		speed := 0.5 + 3*g.random.Float64()
		g.sparks = append(g.sparks, spark{at.x, at.y, 0.4, math.Cos(a) * speed, math.Sin(a) * speed, up,
			1 + g.random.Float64()})
	}
	for i := range g.robots {
		g.robots[i].path = g.robots[i].path[:0]
	}
}

func (r *robot) tile() cell { return cell{int(r.x), int(r.y)} }

// steer turns the robot to the next tile of its path and drives on.
func (r *robot) steer() {
	if len(r.path) == 0 {
		r.vx, r.vy = r.vx*0.9, r.vy*0.9
		return
	}
	x, y := r.path[len(r.path)-1].centre()
	dx, dy := x-r.x, y-r.y
	distance := math.Hypot(dx, dy)
	if distance < 0.3 {
		r.path = r.path[:len(r.path)-1]
		return
	}
	turn := math.Remainder(math.Atan2(dy, dx)-r.heading, 2*math.Pi)
	r.heading += turn * 0.12
	r.vx += (dx/distance*robotSpeed - r.vx) * 0.2
	r.vy += (dy/distance*robotSpeed - r.vy) * 0.2
}
